import { randomBytes } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'

import { type Person, person } from '../server/testing/person.ts'
import { sized } from '../tools/size.ts'
import { type Ground, pause, quantile, type Say } from './ground.ts'
import { TIMES } from './size.ts'

/** A link lets in so many devices an hour; one wave stays below it. */
const LINKS = sized(10, 1)
const PHONES = sized(20, 2)
/** People who ask for a list meanwhile. */
const READERS = 2

/** Makes new links to a page that was put together for a customer, with a home that is being built. */
async function links(g: Ground, staff: Person): Promise<string[]> {
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
  const { id: customer_id } = await staff.call(api.customers.add, {
    body: {
      bc_id: place!.bc_id,
      store_id: place!.store_id,
      name: '王女士',
      phone: `137${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`,
      community: '江南里',
      address: '3 幢 1201',
    },
  })
  const items = [{ kind: 'site' as const, target_id: place!.site }]
  const { id: target_id } = await staff.call(api.previews.add, {
    body: { customer_id, title: '', words: '请看', items },
  })
  const made: string[] = []
  for (let i = 0; i < LINKS; i += 1)
    made.push((await staff.call(api.links.create, { body: { kind: 'preview', target_id } })).token)
  return made
}

/** Asks as a telephone does from the tap to the page that is there; answers how many ms it took. */
async function opened(g: Ground, token: string, n: number): Promise<number> {
  const from = performance.now()
  // Each from a network of its own, as the server's proxy says it.
  const phone = person(() => g.ours.url, { 'x-forwarded-for': `10.1.${n >> 8}.${n & 255}` })
  const bearer = { token, pass: '', device: randomBytes(16).toString('hex') }
  const { pass } = await phone.call(api.links.open, { body: bearer })
  await phone.call(api.sharePage.state, { body: { ...bearer, pass } })
  await phone.call(api.links.painted, { body: { ...bearer, pass } })
  return performance.now() - from
}

/** Asks for a list again and again while something goes on; answers the times in ms. */
async function listed(reader: Person, meanwhile: Promise<unknown>) {
  const took: number[] = []
  let goesOn = true
  const ends = meanwhile.finally(() => (goesOn = false))
  const read = async () => {
    while (goesOn) {
      const from = performance.now()
      await reader.call(api.sites.list)
      took.push(performance.now() - from)
    }
  }
  await Promise.all([ends, ...Array.from({ length: READERS }, read)])
  return took
}

/** Two hundred telephones open links at once, while others work with a list. */
export async function openings(g: Ground, wants: (id: string) => boolean, say: Say): Promise<void> {
  if (!wants('OPENINGS')) return
  const as = async (name: string) => {
    const headers = await g.signIn(name)
    return person(() => g.ours.url, headers)
  }
  const [staff, reader] = [await as('sales'), await as('branch_gm')]
  const alone: number[] = []
  const beside: number[] = []
  const phones: number[] = []
  for (let i = 0; i < TIMES; i += 1) {
    const tokens = await links(g, staff)
    alone.push(...(await listed(reader, pause(2_000))))
    const wave = Promise.all(
      tokens.flatMap((token, k) =>
        Array.from({ length: PHONES }, (_, n) => opened(g, token, k * PHONES + n)),
      ),
    )
    beside.push(...(await listed(reader, wave)))
    phones.push(...(await wave))
  }
  const p99 = (took: number[]) =>
    quantile(
      took.toSorted((a, b) => a - b),
      0.99,
    )
  const [quiet, busy] = [p99(alone), p99(beside)]
  say(
    'OPENINGS',
    `${LINKS * PHONES} telephones open links at once, all answered: list of sites meanwhile`,
    `p99 ${busy.toFixed(0)} ms (${beside.length} lists); the slowest telephone ${Math.max(...phones).toFixed(0)} ms`,
    `p99 ${quiet.toFixed(0)} ms without them`,
    `${(busy / quiet).toFixed(1)}×`,
    'all opened, the list ≤ 1 s',
    busy <= 1_000,
  )
}
