import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { packagesApi } from '@zhuguan/contract/features/packages/packages.api.ts'
import { type PackageDetail, packageStatus } from '@zhuguan/contract/features/packages/packages.record.ts'
import { productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import {
  productKind,
  type ProductRow,
  productStatus,
} from '@zhuguan/contract/features/products/products.record.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import type { QuotationContent } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import sharp from 'sharp'

import type { Logins } from '../database/migrate.ts'
import { BRANCHES, lottery, personName, phone } from '../database/seed/names.ts'
import { hourOf } from '../database/seed/stories.ts'
import type { FileStore } from '../features/files/file-store.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { int4, row, text, uuid } from '../kit/row.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import { deliverIn, type Yard } from './demo-delivered.ts'
import { type Door, openDoor, type Worker } from './demo-door.ts'
import { quoted, revised } from './demo-quoted.ts'
import { contractFor, type Outcome, type Sheet } from './demo-signed.ts'

const SEED = 2_027
/** Who does what in each branch of the demo. */
const STAFF = {
  HZ: { quoter: 'quoter', examiner: 'examiner', cashier: 'cashier', gm: 'branch_gm', deals: 72 },
  NB: { quoter: 'quoter2', examiner: 'examiner2', cashier: 'cashier2', gm: 'branch_gm2', deals: 48 },
  SZ: {
    quoter: 'other_quoter',
    examiner: 'other_examiner',
    cashier: 'other_cashier',
    gm: 'other',
    deals: 60,
  },
} as const
/** Who moves goods: the first branch's merchant and manager receive for their whole group. */
const YARD = {
  HZ: { clerk: 'order_clerk', acceptor: 'acceptor', merchant: 'supplier', company: 'branch_gm' },
  NB: { clerk: 'branch_gm2', acceptor: 'branch_gm2', merchant: 'supplier', company: 'branch_gm' },
  SZ: { clerk: 'other', acceptor: 'other', merchant: 'other', company: 'other' },
} as const
const DAYS = 100
/** Of so many sites of a branch goods are ordered: enough for every way that an order can go. */
const DELIVERED = 14
const LONG_AGO = 220
/** Work goes on a few hours after what came before it. */
const STEP_MS = 5 * 3_600_000

/** What becomes of the quotations that nobody signs, in turn. */
type Step = 'submit' | 'pass' | 'reject' | 'revise' | 'withdraw' | 'void'
const WAYS: readonly (readonly Step[])[] = [
  ['submit', 'pass'],
  ['submit', 'reject', 'revise', 'submit', 'pass'],
  ['submit'],
  [],
  ['submit', 'reject'],
  ['submit', 'pass', 'revise'],
  ['submit', 'reject', 'revise', 'submit', 'reject', 'revise', 'submit', 'pass'],
  ['void'],
  ['submit', 'withdraw'],
  ['submit', 'pass', 'void'],
]
const REASONS = ['非标项请附现场照片', '墙面面积和户型图对不上，请复核', '增项单价低于售价', '缺阳台防水']

export interface Branch {
  bc: string
  quoter: Worker
  examiner: Worker
  cashier: Worker
  gm: Worker
  store: string
  packages: PackageDetail[]
  products: ProductRow[]
}

async function branchOf(door: Door, code: keyof typeof STAFF): Promise<Branch> {
  const staff = STAFF[code]
  const { rows } = await door.db.tx(SYSTEM, (tx) =>
    tx.query(
      'demo.branch',
      row({ bc: uuid, store: uuid }),
      `SELECT s.bc_id AS bc, s.id AS store
       FROM users u
       JOIN user_stores t ON t.tenant_id = u.tenant_id AND t.user_id = u.id
       JOIN stores s ON s.tenant_id = t.tenant_id AND s.id = t.store_id
       WHERE u.user_name = $1`,
      [staff.quoter],
    ),
  )
  const [quoter, examiner, cashier, gm] = await Promise.all(
    [staff.quoter, staff.examiner, staff.cashier, staff.gm].map((user) => door.as(user)),
  )
  const sold = await quoter!.call(packagesApi.list, { query: { status: packageStatus.code.published } })
  const packages: PackageDetail[] = []
  for (const { id } of sold.list) packages.push(await quoter!.call(packagesApi.details, { query: { id } }))
  const products: ProductRow[] = []
  for (const kind of productKind.values) {
    const page = await quoter!.call(productsApi.list, { query: { kind, pageSize: 100 } })
    products.push(...page.list.filter((p) => p.status === productStatus.code.on && p.price !== null))
  }
  return { ...rows[0]!, quoter: quoter!, examiner: examiner!, cashier: cashier!, gm: gm!, packages, products }
}

interface Deal {
  id: string
  customer_id: string
  version: number
  content: QuotationContent
}
interface Office {
  door: Door
  branch: Branch
  l: ReturnType<typeof lottery>
}

async function judge({ branch, l }: Office, deal: Deal, step: 'pass' | 'reject'): Promise<void> {
  const { examiner } = branch
  const { list } = await examiner.call(examineApi.list, { query: { object_id: deal.id, examineState: 0 } })
  const { id, version, hash } = list[0]!
  await examiner.call(examineApi.details, { query: { id } })
  const reason = step === 'reject' ? l.pick(REASONS) : ''
  await examiner.call(examineApi[step], { body: { id, version, hash, reason } })
}
async function change({ branch, l }: Office, deal: Deal): Promise<void> {
  deal.content = revised(l, branch, deal.content)
  const { version } = await branch.quoter.call(quotationsApi.save, { body: deal })
  deal.version = version
}
/** The next thing that is done about a quotation, some hours after the one before. */
async function take(office: Office, deal: Deal, step: Step): Promise<void> {
  const { door, branch } = office
  door.at(new Date(door.now().getTime() + STEP_MS))
  const seen = { id: deal.id, version: deal.version }
  if (step === 'void')
    await branch.quoter.call(quotationsApi.void, { body: { ...seen, reason: '客户选了别家' } })
  else if (step === 'pass' || step === 'reject') await judge(office, deal, step)
  else await branch.quoter.call(quotationsApi[step], { body: seen })
  deal.version += 1
  if (step === 'revise') await change(office, deal)
}

interface StandingSite {
  id: string
  ws_name: string
  community: string
  address: string
  area: number
  owner: string
  phone: string
  begun: string | null
}
/** Sites of a branch that are under way or have not begun, with their owners: each of them has been signed for. */
async function standingSites(door: Door, bc: string): Promise<StandingSite[]> {
  const { rows } = await door.db.tx(SYSTEM, (tx) =>
    tx.query(
      'demo.sites',
      row<StandingSite>({
        id: uuid,
        ws_name: text,
        community: text,
        address: text,
        area: int4,
        owner: text,
        phone: text,
        begun: text.null,
      }),
      `SELECT w.id, w.ws_name, w.community, w.address, round(coalesce(w.area, 100))::int AS area, o.name AS owner,
         o.phone, coalesce(w.start_date, w.planned_start)::text AS begun
       FROM sites w
       JOIN owners o ON o.tenant_id = w.tenant_id AND o.id = w.owner_id
       WHERE w.bc_id = $1 AND w.status IN (${siteStatus.code.building}, ${siteStatus.code.notStarted})
       ORDER BY w.start_date NULLS LAST, w.code`,
      [bc],
    ),
  )
  return rows
}

/** A customer and a quotation for them. */
async function beginDeal({ door, branch, l }: Office, home: Visited): Promise<Deal> {
  const { bc, store, quoter } = branch
  const { area, ...customer } = home
  const { id } = await quoter.call(customersApi.add, {
    body: { ...customer, bc_id: bc, store_id: store, area: String(area) },
  })
  return quoteFor({ door, branch, l }, id, area)
}
async function quoteFor({ door, branch, l }: Office, customer_id: string, area: number): Promise<Deal> {
  const content = quoted(l, branch, { area, today: shanghaiDay(door.now()) })
  const { id } = await branch.quoter.call(quotationsApi.add, { body: { customer_id, content } })
  return { id, customer_id, version: 0, content }
}
interface Visited {
  name: string
  phone: string
  community: string
  address: string
  area: number
}
const visited = (l: ReturnType<typeof lottery>, community: string): Visited => ({
  name: personName(l),
  phone: phone(l),
  community,
  area: 68 + l.below(90),
  address: `${community} ${1 + l.below(18)} 幢 ${1 + l.below(3)} 单元 ${101 + 100 * l.below(20)}`,
})

/** The contracts of the sites that the demo has: quoted, approved and signed before the site began. */
async function signSites(office: Office, until: Date, paper: Sheet): Promise<number> {
  const today = shanghaiDay(until)
  const { door, branch } = office
  const sites = await standingSites(door, branch.bc)
  for (const [i, site] of sites.entries()) {
    const begun = site.begun !== null && site.begun < today ? site.begun : addDays(today, -4)
    door.at(hourOf(addDays(begun, -6), 9 + (i % 3)))
    const deal = await beginDeal(office, {
      name: site.owner,
      phone: site.phone,
      community: site.community,
      address: site.address,
      area: site.area,
    })
    for (const step of WAYS[i % 2]!) await take(office, deal, step)
    const home = { customer: site.owner, address: site.address, site_id: site.id }
    await contractFor(office, deal.id, home, { outcome: 'signed', paper, until })
  }
  return sites.length
}
/** Of the last deals those that come to a contract are signed. */
const LATELY = 0.8
const WAITING = 4
/** How far those come who are not building yet, in turn. */
const OUTCOMES: readonly Outcome[] = [
  'deposit',
  'begun',
  'signed',
  'returned',
  'deposit',
  'mistaken',
  'ended',
]

/** What the last ones have submitted waits; what was submitted before has been judged since. */
function wayOf(i: number, of: number): readonly Step[] {
  if (i >= of - WAITING) return ['submit']
  const way = WAYS[i % WAYS.length]!
  return way.at(-1) === 'submit' ? [...way, 'pass'] : way
}

async function dealIn(door: Door, b: number, until: Date, paper: Sheet, delivered: number): Promise<void> {
  const today = shanghaiDay(until)
  const { code, communities } = BRANCHES[b]!
  const l = lottery(SEED + b)
  // A session is older than everything that is done in it.
  door.at(hourOf(addDays(today, -LONG_AGO), 8))
  const branch = await branchOf(door, code)
  const office = { door, branch, l }
  const already = await signSites(office, until, paper)
  const open = STAFF[code].deals - already
  let approved = 0
  for (let i = 0; i < open; i += 1) {
    door.at(hourOf(addDays(today, -Math.ceil(((open - i) * DAYS) / open) - 1), 9 + (i % 3)))
    const person = visited(l, l.pick(communities))
    const deal = await beginDeal(office, person)
    const way = wayOf(i, open)
    for (const step of way) await take(office, deal, step)
    if (way.at(-1) !== 'pass' || (approved += 1) % 2 === 0) continue
    const outcome = i > open * LATELY ? 'signed' : OUTCOMES[((approved - 1) / 2) % OUTCOMES.length]!
    const home = { customer: person.name, address: person.address, site_id: null }
    await contractFor(office, deal.id, home, { outcome, paper, until })
    if (outcome !== 'signed') continue
    // The same people have a second home done.
    const second = await quoteFor(office, deal.customer_id, 52)
    for (const step of WAYS[0]!) await take(office, second, step)
    await contractFor(office, second.id, home, { outcome: 'deposit', paper, until })
  }
  door.at(hourOf(addDays(today, -LONG_AGO), 8))
  const yard = await yardOf(door, branch, code)
  await deliverIn(door, yard, (await soldSites(door, branch.bc)).slice(0, delivered), until)
  door.at(until)
  // They have seen what they were told in all that time.
  for (const who of [branch.quoter, branch.examiner, branch.cashier, branch.gm, yard.clerk, yard.acceptor])
    await who.call(notificationsApi.read, { body: {} })
}

/** Sites with a living contract, the oldest first. */
async function soldSites(door: Door, bc: string): Promise<string[]> {
  const { rows } = await door.db.tx(SYSTEM, (tx) =>
    tx.query(
      'demo.sold',
      row({ id: uuid }),
      `SELECT c.site_id AS id
       FROM contracts c
       WHERE c.bc_id = $1 AND c.state = 'live' AND c.signing_progress = 3 AND c.site_id IS NOT NULL
       ORDER BY c.signed_on, c.code`,
      [bc],
    ),
  )
  return rows.map((r) => r.id)
}
/** Who orders, receives and accepts for a branch: merchant and first branch take the orders of their whole group. */
async function yardOf(door: Door, branch: Branch, code: keyof typeof STAFF): Promise<Yard> {
  const { clerk, acceptor, merchant, company } = YARD[code]
  const { rows } = await door.db.tx(SYSTEM, (tx) =>
    tx.query(
      'demo.receivers',
      row({ store: uuid.null, bc: uuid.null }),
      `SELECT (SELECT k.receiver_store FROM product_categories k
           WHERE k.tenant_id = c.tenant_id AND k.receiver_store IS NOT NULL LIMIT 1) AS store,
         (SELECT k.receiver_bc FROM product_categories k
           WHERE k.tenant_id = c.tenant_id AND k.receiver_bc IS NOT NULL LIMIT 1) AS bc
       FROM companies c
       WHERE c.bc_id = $1`,
      [branch.bc],
    ),
  )
  const { bc, store } = rows[0]!
  const people = await Promise.all([clerk, acceptor, merchant, company].map((user) => door.as(user)))
  return {
    clerk: people[0]!,
    acceptor: people[1]!,
    examiner: branch.examiner,
    receivers: new Map([
      [store ?? '', people[2]!],
      [bc ?? '', people[3]!],
    ]),
  }
}

/** A page with a signature on it, drawn: nobody's. */
const signedPage = (): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="620" height="877"><rect width="620" height="877" fill="#fff"/>
       <path d="M60 90h500M60 130h500M60 170h420M60 210h480M60 250h300" stroke="#bbb" stroke-width="6"/>
       <path d="M330 760c30-60 50-60 40 0s30 20 50-10 20-40 30 0 30 10 60-20" stroke="#235" stroke-width="4"
         fill="none"/>
       </svg>`,
    ),
  )
    .jpeg()
    .toBuffer()

/** A hundred days of quotations and contracts in every branch of the demo, each by the person whose work it is. */
export async function dealDemo(
  logins: Logins,
  {
    now,
    delivered = DELIVERED,
    ...keys
  }: { files: FileStore; secretKey: Buffer; now: Date; /** Sites of a branch. */ delivered?: number },
): Promise<void> {
  const door = await openDoor(logins, { ...keys, from: now })
  try {
    const bytes = await signedPage()
    const paper: Sheet = (who) => who.send(bytes)
    for (const b of BRANCHES.keys()) await dealIn(door, b, now, paper, delivered)
  } finally {
    await door.close()
  }
}
