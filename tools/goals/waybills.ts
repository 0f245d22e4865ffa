import { carrierDoorApi, carriersApi } from '@zhuguan/contract/features/dispatch/carriers.api.ts'

import { post, signed } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'
import { sized } from '../size.ts'
import { dice, type Result } from './client.ts'
import { setDelivery } from './delivery-stage.ts'
import { setStage } from './stage.ts'

const WAYS = sized(20, 2)
const EVENTS = sized(Number(process.env.EVENTS ?? 2_000), 100)
const BATCH = 10
const AT_ONCE = 8
const KILLS = 8
const UP_MS = 1_200
const NAME = '运单瓷砖'
const CARRIER = '三遍物流'

/**
 * G-13, the carriers' door: every node is told three times, shuffled, while the server is killed; each stands on its
 * way once, in the order of its own time. Control: a twin with another number is counted.
 */
export async function waybills(seed: number): Promise<Result> {
  const stage = await setStage()
  const { random } = dice(seed)
  try {
    await stage.owner.query(`SET app.tenant = '*'`)
    let server = await stage.serve()
    const { shop, sql } = await setDelivery(stage, () => server)
    const made = await shop.admin.call(carriersApi.add, { body: { name: CARRIER } })
    const carrier = { sn: made.account, secret: made.secret }
    const { items } = await shop.sold({ name: NAME, quantity: '1000' })
    for (let i = 0; i < WAYS; i += 1) {
      const order = (await shop.place([{ item_id: items[NAME]!, quantity: '1' }])).orders[0]!.id
      const note = (await shop.accept(order)).notes[0]!.id
      await shop.ship(note)
      await sql('UPDATE logistics SET carrier = $2, waybill = $3 WHERE note_id = $1', [
        note,
        CARRIER,
        `W${i}`,
      ])
    }
    const from = seconds() - EVENTS
    const batches = Array.from({ length: EVENTS / BATCH }, (_, b) =>
      Array.from({ length: BATCH }, (__, i) => ({
        id: `n${b}-${i}`,
        at: from + b * BATCH + i,
        carrier: CARRIER,
        waybill: `W${(b * BATCH + i) % WAYS}`,
        text: `节点 ${b * BATCH + i}`,
        code: 'underWay',
      })),
    )
    const queue = [...batches, ...batches, ...batches]
      .map((b) => [random(), b] as const)
      .sort((a, b) => a[0] - b[0])
      .map(([, b]) => b)
    const tell = (url: string, events: object[]) =>
      post(
        url,
        carrierDoorApi.events.path,
        signed(carrier, Buffer.from(JSON.stringify({ events })), seconds(), 'x-carrier'),
      ).catch(() => undefined)
    let killed = 0
    const work = async () => {
      for (let job = queue.pop(); job; job = queue.pop())
        // Not acknowledged: a carrier tells it again.
        while ((await tell(server.url, job))?.code !== 200) await new Promise((r) => setTimeout(r, 50))
    }
    const killer = (async () => {
      while (queue.length > BATCH * 2 && killed < KILLS) {
        await new Promise((r) => setTimeout(r, UP_MS))
        await server.end()
        killed += 1
        server = await stage.serve()
      }
    })()
    await Promise.all([...Array.from({ length: AT_ONCE }, work), killer])
    const counted = async () =>
      (
        await sql<{ rows: number; events: number; late: number }>(
          `SELECT count(*)::int AS rows, count(DISTINCT n.event)::int AS events,
             (SELECT count(*)::int FROM logistics g WHERE g.carrier = $1 AND g.node_at <> (SELECT max(m.at)
               FROM logistics_nodes m WHERE m.logistics_id = g.id)) AS late
           FROM logistics_nodes n WHERE n.source = 'carrier'`,
          [CARRIER],
        )
      )[0]!
    const { events, late, rows } = await counted()
    await tell(server.url, [{ ...batches[0]![0]!, id: 'twin' }])
    const control = (await counted()).rows === rows + 1
    return {
      value: [
        `nodes ${EVENTS} × 3 with ${killed} kills, rows ${rows} of ${events}`,
        `ways that show another node ${late}, control ${control ? 'found' : 'MISSED'}`,
      ].join(', '),
      ok: rows === EVENTS && events === EVENTS && late === 0 && control && killed > 0,
    }
  } finally {
    await stage.close()
  }
}
