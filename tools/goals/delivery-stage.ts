import { openDelivery } from '../../server/testing/delivering.ts'
import { enterAs, type Person, person } from '../../server/testing/person.ts'
import { fitting } from './client.ts'
import type { Served, Stage } from './stage.ts'

/** Sends of a body what the call knows. */
const sparing = (who: Person): Person => ({
  ...who,
  ask: (endpoint, input, headers) =>
    who.ask(
      endpoint,
      input && 'body' in input ? { ...input, body: fitting(endpoint, input.body) } : input,
      headers,
    ),
})

/** Orders, notes and sheets of a shop on a stage, by whoever serves it at the moment: its server may be killed. */
export async function setDelivery(stage: Stage, served: () => Served) {
  const url = () => served().url
  const sql = async <R = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await stage.owner.query(text, values)).rows as R[]
  const server = {
    get url() {
      return url()
    },
    as: async (name: string) => sparing(await enterAs(url, name)),
    nobody: (headers?: Record<string, string>) => person(url, headers),
    now: () => new Date(),
    sql,
  }
  return { server, sql, shop: await openDelivery(server), url }
}
export type DeliveryStage = Awaited<ReturnType<typeof setDelivery>>
