import { roomKind } from '@zhuguan/contract/features/packages/packages.record.ts'
import { productKind } from '@zhuguan/contract/features/products/products.record.ts'
import {
  contractAttribute,
  type DiscountFacts,
  discountKind,
  type QuotationLine,
  type RoomFacts,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { attribute } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Tx } from '../../database/connect.ts'
import { bool, int2, row, text, uuid } from '../../kit/row.ts'

/** A line as it is kept: with its cost, which not everybody may read. */
export type KeptLine = Omit<QuotationLine, 'sold'> & { costAmount: string | null }
export interface Content {
  rooms: RoomFacts[]
  lines: KeptLine[]
  discounts: DiscountFacts[]
}

const plain = (column: string, name: string) => `trim_scale(${column})::text AS "${name}"`
/** All that stands in a version. */
export async function contentOf(tx: Tx, tenant: string, version: string): Promise<Content> {
  const rooms = await tx.query(
    'quotations.rooms',
    row<RoomFacts>({
      id: uuid,
      name: text,
      kind: text.of(roomKind),
      floor: text,
      perimeter: text,
      height: text,
      openings: text,
    }),
    `SELECT r.id, r.name, r.kind, ${plain('r.floor', 'floor')}, ${plain('r.perimeter', 'perimeter')},
       ${plain('r.height', 'height')}, ${plain('r.openings', 'openings')}
     FROM quotation_rooms r
     WHERE r.tenant_id = $1 AND r.version_id = $2
     ORDER BY r.sort`,
    [tenant, version],
  )
  const lines = await tx.query(
    'quotations.lines',
    row<KeptLine>({
      id: uuid,
      room_id: uuid.null,
      attribute: int2.of(attribute),
      contractAttribute: int2.of(contractAttribute),
      item_id: uuid.null,
      product_id: uuid.null,
      code: text,
      name: text,
      detail: text,
      unit: text,
      kind: text.of(productKind),
      stage: text.of(siteStage).null,
      receiver_id: uuid.null,
      receiverName: text,
      quantity: text,
      waste: text,
      price: text,
      pack: text.null,
      listPrice: text.null,
      packagePrice: text.null,
      removalPrice: text.null,
      cost: text.null,
      counts: bool,
      remark: text,
      priced: text,
      ordered: text,
      amount: text,
      costAmount: text.null,
    }),
    `SELECT l.id, l.room_id, l.attribute, l.contract_attribute AS "contractAttribute", l.item_id, l.product_id, l.code,
       l.name, l.detail, l.unit, l.kind, l.stage, l.supplier_id AS receiver_id, l.supplier_name AS "receiverName",
       ${plain('l.quantity', 'quantity')}, ${plain('l.waste', 'waste')}, ${plain('l.price', 'price')},
       ${plain('l.pack', 'pack')}, ${plain('l.list_price', 'listPrice')},
       ${plain('l.package_price', 'packagePrice')}, ${plain('l.removal_price', 'removalPrice')},
       ${plain('l.cost', 'cost')}, l.counts, l.remark, ${plain('l.priced', 'priced')},
       ${plain('l.ordered', 'ordered')}, l.amount::text, l.cost_amount::text AS "costAmount"
     FROM quotation_lines l
     WHERE l.tenant_id = $1 AND l.version_id = $2
     ORDER BY l.sort`,
    [tenant, version],
  )
  const discounts = await tx.query(
    'quotations.discounts',
    row<DiscountFacts>({ id: uuid, kind: text.of(discountKind), amount: text, reason: text }),
    `SELECT d.id, d.kind, ${plain('d.amount', 'amount')}, d.reason
     FROM quotation_discounts d
     WHERE d.tenant_id = $1 AND d.version_id = $2
     ORDER BY d.sort`,
    [tenant, version],
  )
  return { rooms: rooms.rows, lines: lines.rows, discounts: discounts.rows }
}

