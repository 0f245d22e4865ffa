import { productsImport } from '@zhuguan/contract/features/products/products.import.ts'
import { productFacts, productKind } from '@zhuguan/contract/features/products/products.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { price } from '@zhuguan/contract/kit/decimals.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import type { Tx } from '../../database/connect.ts'
import { bool, row, text, uuid } from '../../kit/row.ts'
import { whole } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import type { CellError, Cells, Checked, Importer } from '../imports/imports.service.ts'
import { branchesOf, codeOf, issuesOf, NO_BRANCH } from '../imports/reading.service.ts'
import {
  categoryExists,
  insertPrices,
  insertProducts,
  type ProductFacts,
  type Receiver,
} from './products.service.ts'

const imported = productFacts.omit({ picture: true }).extend({
  price: price('售价').nullable(),
  cost: price('成本价').nullable(),
})
interface Value {
  facts: ProductFacts
  receiver: Receiver
  price: string | null
  cost: string | null
}
const taken = (code: string) => `编码 ${code} 已被使用`

/** What the cells name: categories by their path, receivers by their name, codes that are used. */
async function known(tx: Tx, tenant: string, rows: readonly Cells[]) {
  const categories = await tx.query(
    'products.paths',
    row({ id: uuid, path: text, name: text }),
    `SELECT g.id, concat_ws('/', i.name, h.name, g.name) AS path, g.name
     FROM product_categories g
     LEFT JOIN product_categories h ON h.tenant_id = $1 AND h.id = g.parent_id
     LEFT JOIN product_categories i ON i.tenant_id = $1 AND i.id = h.parent_id
     WHERE g.tenant_id = $1`,
    [tenant],
  )
  const receivers = await tx.query(
    'products.named',
    row({ id: uuid, name: text, store: bool }),
    `SELECT c.bc_id AS id, c.bc_name AS name, false AS store
     FROM companies c
     WHERE c.tenant_id = $1 AND c.receives_orders AND c.bc_name = ANY ($2)
     UNION ALL
     SELECT s.id, s.name, true
     FROM stores s
     WHERE s.tenant_id = $1 AND s.receives_orders AND s.name = ANY ($2)`,
    [tenant, rows.map((r) => r.receiver_id).filter(Boolean)],
  )
  const codes = await tx.query(
    'products.taken',
    row({ code: text }),
    'SELECT p.code FROM products p WHERE p.tenant_id = $1 AND p.code = ANY ($2)',
    [tenant, rows.map((r) => r.code).filter(Boolean)],
  )
  const byName = Map.groupBy(categories.rows, (c) => c.name)
  return {
    codes: new Set(codes.rows.map((r) => r.code)),
    /** A name alone will do where only one category has it. */
    category(cell: string): string | { error: string } {
      const path = categories.rows.find((c) => c.path === cell.replaceAll(/\s*\/\s*/g, '/'))
      const same = byName.get(cell) ?? []
      if (path) return path.id
      if (same.length === 1) return same[0]!.id
      return {
        error: same.length ? '有几个同名的品类，请写成 上级/下级' : '没有这个品类，请先在“品类”里新增',
      }
    },
    receiver(cell: string): { id: string; as: Receiver } | { error: string } {
      const same = receivers.rows.filter((r) => r.name === cell)
      if (same.length !== 1)
        return { error: same.length ? '有几个同名的商家，请先改名' : '没有这个接单的分公司或门店' }
      const { id, store } = same[0]!
      return { id, as: { bc: store ? null : id, store: store ? id : null } }
    },
  }
}
const DECIMALS = ['pack', 'least', 'removalPrice', 'price', 'cost'] as const

