import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
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

import type { Logins } from '../database/migrate.ts'
import { BRANCHES, lottery, personName, phone } from '../database/seed/names.ts'
import { hourOf } from '../database/seed/stories.ts'
import type { FileStore } from '../features/files/file-store.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { row, uuid } from '../kit/row.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import { type Door, openDoor, type Worker } from './demo-door.ts'
import { quoted, revised } from './demo-quoted.ts'

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
const DAYS = 100
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

/** A customer and a quotation for them. */
async function beginDeal(
  { door, branch, l }: Office,
  home: { community: string; area: number },
): Promise<Deal> {
  const { bc, store, quoter } = branch
  const { id } = await quoter.call(customersApi.add, {
    body: {
      bc_id: bc,
      store_id: store,
      name: personName(l),
      phone: phone(l),
      community: home.community,
      address: `${home.community} ${1 + l.below(18)} 幢 ${1 + l.below(3)} 单元 ${101 + 100 * l.below(20)}`,
      area: String(home.area),
    },
  })
  const content = quoted(l, branch, { area: home.area, today: shanghaiDay(door.now()) })
  const made = await quoter.call(quotationsApi.add, { body: { customer_id: id, content } })
  return { id: made.id, customer_id: id, version: 0, content }
}

async function dealIn(door: Door, b: number, today: string): Promise<void> {
  const { code, communities } = BRANCHES[b]!
  const l = lottery(SEED + b)
  // A session is older than everything that is done in it.
  door.at(hourOf(addDays(today, -DAYS - 1), 8))
  const office = { door, branch: await branchOf(door, code), l }
  const { deals } = STAFF[code]
  for (let i = 0; i < deals; i += 1) {
    door.at(hourOf(addDays(today, -Math.ceil(((deals - i) * DAYS) / deals)), 9 + (i % 3)))
    const deal = await beginDeal(office, { community: l.pick(communities), area: 68 + l.below(90) })
    for (const step of WAYS[i % WAYS.length]!) await take(office, deal, step)
  }
}

/** A hundred days of quotations in every branch of the demo, each by the person whose work it is. */
export async function dealDemo(
  logins: Logins,
  { now, ...keys }: { files: FileStore; secretKey: Buffer; now: Date },
): Promise<void> {
  const door = await openDoor(logins, { ...keys, from: now })
  try {
    for (const b of BRANCHES.keys()) await dealIn(door, b, shanghaiDay(now))
  } finally {
    await door.close()
  }
}