const LINE: [column: string, type: string, field: keyof KeptLine][] = [
  ['room_id', 'uuid', 'room_id'],
  ['attribute', 'smallint', 'attribute'],
  ['contract_attribute', 'smallint', 'contractAttribute'],
  ['item_id', 'uuid', 'item_id'],
  ['product_id', 'uuid', 'product_id'],
  ['code', 'text', 'code'],
  ['name', 'text', 'name'],
  ['detail', 'text', 'detail'],
  ['unit', 'text', 'unit'],
  ['kind', 'text', 'kind'],
  ['stage', 'text', 'stage'],
  ['supplier_id', 'uuid', 'receiver_id'],
  ['supplier_name', 'text', 'receiverName'],
  ['quantity', 'numeric', 'quantity'],
  ['waste', 'numeric', 'waste'],
  ['price', 'numeric', 'price'],
  ['pack', 'numeric', 'pack'],
  ['list_price', 'numeric', 'listPrice'],
  ['package_price', 'numeric', 'packagePrice'],
  ['removal_price', 'numeric', 'removalPrice'],
  ['cost', 'numeric', 'cost'],
  ['counts', 'boolean', 'counts'],
  ['remark', 'text', 'remark'],
  ['priced', 'numeric', 'priced'],
  ['ordered', 'numeric', 'ordered'],
  ['amount', 'numeric', 'amount'],
  ['cost_amount', 'numeric', 'costAmount'],
]
const ROOM = ['name', 'kind', 'floor', 'perimeter', 'height', 'openings'].map(
  (name, i) => [name, i < 2 ? 'text' : 'numeric', name] as const,
)
const DISCOUNT = ['kind', 'amount', 'reason'].map(
  (name) => [name, name === 'amount' ? 'numeric' : 'text', name] as const,
)
type Fields = readonly (readonly [column: string, type: string, field: string])[]

/** Rows of a version as they should be; those that already are so are not written again. */
function written(fields: Fields): string {
  const all = ['sort', ...fields.map(([column]) => column)]
  const of = (alias: string) => all.map((column) => `${alias}.${column}`).join(', ')
  return `(tenant_id, version_id, id, ${all.join(', ')})
     SELECT $1, $2, x.id, x.sort, ${fields.map(([, , field]) => `x."${field}"`).join(', ')}
     FROM json_to_recordset($3::json) AS x(id uuid, sort int,
       ${fields.map(([, type, field]) => `"${field}" ${type}`).join(', ')})
     ON CONFLICT (tenant_id, version_id, id) DO UPDATE
     SET (${all.join(', ')}) = ROW(${of('excluded')})
     WHERE (${of('t')}) IS DISTINCT FROM (${of('excluded')})`
}
const GONE = 'WHERE tenant_id = $1 AND version_id = $2 AND id <> ALL ($3::uuid[])'
export async function writeContent(
  tx: Tx,
  tenant: string,
  version: string,
  { rooms, lines, discounts }: Content,
): Promise<void> {
  const ids = (list: readonly { id: string }[]) => [tenant, version, list.map((one) => one.id)]
  const rows = (list: readonly object[]) => [
    tenant,
    version,
    JSON.stringify(list.map((one, sort) => ({ ...one, sort }))),
  ]
  await tx.run('quotations.unrooms', `DELETE FROM quotation_rooms ${GONE}`, ids(rooms))
  await tx.run('quotations.unlines', `DELETE FROM quotation_lines ${GONE}`, ids(lines))
  await tx.run('quotations.undiscounts', `DELETE FROM quotation_discounts ${GONE}`, ids(discounts))
  await tx.run('quotations.writerooms', `INSERT INTO quotation_rooms AS t ${written(ROOM)}`, rows(rooms))
  await tx.run('quotations.writelines', `INSERT INTO quotation_lines AS t ${written(LINE)}`, rows(lines))
  await tx.run(
    'quotations.writediscounts',
    `INSERT INTO quotation_discounts AS t ${written(DISCOUNT)}`,
    rows(discounts),
  )
}

/** All of one version once more in another. */
export async function copyContent(tx: Tx, tenant: string, from: string, to: string): Promise<void> {
  const columns = (fields: Fields) => ['id', 'sort', ...fields.map(([column]) => column)].join(', ')
  const copied = (fields: Fields) => `(tenant_id, version_id, ${columns(fields)})
     SELECT $1, $3, ${columns(fields)}`
  const OF = 'o WHERE o.tenant_id = $1 AND o.version_id = $2'
  const ids = [tenant, from, to]
  await tx.run(
    'quotations.copyrooms',
    `INSERT INTO quotation_rooms ${copied(ROOM)} FROM quotation_rooms ${OF}`,
    ids,
  )
  await tx.run(
    'quotations.copylines',
    `INSERT INTO quotation_lines ${copied(LINE)} FROM quotation_lines ${OF}`,
    ids,
  )
  await tx.run(
    'quotations.copydiscounts',
    `INSERT INTO quotation_discounts ${copied(DISCOUNT)} FROM quotation_discounts ${OF}`,
    ids,
  )
}
