import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { followUpsApi } from '@zhuguan/contract/features/customers/follow-ups.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import type { QuotationContent } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import sharp from 'sharp'

import type { Logins } from '../database/migrate.ts'
import { BRANCHES, lottery, personName, phone } from '../database/seed/names.ts'
import { hourOf } from '../database/seed/stories.ts'
import { expireCases } from '../features/cases/consenting.service.ts'
import type { FileStore } from '../features/files/file-store.ts'
import { keepDeliveryDay } from '../features/home/home.service.ts'
import { keepDay } from '../features/pieces/counts.service.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { int4, row, text, uuid } from '../kit/row.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import { absencesOf } from './demo-absences.ts'
import { briefOf } from './demo-briefs.ts'
import { casesOf } from './demo-cases.ts'
import { deliveries } from './demo-delivered.ts'
import { type Door, openDoor } from './demo-door.ts'
import { leadsOf } from './demo-leads.ts'
import { homesOf } from './demo-lived.ts'
import { looksOf } from './demo-looks.ts'
import { statementsOf } from './demo-owed.ts'
import { type Branch, branchOf, STAFF, yardOf } from './demo-people.ts'
import { askedOf } from './demo-persons.ts'
import { promisesOf, runOf } from './demo-promised.ts'
import { questionsOf } from './demo-questioned.ts'
import { quoted, revised } from './demo-quoted.ts'
import { sharesOf } from './demo-shares.ts'
import { contractFor, type Outcome, type Sheet } from './demo-signed.ts'
import { speakersOf } from './demo-speakers.ts'
import { supervisedOf } from './demo-supervised.ts'
import { talksOf } from './demo-talks.ts'
import { after, live, type Story } from './demo-timeline.ts'

const SEED = 2_027
const DAYS = 100
/** Most of a branch: its sites, its quotations, the sites for which goods are ordered, its leads. */
export interface Most {
  sites: number
  deals: number
  delivered: number
  leads: number
}
/** Goods are ordered for enough sites for every way that an order can go. */
const WHOLE: Most = { sites: Infinity, deals: Infinity, delivered: 14, leads: Infinity }
const LONG_AGO = 220
/** Work goes on a few hours after what came before it. */
const STEP_HOURS = 5

