import { changeStatus } from '@zhuguan/contract/features/contracts/changes.record.ts'
import { productKind } from '@zhuguan/contract/features/products/products.record.ts'
import { contractAttribute } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { attribute } from '@zhuguan/contract/features/quotations/quotations.sum.ts'

import type { Tx } from '../../database/connect.ts'
import { int2, int4, row, type RowOf, text, uuid } from '../../kit/row.ts'

const item = row({
  id: uuid,
  attribute: int2.of(attribute),
  contractAttribute: int2.of(contractAttribute),
  room: text,
  product_id: uuid.null,
  code: text,
  name: text,
  detail: text,
  unit: text,
  kind: text.of(productKind),
  stage: text.null,
  receiver_id: uuid.null,
  receiverName: text,
  pack: text.null,
  left: text,
  orderedLeft: text,
  price: text,
  packagePrice: text.null,
  removalPrice: text.null,
  leftAmount: text,
})
export type Item = RowOf<typeof item>
/** What approved changes have taken of the amount of an item `i`: removed, or put another thing in its place. */
const TAKEN_OFF = `(SELECT coalesce(sum(CASE l.attribute WHEN ${attribute.code.removed} THEN -l.amount
           ELSE round(l.priced * l.before, 2) END), 0.00)
         FROM contract_change_lines l
         JOIN contract_changes h ON h.tenant_id = $1 AND h.id = l.change_id AND h.status = ${changeStatus.code.approved}
         WHERE l.tenant_id = $1 AND l.item_id = i.id)`
/** The items of a contract now; locked with it. */
export async function itemsOf(tx: Tx, tenant: string, contract: string): Promise<Map<string, Item>> {
  const { rows } = await tx.query(
    'contracts.items',
    item,
    `SELECT i.id, i.attribute, i.contract_attribute AS "contractAttribute", i.room, i.product_id, i.code, i.name,
       i.detail, i.unit, i.kind, i.stage, i.receiver AS receiver_id, i.receiver_name AS "receiverName",
       trim_scale(i.pack)::text AS pack, trim_scale(i.left_over)::text AS left,
       trim_scale(i.ordered_left)::text AS "orderedLeft", trim_scale(i.price)::text AS price,
       trim_scale(i.package_price)::text AS "packagePrice", trim_scale(i.removal_price)::text AS "removalPrice",
       (i.amount - ${TAKEN_OFF})::text AS "leftAmount"
     FROM contract_items i
     WHERE i.tenant_id = $1 AND i.contract_id = $2`,
    [tenant, contract],
  )
  return new Map(rows.map((r) => [r.id, r]))
}

const line = row({
  id: uuid,
  attribute: int2.of(attribute),
  contractAttribute: int2.of(contractAttribute),
  item_id: uuid.null,
  product_id: uuid.null,
  code: text,
  name: text,
  detail: text,
  unit: text,
  kind: text.of(productKind),
  stage: text.null,
  receiver_id: uuid.null,
  receiverName: text,
  pack: text.null,
  quantity: text,
  waste: text,
  priced: text,
  ordered: text,
  price: text,
  before: text.null,
  cost: text.null,
  listPrice: text.null,
  amount: text,
  remark: text,
})
export type Line = RowOf<typeof line>
export async function linesOf(tx: Tx, tenant: string, change: string): Promise<Line[]> {
  const { rows } = await tx.query(
    'contracts.lines',
    line,
    `SELECT l.id, l.attribute, l.contract_attribute AS "contractAttribute", l.item_id, l.product_id, l.code, l.name,
       l.detail, l.unit, l.kind, l.stage, l.receiver AS receiver_id, l.receiver_name AS "receiverName",
       trim_scale(l.pack)::text AS pack, trim_scale(l.quantity)::text AS quantity, trim_scale(l.waste)::text AS waste,
       trim_scale(l.priced)::text AS priced, trim_scale(l.ordered)::text AS ordered, trim_scale(l.price)::text AS price,
       trim_scale(l.before)::text AS before, trim_scale(l.cost)::text AS cost,
       trim_scale(l.list_price)::text AS "listPrice", l.amount::text AS amount, l.remark
     FROM contract_change_lines l
     WHERE l.tenant_id = $1 AND l.change_id = $2
     ORDER BY l.sort`,
    [tenant, change],
  )
  return rows
}
/** The lines of a draft, all anew. */
export async function writeLines(
  tx: Tx,
  tenant: string,
  change: string,
  lines: readonly Line[],
): Promise<void> {
  await tx.run(
    'contracts.unwritelines',
    'DELETE FROM contract_change_lines l WHERE l.tenant_id = $1 AND l.change_id = $2',
    [tenant, change],
  )
  await tx.run(
    'contracts.writelines',
    `INSERT INTO contract_change_lines (tenant_id, id, change_id, sort, attribute, contract_attribute, item_id,
       product_id, code, name, detail, unit, kind, stage, receiver, receiver_name, pack, quantity, waste, priced,
       ordered, price, before, cost, list_price, amount, remark)
     SELECT $1, x.id, $2, x.sort, x.attribute, x."contractAttribute", x.item_id, x.product_id, x.code, x.name,
       x.detail, x.unit, x.kind, x.stage, x.receiver_id, x."receiverName", x.pack, x.quantity, x.waste, x.priced,
       x.ordered, x.price, x.before, x.cost, x."listPrice", x.amount, x.remark
     FROM json_to_recordset($3::json) AS x(id uuid, sort int, attribute smallint, "contractAttribute" smallint,
       item_id uuid, product_id uuid, code text, name text, detail text, unit text, kind text, stage text,
       receiver_id uuid, "receiverName" text, pack numeric, quantity numeric, waste numeric, priced numeric,
       ordered numeric, price numeric, before numeric, cost numeric, "listPrice" numeric, amount numeric, remark text)`,
    [tenant, change, JSON.stringify(lines.map((l, i) => ({ ...l, sort: i + 1 })))],
  )
}

