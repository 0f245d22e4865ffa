import { openDelivery } from '../../server/testing/delivering.ts'
import { callBy, enterAs, type Person, person } from '../../server/testing/person.ts'
import { fitting } from './client.ts'
import type { Served, Stage } from './stage.ts'
import { PLAIN, type Words } from './worded.ts'

/** Sends of a body what the call knows, with these words in it. */
const sparing = (who: Person, words: Words): Person => {
  const askAny: Person['askAny'] = async (endpoint, input, headers) => {
    if (!input || !('body' in input)) return who.askAny(endpoint, input, headers)
    const body = words.into(endpoint, fitting(endpoint, input.body))
    const answer = await who.askAny(endpoint, { ...input, body }, headers)
    words.heard(endpoint, body, answer)
    return answer
  }
  const ask = askAny as Person['ask']
  return { ...who, ask, askAny, call: callBy(ask) }
}

/**
 * Orders, notes and sheets of a shop on a stage, by whoever serves it at the moment: its server may be killed. `words`
 * are put into what is said.
 */
export async function setDelivery(stage: Stage, served: () => Pick<Served, 'url'>, words = PLAIN) {
  const url = () => served().url
  const sql = async <R = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await stage.owner.query(text, values)).rows as R[]
  const server = {
    get url() {
      return url()
    },
    as: async (name: string) => sparing(await enterAs(url, name), words),
    nobody: (headers?: Record<string, string>) => sparing(person(url, headers), words),
    now: () => new Date(),
    sql,
  }
  return { server, sql, shop: await openDelivery(server), url }
}
export type DeliveryStage = Awaited<ReturnType<typeof setDelivery>>
