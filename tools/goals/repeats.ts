import { randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'

import { sized } from '../size.ts'
import { type Caller, type Heard, type Result, send, signIn } from './client.ts'
import { setDelivery } from './delivery-stage.ts'
import { setStage } from './stage.ts'

const KEYS = sized(Number(process.env.KEYS ?? 20), 4)
const AT_ONCE = sized(Number(process.env.AT_ONCE ?? 50), 3)
/** Where the server says that it is full, somebody who repeats comes again a moment later. */
const FULL = [429, 503]
const PAUSE_MS = 200

/**
 * G-13, what people write: one Idempotency-Key sent many times at once is one effect and one answer, over a new record, a
 * change of a record and a secret that is told once; half of the keys lose their server in the middle. Control: the same
 * sendings without a key are counted as that many effects.
 */
export async function repeats(): Promise<Result> {
  const stage = await setStage()
  try {
    await stage.owner.query(`SET app.tenant = '*'`)
    let server = await stage.serve()
    const people = {
      gm: (await signIn(server.url, 'branch_gm')).headers,
      keeper: (await signIn(server.url, 'device_keeper')).headers,
      clerk: (await signIn(server.url, 'order_clerk')).headers,
    }
    const { shop } = await setDelivery(stage, () => server)
    const goods = await shop.sold({ name: '重发瓷砖', quantity: '1000' })
    const count = async (text: string, values: unknown[]) =>
      Number((await stage.owner.query<{ n: string }>(text, values)).rows[0]!.n)
    const { rows } = await stage.owner.query<{ bc: string; worker: string }>(
      `SELECT c.bc_id AS bc, k.id AS worker FROM companies c JOIN workers k ON k.tenant_id = c.tenant_id AND k.bc_id = c.bc_id
       WHERE c.code = 'HZ' ORDER BY k.w_id LIMIT 1`,
    )
    const { bc } = rows[0]!
    const kinds: ((name: string) => {
      who: Caller['headers']
      path: string
      body: object
      /** The same call with something else in it. */
      other: object
      made: () => Promise<number>
    })[] = [
      (name) => ({
        who: people.gm,
        path: api.sites.add.path,
        body: { ws_name: name, bc_id: bc, address: '重发路 1 号' },
        other: { ws_name: name, bc_id: bc, address: '别处' },
        made: () => count('SELECT count(*) AS n FROM sites WHERE ws_name = $1', [name]),
      }),
      (name) => ({
        who: people.gm,
        path: api.workers.add.path,
        body: { w_name: name, bc_id: bc, w_type: 3 },
        other: { w_name: name, bc_id: bc, w_type: 3, team: '别的' },
        made: () => count('SELECT count(*) AS n FROM workers WHERE w_name = $1', [name]),
      }),
      (name) => ({
        who: people.keeper,
        path: api.deviceStock.stock.path,
        body: { type: 'camera', model: 'C6', bc_id: bc, sns: [`AGAIN-${name.slice(3)}`] },
        other: { type: 'camera', model: '别的', bc_id: bc, sns: [`AGAIN-${name.slice(3)}`] },
        made: () => count('SELECT count(*) AS n FROM devices WHERE sn = $1', [`AGAIN-${name.slice(3)}`]),
      }),
    ]
    const order = {
      lines: [{ item_id: goods.items['重发瓷砖']!, quantity: '1' }],
      method: 1,
      expectedOn: shop.expectedOn,
    }
    kinds.push((name) => ({
      who: people.clerk,
      path: api.orders.place.path,
      body: { ...order, remark: name },
      other: { ...order, remark: '别的' },
      made: () => count('SELECT count(*) AS n FROM orders WHERE remark = $1', [name]),
    }))
    const problems: string[] = []
    let [sent, effects, again] = [0, 0, 0]
    const ask = async (kind: ReturnType<(typeof kinds)[number]>, key?: string): Promise<Heard> => {
      for (;;) {
        sent += 1
        const heard = await send(
          server.url,
          'POST',
          kind.path,
          {
            'content-type': 'application/json',
            ...kind.who,
            ...(key ? { 'idempotency-key': key } : {}),
          },
          JSON.stringify(kind.body),
        )
        // 599: the server was gone before it answered.
        if (![...FULL, 599].includes(heard.code)) return heard
        again += 1
        await new Promise((r) => setTimeout(r, PAUSE_MS))
      }
    }
    let killed = 0
    for (let i = 0; i < KEYS; i += 1) {
      const kind = kinds[i % kinds.length]!(`重发号${i}`)
      const key = randomUUID()
      const asking = Array.from({ length: AT_ONCE }, () => ask(kind, key))
      if (i % 4 === 3) {
        server.process.kill('SIGKILL')
        server = await stage.serve()
        killed += 1
      }
      const heard = await Promise.all(asking)
      const made = await kind.made()
      effects += made
      const answers = new Set(heard.map((h) => `${h.code} ${h.text}`))
      if (made !== 1 || answers.size !== 1 || heard[0]!.code !== 200)
        problems.push(
          `${kind.path}: ${made} effects, ${answers.size} answers, ${[...answers][0]?.slice(0, 120)}`,
        )
      const late = await ask(kind, key)
      if (late.text !== heard[0]!.text) problems.push(`${kind.path}: later ${late.text.slice(0, 120)}`)
      const other = await ask({ ...kind, body: kind.other }, key)
      if (other.code !== 409) problems.push(`${kind.path}: another request under the key ${other.code}`)
    }
    const loose = kinds[0]!('没有号')
    const open = (await Promise.all(Array.from({ length: 5 }, () => ask(loose)))).filter(
      (h) => h.code === 200,
    ).length
    const control = open === 5 && (await loose.made()) === 5
    for (const p of problems.slice(0, 10)) console.log(p)
    return {
      value: `keys ${KEYS} × ${AT_ONCE}, ${killed} kills, sent ${sent} (${again} again), effects ${effects}, wrong ${problems.length}, control ${control ? 'found' : 'MISSED'}`,
      ok: effects === KEYS && problems.length === 0 && control && killed > 0,
    }
  } finally {
    await stage.close()
  }
}