const change = row({
  id: uuid,
  contract_id: uuid,
  code: text,
  status: int2.of(changeStatus),
  reason: text,
  amount: text,
  by_id: uuid,
  version: int4,
})
export type LockedChange = RowOf<typeof change>
export async function lockChange(tx: Tx, tenant: string, id: string): Promise<LockedChange | undefined> {
  const { rows } = await tx.query(
    'contracts.lockchange',
    change,
    `SELECT h.id, h.contract_id, h.code, h.status, h.reason, h.amount::text AS amount, h.user_id AS by_id, h.version
     FROM contract_changes h
     WHERE h.tenant_id = $1 AND h.id = $2
     FOR UPDATE`,
    [tenant, id],
  )
  return rows[0]
}

/** The part of a contract's item that an approved line takes. */
export const takeFrom = (
  tx: Tx,
  tenant: string,
  taken: { item: string; quantity: string; orderedLeft: string },
) =>
  tx.run(
    'contracts.take',
    `UPDATE contract_items i SET left_over = i.left_over - $3, ordered_left = $4
     WHERE i.tenant_id = $1 AND i.id = $2`,
    [tenant, taken.item, taken.quantity, taken.orderedLeft],
  )
/** Items that approved lines bring: each can be ordered and changed like any other. */
export const bring = (
  tx: Tx,
  tenant: string,
  of: { contract: string; change: string },
  lines: readonly (Line & { key: string; room: string })[],
) =>
  tx.run(
    'contracts.bring',
    `INSERT INTO contract_items (tenant_id, id, contract_id, change_id, sort, attribute, contract_attribute, room,
       product_id, code, name, detail, unit, kind, stage, receiver, receiver_name, pack, quantity, left_over, ordered,
       ordered_left, price, package_price, cost, amount, remark)
     SELECT $1, x.key, $2, $3, (SELECT coalesce(max(i.sort), 0) FROM contract_items i
         WHERE i.tenant_id = $1 AND i.contract_id = $2) + x.sort,
       x.attribute, x."contractAttribute", x.room, x.product_id, x.code, x.name, x.detail, x.unit, x.kind, x.stage,
       x.receiver_id, x."receiverName", x.pack, x.priced, x.priced, x.ordered, x.ordered, x.price, x.before, x.cost,
       x.amount, x.remark
     FROM json_to_recordset($4::json) AS x(key uuid, sort int, attribute smallint, "contractAttribute" smallint,
       room text, product_id uuid, code text, name text, detail text, unit text, kind text, stage text,
       receiver_id uuid, "receiverName" text, pack numeric, priced numeric, ordered numeric, price numeric,
       before numeric, cost numeric, amount numeric, remark text)`,
    [tenant, of.contract, of.change, JSON.stringify(lines.map((l, i) => ({ ...l, sort: i + 1 })))],
  )
/** The contract that a change belongs to. */
export async function contractOfChange(tx: Tx, tenant: string, id: string): Promise<string | undefined> {
  const { rows } = await tx.query(
    'contracts.ofchange',
    row({ contract_id: uuid }),
    'SELECT h.contract_id FROM contract_changes h WHERE h.tenant_id = $1 AND h.id = $2',
    [tenant, id],
  )
  return rows[0]?.contract_id
}
