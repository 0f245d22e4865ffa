import { openDelivery } from '../../server/testing/delivering.ts'
import { enterAs, person } from '../../server/testing/person.ts'
import type { Served, Stage } from './stage.ts'

/** Orders, notes and sheets of a shop on a stage, by whoever serves it at the moment: its server may be killed. */
export async function setDelivery(stage: Stage, served: () => Served) {
  const url = () => served().url
  const sql = async <R = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await stage.owner.query(text, values)).rows as R[]
  const server = {
    get url() {
      return url()
    },
    as: (name: string) => enterAs(url, name),
    nobody: (headers?: Record<string, string>) => person(url, headers),
    now: () => new Date(),
    sql,
  }
  return { server, sql, shop: await openDelivery(server), url }
}
export type DeliveryStage = Awaited<ReturnType<typeof setDelivery>>
