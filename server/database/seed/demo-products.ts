import { productKind } from '@zhuguan/contract/features/products/products.record.ts'

import { uuidv7 } from '../../kit/ids.ts'
import { row, uuid } from '../../kit/row.ts'
import { addDays } from '../../kit/shanghai.ts'
import type { Tx } from '../connect.ts'
import { CATALOGUE, type Line } from './catalogue.ts'
import type { lottery } from './names.ts'
import { insert } from './rows.ts'

const { auxiliary, main, work } = productKind.code
const SALE_MARGIN = 1.45
const DAYS_PRICED = 240

export interface Seller {
  tenant: string
  by: string
  now: Date
  today: string
}

/** 600 products of all kinds, priced by the group; every twelfth has a branch's own price, some change next month. */
export async function sellProducts(tx: Tx, l: ReturnType<typeof lottery>, seller: Seller): Promise<void> {
  const { tenant } = seller
  const branches = await branchesOf(tx, tenant)
  const root = CATALOGUE.map((c) => ({ tenant_id: tenant, id: uuidv7(), parent_id: null, name: c.name }))
  const none = { stage: null, receiver_bc: null, receiver_store: null, lead_days: null }
  const below = CATALOGUE.flatMap((c, i) =>
    c.lines.map((line) => ({
      tenant_id: tenant,
      id: uuidv7(),
      parent_id: root[i]!.id,
      name: line.name,
      stage: line.stage,
      receiver_bc: c.kind === auxiliary ? branches[0]!.bc : null,
      receiver_store: c.kind === main ? branches[0]!.store : null,
      lead_days: line.days,
    })),
  )
  await insert(tx, 'product_categories', [...root.map((r) => ({ ...r, ...none })), ...below])
  const products = CATALOGUE.flatMap((c) =>
    c.lines.flatMap((line) =>
      Array.from({ length: line.count }, (_, i) => productOf(l, seller, c.kind, line, i, below)),
    ),
  ).map((p, i) => ({ ...p, row: { ...p.row, code: `SP${String(i + 1).padStart(5, '0')}` } }))
  await insert(
    tx,
    'products',
    products.map((p) => p.row),
  )
  await insert(
    tx,
    'product_prices',
    products.flatMap((p, i) => pricesOf(l, seller, branches, p, i)),
  )
}

interface Branch {
  bc: string
  store: string
}
/** A group's branches, each with its store that takes orders. */
async function branchesOf(tx: Tx, tenant: string): Promise<Branch[]> {
  const { rows } = await tx.query(
    'seed.branches',
    row({ bc: uuid, store: uuid }),
    `SELECT c.bc_id AS bc, s.id AS store
     FROM companies c
     JOIN stores s ON s.tenant_id = c.tenant_id AND s.bc_id = c.bc_id AND s.receives_orders
     WHERE c.tenant_id = $1
     ORDER BY c.sort`,
    [tenant],
  )
  return rows
}
function productOf(
  l: ReturnType<typeof lottery>,
  { tenant }: Seller,
  kind: string,
  line: Line,
  i: number,
  categories: readonly { id: string; name: string }[],
) {
  const spec = line.specs[i % line.specs.length]!
  const [least, most] = line.cost
  const cost = Math.round((least + (most - least) * l.next()) * 100) / 100
  const price = Math.max(1, Math.round((cost || 20 + l.below(60)) * SALE_MARGIN * 100) / 100)
  return {
    cost,
    price,
    row: {
      tenant_id: tenant,
      id: uuidv7(),
      bc_id: null,
      name: `${kind === main || kind === auxiliary ? '' : `${spec} `}${line.name}`,
      kind,
      category_id: categories.find((c) => c.name === line.name)!.id,
      brand: line.brands ? line.brands[i % line.brands.length]! : '',
      model: line.brands ? `${String.fromCodePoint(65 + l.below(26))}${1_000 + l.below(9_000)}` : '',
      spec,
      unit: line.unit,
      stage: null,
      receiver_bc: null,
      receiver_store: null,
      lead_days: null,
      pack: line.pack ?? null,
      least: null,
      removal_price: l.below(4) ? null : (price * 0.8).toFixed(2),
      picture: null,
      status: l.below(40) ? 1 : 2,
      version: 0,
    },
  }
}
function pricesOf(
  l: ReturnType<typeof lottery>,
  { tenant, by, now, today }: Seller,
  branches: readonly Branch[],
  { cost, price, row: product }: ReturnType<typeof productOf>,
  i: number,
) {
  const one = (bc: string | null, from: string, factor: number, reason: string) => ({
    tenant_id: tenant,
    id: uuidv7(),
    product_id: product.id,
    bc_id: bc,
    from_on: from,
    price: (price * factor).toFixed(2),
    // Nobody has said yet what some of the work costs.
    cost: product.kind === work && i % 9 === 0 ? null : (cost * factor).toFixed(2),
    reason,
    set_by: by,
    set_at: now,
  })
  return [
    one(null, addDays(today, -DAYS_PRICED), 1, '年度定价'),
    ...(i % 12 === 0 ? [one(l.pick(branches).bc, addDays(today, -30), 1.05, '本地采购价不同')] : []),
    ...(i % 25 === 0 ? [one(null, addDays(today, 20), 1.1, '厂家通知下月调价')] : []),
  ]
}
