import { randomBytes } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'

import { sized } from '../tools/size.ts'
import { type Ground, pause, quantile, type Say } from './ground.ts'
import { TIMES } from './size.ts'

/** A link lets in so many devices an hour; one wave stays below it. */
const LINKS = sized(10, 1)
const PHONES = sized(20, 2)
/** People who ask for a list meanwhile. */
const READERS = 2

interface Answer {
  code: number
  msg: string
  data: { id: string; token: string; pass: string; list: { id: string }[] }
}
async function call(g: Ground, { path, method }: Endpoint, headers: Record<string, string>, body: object) {
  const answer = await fetch(g.ours.url + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
  })
  const { code, msg, data } = (await answer.json()) as Answer
  if (code !== 200) throw new Error(`${path}: ${code} ${msg}`)
  return data
}

/** Makes new links to a page that was put together for a customer, with a home that is being built. */
async function links(g: Ground, staff: Record<string, string>): Promise<string[]> {
  const [place] = (
    await g.owner.query<{ bc_id: string; store_id: string; site: string }>(
      `SELECT s.bc_id, s.id AS store_id, w.id AS site FROM users u
       JOIN user_stores t ON t.tenant_id = u.tenant_id AND t.user_id = u.id
       JOIN stores s ON s.tenant_id = t.tenant_id AND s.id = t.store_id
       JOIN sites w ON w.tenant_id = s.tenant_id AND w.bc_id = s.bc_id AND w.status = 1 AND w.deleted_at IS NULL
        AND w.community <> ''
       WHERE u.user_name = 'sales' ORDER BY w.code LIMIT 1`,
    )
  ).rows
  const { id: customer_id } = await call(g, api.customers.add, staff, {
    bc_id: place!.bc_id,
    store_id: place!.store_id,
    name: '王女士',
    phone: `137${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`,
    community: '江南里',
    address: '3 幢 1201',
  })
  const preview = { customer_id, title: '', words: '请看', items: [{ kind: 'site', target_id: place!.site }] }
  const { id: target_id } = await call(g, api.previews.add, staff, preview)
  const made: string[] = []
  for (let i = 0; i < LINKS; i += 1)
    made.push((await call(g, api.links.create, staff, { kind: 'preview', target_id })).token)
  return made
}

/** Asks as a telephone does from the tap to the page that is there; answers how many ms it took. */
async function opened(g: Ground, token: string, n: number): Promise<number> {
  const from = performance.now()
  // Each from a network of its own, as the server's proxy says it.
  const at = { 'x-forwarded-for': `10.1.${n >> 8}.${n & 255}` }
  const bearer = { token, pass: '', device: randomBytes(16).toString('hex') }
  const { pass } = await call(g, api.links.open, at, { ...bearer, password: '' })
  await call(g, api.sharePage.state, at, { ...bearer, pass })
  await call(g, api.links.painted, at, { ...bearer, pass })
  return performance.now() - from
}

/** Asks for a list again and again while something goes on; answers the times in ms, sorted. */
async function listed(g: Ground, reader: Record<string, string>, meanwhile: Promise<unknown>) {
  const took: number[] = []
  let goesOn = true
  const ends = meanwhile.finally(() => (goesOn = false))
  const read = async () => {
    while (goesOn) {
      const from = performance.now()
      await call(g, api.sites.list, reader, {})
      took.push(performance.now() - from)
    }
  }
  await Promise.all([ends, ...Array.from({ length: READERS }, read)])
  return took.sort((a, b) => a - b)
}

/** Two hundred telephones open links at once, while others work with a list. */
export async function openings(g: Ground, wants: (id: string) => boolean, say: Say): Promise<void> {
  if (!wants('OPENINGS')) return
  const [staff, reader] = [await g.signIn('sales'), await g.signIn('branch_gm')]
  const [alone, beside, phones]: number[][] = [[], [], []]
  for (let i = 0; i < TIMES; i += 1) {
    const tokens = await links(g, staff)
    alone!.push(...(await listed(g, reader, pause(2_000))))
    const wave = Promise.all(
      tokens.flatMap((token, k) =>
        Array.from({ length: PHONES }, (_, n) => opened(g, token, k * PHONES + n)),
      ),
    )
    beside!.push(...(await listed(g, reader, wave)))
    phones!.push(...(await wave))
  }
  const p99 = (took: number[] | undefined) =>
    quantile(
      (took ?? []).toSorted((a, b) => a - b),
      0.99,
    )
  const [quiet, busy] = [p99(alone), p99(beside)]
  say(
    'OPENINGS',
    `${LINKS * PHONES} telephones open links at once, all answered: list of sites meanwhile`,
    `p99 ${busy.toFixed(0)} ms (${beside!.length} lists); the slowest telephone ${Math.max(...phones!).toFixed(0)} ms`,
    `p99 ${quiet.toFixed(0)} ms without them`,
    `${(busy / quiet).toFixed(1)}×`,
    'all opened, the list ≤ 1 s',
    busy <= 1_000,
  )
}