/** The fates of the quotations that nobody signs, in turn. */
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
async function change({ branch, door, l }: Office, deal: Deal): Promise<void> {
  const next = revised(l, branch, deal.content)
  deal.content = await door.once(async () => next)
  const { version } = await branch.quoter.call(quotationsApi.save, { body: deal })
  deal.version = version
}
/** The next thing that is done about a quotation, some hours after the one before. */
async function* take(office: Office, deal: Deal, step: Step): Story {
  const { door, branch } = office
  yield after(door, STEP_HOURS)
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
  const read = () =>
    door.db.tx(SYSTEM, (tx) =>
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
  return door.once(async () => (await read()).rows)
}

/** A customer and a quotation for them. */
async function beginDeal({ door, branch, l }: Office, home: Visited): Promise<Deal> {
  const { bc, store, quoter } = branch
  const { area, ...customer } = home
  const { id } = await quoter.call(customersApi.add, {
    body: {
      ...customer,
      bc_id: bc,
      store_id: store,
      area: String(area),
      consultant_id: branch.quoterId,
      told: true,
    },
  })
  const at = Math.floor(door.now().getTime() / 1000)
  await quoter.call(followUpsApi.add, {
    body: { customer_id: id, kind: 'store', at, content: '到店聊了户型和预算，要一份报价' },
  })
  await briefOf(branch.quoter, id, area, shanghaiDay(door.now()))
  return quoteFor({ door, branch, l }, id, area)
}
async function quoteFor({ door, branch, l }: Office, customer_id: string, area: number): Promise<Deal> {
  const drawn = quoted(l, branch, { area, today: shanghaiDay(door.now()) })
  const content = await door.once(async () => drawn)
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

const BEFORE = 6
/** The day on which a site of the demo begins; of one that has not begun, as if it had lately. */
const beginsOn = ({ begun }: StandingSite, today: string): string =>
  begun !== null && begun < today ? begun : addDays(today, -4)
/** The contract of a site that the demo has: quoted, approved and signed before the site began. */
async function* signedFor(office: Office, site: StandingSite, i: number, { until, paper }: Past): Story {
  yield hourOf(addDays(beginsOn(site, shanghaiDay(until)), -BEFORE), 9 + (i % 3))
  const deal = await beginDeal(office, {
    name: site.owner,
    phone: site.phone,
    community: site.community,
    address: site.address,
    area: site.area,
  })
  for (const step of WAYS[i % 2]!) yield* take(office, deal, step)
  const home = { customer: site.owner, address: site.address, site_id: site.id }
  yield* contractFor(office, deal.id, home, { outcome: 'signed', paper, until })
}
/** Of the last deals those that come to a contract are signed. */
const LATELY = 0.8
const WAITING = 4
/** The progress of those who are not building yet, in turn. */
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

interface Past {
  until: Date
  paper: Sheet
}
/** Somebody asks for a quotation; how far it comes, and what is signed of it. */
async function* dealWith(
  office: Office,
  at: Date,
  { way, outcome, community }: { way: readonly Step[]; outcome: Outcome | null; community: string },
  { until, paper }: Past,
): Story {
  yield at
  const person = visited(office.l, community)
  const deal = await beginDeal(office, person)
  for (const step of way) yield* take(office, deal, step)
  if (outcome === null) return
  const home = { customer: person.name, address: person.address, site_id: null }
  yield* contractFor(office, deal.id, home, { outcome, paper, until })
  if (outcome !== 'signed') return
  // The same people have a second home done.
  const second = await quoteFor(office, deal.customer_id, 52)
  for (const step of WAYS[0]!) yield* take(office, second, step)
  yield* contractFor(office, second.id, home, { outcome: 'deposit', paper, until })
}

/** All that was sold and delivered in a branch, and what its people do once they have lived through it. */
async function storiesOf(
  door: Door,
  b: number,
  past: Past,
  most: Most,
): Promise<{ stories: Story[]; close: () => Promise<void> }> {
  const today = shanghaiDay(past.until)
  const { code, communities } = BRANCHES[b]!
  const l = lottery(SEED + b)
  const branch = await branchOf(door, code)
  const yard = await yardOf(door, branch, code)
  const office = { door, branch, l }
  const sites = (await standingSites(door, branch.bc)).slice(0, most.sites)
  const speakers = await speakersOf(door, { bc: branch.bc, code })
  const run = speakers && runOf(speakers, b, past.until)
  const leads = await leadsOf(
    door,
    { code, bc: branch.bc, store: branch.store, communities, gm: branch.gm },
    lottery(SEED + 10 + b),
    past.until,
  )
  const spoken = run
    ? [
        ...promisesOf(run),
        ...questionsOf(run),
        ...talksOf(run, past.until),
        absencesOf(run, past.until),
        supervisedOf(run, branch.bc, past.until),
        ...homesOf(door, run, b, past.until),
        ...looksOf(door, run),
        ...casesOf(run, code),
      ]
    : []
  const open = Math.min(STAFF[code].deals, most.deals) - sites.length
  let approved = 0
  const deals = Array.from({ length: open }, (_, i) => {
    const day = addDays(today, -Math.ceil(((open - i) * DAYS) / open) - 1)
    const way = wayOf(i, open)
    // Of what was approved, every other one comes to a contract.
    const isSold = way.at(-1) === 'pass' && (approved += 1) % 2 === 1
    const outcome = i > open * LATELY ? 'signed' : OUTCOMES[((approved - 1) / 2) % OUTCOMES.length]!
    const deal = { way, outcome: isSold ? outcome : null, community: l.pick(communities) }
    return dealWith(office, hourOf(day, 9 + (i % 3)), deal, past)
  })
  const fitted = sites.slice(0, most.delivered).map((site) => ({ id: site.id, from: beginsOn(site, today) }))
  // They have seen what they were told in all that time.
  const people = [branch.quoter, branch.examiner, branch.cashier, branch.gm, yard.clerk, yard.acceptor]
  return {
    stories: [
      ...sites.map((site, i) => signedFor(office, site, i, past)),
      ...deals,
      ...leads.slice(0, most.leads),
      ...spoken,
      ...deliveries(door, yard, fitted, past.until),
      ...sharesOf({ door, branch, until: past.until }, Math.min(most.leads, code === 'HZ' ? 20 : 8)),
      askedOf(door, branch.gm, past.until),
      ...statementsOf(door, branch, { code, receivers: yard.receivers }, past.until),
    ],
    async close() {
      for (const who of people) await who.call(notificationsApi.read, { body: {} })
    },
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

/** So many evenings are kept of what waited then. */
const EVENINGS = 60
/** A hundred days of quotations, contracts and orders in every branch, each by the person whose work it is. */
export async function dealDemo(
  logins: Logins,
  {
    now,
    most = WHOLE,
    branches: dealing = BRANCHES.map(({ code }) => code),
    ...keys
  }: {
    files: FileStore
    secretKey: Buffer
    now: Date
    /** All of it and all of them, unless a story needs less. */
    most?: Most
    branches?: readonly string[]
  },
): Promise<void> {
  const today = shanghaiDay(now)
  // A session is older than everything that is done in it.
  const door = await openDoor(logins, { ...keys, from: hourOf(addDays(today, -LONG_AGO), 8) })
  try {
    const bytes = await signedPage()
    const past: Past = { until: now, paper: (who) => who.send(bytes) }
    const branches = []
    for (const [b, { code }] of BRANCHES.entries())
      if (dealing.includes(code)) branches.push(await storiesOf(door, b, past, most))
    const tenants = await door.db.tx(SYSTEM, (tx) =>
      tx.query('demo.tenants', row({ id: uuid }), 'SELECT id FROM tenants', []),
    )
    await live(
      door,
      branches.flatMap((b) => b.stories),
      {
        from: addDays(today, -EVENINGS),
        until: now,
        evening: (day) =>
          door.once(async () => {
            for (const { id } of tenants.rows)
              await door.db.tx(SYSTEM, async (tx) => {
                await expireCases(tx, id)
                await keepDay(tx, id, day)
                await keepDeliveryDay(tx, id, day)
              })
          }),
      },
    )
    for (const branch of branches) await branch.close()
  } finally {
    await door.close()
  }
}
