import {
  type PreviewItem,
  previewItemKind,
  type PreviewRow,
  previewState,
} from '@zhuguan/contract/features/shares/previews.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int4, row, text, uuid } from '../../kit/row.ts'
import { scopedStores } from '../../kit/scoped.ts'
import { epoch } from '../../kit/statement.ts'

const COLUMNS = `v.id, v.title, v.bc_id, v.store_id, v.customer_id, k.name AS "customerName", v.made_by AS maker_id,
       v.made_name AS "makerName", v.state, (SELECT count(*)::int FROM preview_items i
         WHERE i.tenant_id = $1 AND i.preview_id = v.id AND i.dropped_at IS NULL) AS items,
       coalesce((SELECT sum(l.openings)::int FROM links l
         WHERE l.tenant_id = $1 AND l.kind = 'preview' AND l.target_id = v.id), 0) AS openings,
       ${epoch('v.changed_at')} AS "changedAt", v.version`
const FROM = 'FROM previews v JOIN customers k ON k.tenant_id = $1 AND k.id = v.customer_id'
const previewRow = {
  id: uuid,
  title: text,
  bc_id: uuid,
  store_id: uuid.null,
  customer_id: uuid,
  customerName: text,
  maker_id: uuid,
  makerName: text,
  state: text.of(previewState),
  items: int4,
  openings: int4,
  changedAt: float8,
  version: int4,
} as const
const MOST = 50

/** That links show the preview of this number, in a statement whose tenant is $1. */
export const isOut = (id: string) => `EXISTS (SELECT FROM previews p
           WHERE p.tenant_id = $1 AND p.id = ${id} AND p.state <> '${previewState.code.ended}')`
export async function previewLives(tx: Tx, tenant: string, id: string): Promise<boolean> {
  const { rows } = await tx.query('previews.lives', row({ lives: bool }), `SELECT ${isOut('$2')} AS lives`, [
    tenant,
    id,
  ])
  return rows[0]!.lives
}

/** The newest ones in reach. */
export async function previewsOf(tx: Tx, scope: Scope, customer: string | undefined): Promise<PreviewRow[]> {
  const where = scopedStores(scope, 'v').when(customer, (p) => `v.customer_id = ${p}::uuid`)
  const { rows } = await tx.query(
    'previews.list',
    row<PreviewRow>(previewRow),
    `SELECT ${COLUMNS} ${FROM} WHERE ${where.text} ORDER BY v.changed_at DESC, v.id LIMIT ${MOST}`,
    where.values,
  )
  return rows
}

export type ShownPreview = PreviewRow & { words: string; community: string; changedBy: string }
const shown = row<ShownPreview>({ ...previewRow, words: text, community: text, changedBy: text })
/** One in reach; `hold`: until the transaction ends. */
export async function previewOf(
  tx: Tx,
  scope: Scope,
  id: string,
  hold = false,
): Promise<ShownPreview | undefined> {
  const where = scopedStores(scope, 'v').add((p) => `v.id = ${p}::uuid`, id)
  const how = hold ? 'lock' : 'one'
  const { rows } = await tx.query(
    `previews.${how}`,
    shown,
    `SELECT ${COLUMNS}, v.words, k.community, v.changed_by AS "changedBy"
     ${FROM} WHERE ${where.text}${hold ? ' FOR UPDATE OF v' : ''}`,
    where.values,
  )
  return rows[0]
}

/** What still stands in it, in its order, with what is said to the customer. */
export async function itemsOf(
  tx: Tx,
  tenant: string,
  id: string,
): Promise<{ words: string; items: PreviewItem[] }> {
  const { rows } = await tx.query(
    'previews.items',
    row({ kind: text.of(previewItemKind), target_id: uuid }),
    `SELECT i.kind, i.target_id FROM preview_items i
     WHERE i.tenant_id = $1 AND i.preview_id = $2 AND i.dropped_at IS NULL
     ORDER BY i.sort, i.id`,
    [tenant, id],
  )
  const said = await tx.query(
    'previews.words',
    row({ words: text }),
    'SELECT v.words FROM previews v WHERE v.tenant_id = $1 AND v.id = $2',
    [tenant, id],
  )
  return { words: said.rows[0]?.words ?? '', items: rows }
}
/** All of them, also what fell out. */
export async function allItemsOf(tx: Tx, tenant: string, id: string) {
  const { rows } = await tx.query(
    'previews.allitems',
    row({ kind: text.of(previewItemKind), target_id: uuid, droppedFor: text }),
    `SELECT i.kind, i.target_id, i.dropped_for AS "droppedFor" FROM preview_items i
     WHERE i.tenant_id = $1 AND i.preview_id = $2
     ORDER BY i.sort, i.id`,
    [tenant, id],
  )
  return rows
}

