import { packagesApi } from '@zhuguan/contract/features/packages/packages.api.ts'
import { type PackageDetail, packageStatus } from '@zhuguan/contract/features/packages/packages.record.ts'
import { productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import {
  productKind,
  type ProductRow,
  productStatus,
} from '@zhuguan/contract/features/products/products.record.ts'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'

import { SYSTEM } from '../features/session/access.reads.ts'
import { row, uuid } from '../kit/row.ts'
import type { Yard } from './demo-delivered.ts'
import type { Door, Worker } from './demo-door.ts'

/** The person who does what in each branch of the demo. */
export const STAFF = {
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
/** The person who moves goods: the first branch's merchant and manager receive for their whole group. */
const YARD = {
  HZ: { clerk: 'order_clerk', acceptor: 'acceptor', merchant: 'supplier', company: 'branch_gm' },
  NB: { clerk: 'branch_gm2', acceptor: 'branch_gm2', merchant: 'supplier', company: 'branch_gm' },
  SZ: { clerk: 'other', acceptor: 'other', merchant: 'other', company: 'other' },
} as const
export interface Branch {
  bc: string
  quoter: Worker
  quoterId: string
  examiner: Worker
  cashier: Worker
  gm: Worker
  store: string
  packages: PackageDetail[]
  products: ProductRow[]
}

/** The people of a branch, signed in, and what they sell. */
export async function branchOf(door: Door, code: keyof typeof STAFF): Promise<Branch> {
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
  const { id: quoterId } = await quoter!.call(sessionApi.userdata)
  return {
    ...rows[0]!,
    quoterId,
    quoter: quoter!,
    examiner: examiner!,
    cashier: cashier!,
    gm: gm!,
    packages,
    products,
  }
}

/** Who orders, receives and accepts for a branch: merchant and first branch take the orders of their whole group. */
export async function yardOf(door: Door, branch: Branch, code: keyof typeof STAFF): Promise<Yard> {
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