/** What a cell names, or why it names nothing. */
type Named<T> = T | { error: string }
function readerOf(errors: CellError[]) {
  return <T>(column: string, found: Named<T>): T | undefined => {
    if (typeof found !== 'object' || found === null || !('error' in found)) return found
    errors.push({ column, text: found.error })
    return undefined
  }
}
/** What no single cell can be asked. */
function together(call: Call, cells: Cells, codes: ReadonlySet<string>): CellError[] {
  return [
    !cells.bc_id && !whole(call.user.scope) && { column: 'bc_id', text: '请填写您的分公司' },
    codes.has(cells.code!) && { column: 'code', text: taken(cells.code!) },
    !!cells.cost &&
      !hasPermission(call.user, 'product:cost') && {
        column: 'cost',
        text: '您没有查看成本的权限，不能填成本价',
      },
    !!cells.cost && !cells.price && { column: 'price', text: '填了成本价，也要填售价' },
    !!cells.price &&
      !hasPermission(call.user, 'product:price') && {
        column: 'price',
        text: '您没有调价的权限，售价请留空，由有权限的人定价',
      },
  ].filter((e) => e !== false)
}

function checked(
  call: Call,
  cells: Cells,
  names: Awaited<ReturnType<typeof known>>,
  branches: ReadonlyMap<string, string>,
): Checked<Value> {
  const errors = together(call, cells, names.codes)
  const said = readerOf(errors)
  const bc = cells.bc_id ? branches.get(cells.bc_id) : null
  if (bc === undefined) errors.push({ column: 'bc_id', text: NO_BRANCH })
  const receiver = cells.receiver_id ? said('receiver_id', names.receiver(cells.receiver_id)) : null
  const read = imported.safeParse({
    ...cells,
    bc_id: bc ?? null,
    kind: said('kind', codeOf(productKind, cells.kind!)),
    category_id: said('category_id', names.category(cells.category_id!)),
    receiver_id: receiver?.id ?? null,
    stage: said('stage', codeOf(siteStage, cells.stage!)) ?? null,
    leadDays: cells.leadDays ? Number(cells.leadDays) : null,
    ...Object.fromEntries(DECIMALS.map((name) => [name, cells[name] || null])),
  })
  if (!read.success)
    errors.push(...issuesOf(read.error).filter((e) => !errors.some((x) => x.column === e.column)))
  if (errors.length || !read.success) return { errors }
  const { price: selling, cost, ...facts } = read.data
  return {
    value: {
      facts: { ...facts, picture: null },
      receiver: receiver?.as ?? { bc: null, store: null },
      price: selling,
      cost,
    },
  }
}

export const productsImporter: Importer<Value> = {
  def: productsImport,
  keys: (c) => (c.code ? [{ column: 'code', key: `code:${c.code}` }] : []),
  async check(tx, call, rows) {
    const names = await known(tx, call.user.tenant, rows)
    const branches = await branchesOf(tx, call.user.scope)
    return rows.map((cells) => checked(call, cells, names, branches))
  },
  async store(tx, call, all) {
    const kept = new Set<string>()
    for (const id of new Set(all.map((v) => v.facts.category_id)))
      if (await categoryExists(tx, call.user.tenant, id)) kept.add(id)
    const values = all.filter((v) => kept.has(v.facts.category_id))
    const products = values.map((v) => ({ ...v.facts, id: call.newId(), receiver: v.receiver }))
    const codes = await insertProducts(tx, call.user.tenant, products)
    const from = shanghaiDay(call.now())
    await insertPrices(
      tx,
      call,
      values.flatMap((v, i) =>
        codes[i] !== null && v.price !== null
          ? [
              {
                product: products[i]!.id,
                bc: v.facts.bc_id,
                from,
                price: v.price,
                cost: v.cost,
                reason: '导入',
              },
            ]
          : [],
      ),
    )
    const stored = codes.map((code, i) =>
      code === null ? { column: 'code', text: taken(values[i]!.facts.code) } : { id: products[i]!.id },
    )
    return all.map((v) =>
      kept.has(v.facts.category_id) ? stored.shift()! : { column: 'category_id', text: '这个品类刚刚被删除' },
    )
  },
}