interface NewPreview {
  id: string
  bc: string
  store: string | null
  customer: string
  title: string
  words: string
  by: { id: string; nickname: string }
}
export const insertPreview = (tx: Tx, tenant: string, v: NewPreview) =>
  tx.run(
    'previews.add',
    `INSERT INTO previews (tenant_id, id, bc_id, store_id, customer_id, title, words, made_by, made_name, made_at,
       changed_at, changed_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, :now, :now, $9)`,
    [tenant, v.id, v.bc, v.store, v.customer, v.title, v.words, v.by.id, v.by.nickname],
  )
export const updatePreview = (
  tx: Tx,
  tenant: string,
  v: { id: string; state: string; title: string; words: string; by: string },
) =>
  tx.run(
    'previews.save',
    `UPDATE previews
     SET state = $3, title = $4, words = $5, changed_at = :now, changed_by = $6, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, v.id, v.state, v.title, v.words, v.by],
  )
/** These instead of those that stood in it; what fell out and is not put in again is gone. */
export async function replaceItems(
  tx: Tx,
  tenant: string,
  preview: string,
  items: readonly (PreviewItem & { id: string })[],
): Promise<void> {
  tx.send('previews.clear', 'DELETE FROM preview_items i WHERE i.tenant_id = $1 AND i.preview_id = $2', [
    tenant,
    preview,
  ])
  for (const [sort, i] of items.entries())
    await tx.run(
      'previews.item',
      `INSERT INTO preview_items (tenant_id, id, preview_id, sort, kind, target_id) VALUES ($1, $2, $3, $4, $5, $6)`,
      [tenant, i.id, preview, sort, i.kind, i.target_id],
    )
}
/** What was sent goes along with a customer who is merged into another one. */
export const previewsToCustomer = (tx: Tx, tenant: string, from: string, into: string) =>
  tx.run(
    'previews.tocustomer',
    'UPDATE previews SET customer_id = $3, version = version + 1 WHERE tenant_id = $1 AND customer_id = $2',
    [tenant, from, into],
  )
/** Whether a link of it that still opens has no password: prices are not put behind it. */
export async function hasOpenDoor(tx: Tx, tenant: string, id: string): Promise<boolean> {
  const { rows } = await tx.query(
    'previews.opendoor',
    row({ id: uuid }),
    `SELECT l.id FROM links l
     WHERE l.tenant_id = $1 AND l.kind = 'preview' AND l.target_id = $2 AND l.revoked_at IS NULL
       AND l.expires_at > :now AND l.password IS NULL
     LIMIT 1`,
    [tenant, id],
  )
  return rows.length > 0
}

/** Cases that stand in previews that are out. */
export async function standingCases(tx: Tx, tenant: string) {
  const { rows } = await tx.query(
    'previews.standing',
    row({
      id: uuid,
      preview_id: uuid,
      target_id: uuid,
      title: text,
      previewTitle: text,
      maker_id: uuid,
      bc_id: uuid,
    }),
    `SELECT i.id, i.preview_id, i.target_id, k.title, v.title AS "previewTitle", v.made_by AS maker_id, v.bc_id
     FROM preview_items i
     JOIN previews v ON v.tenant_id = $1 AND v.id = i.preview_id AND v.state <> 'ended'
     JOIN cases k ON k.tenant_id = $1 AND k.id = i.target_id
     WHERE i.tenant_id = $1 AND i.kind = 'case' AND i.dropped_at IS NULL
     ORDER BY v.made_at, i.sort`,
    [tenant],
  )
  return rows
}
export const dropItem = (tx: Tx, tenant: string, id: string, why: string) =>
  tx.run(
    'previews.drop',
    `UPDATE preview_items i SET dropped_at = :now, dropped_for = $3
     WHERE i.tenant_id = $1 AND i.id = $2 AND i.dropped_at IS NULL`,
    [tenant, id, why],
  )
