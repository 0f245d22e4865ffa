import type { NamedView } from '@zhuguan/contract/features/views/views.api.ts'

import type { Tx } from '../../database/connect.ts'
import { LOCKS } from '../../database/locks.ts'
import { found, invalid, Refused } from '../../kit/refuse.ts'
import { jsonb, row, text, uuid } from '../../kit/row.ts'

type Holder = { tenant: string; id: string }
const MAX_VIEWS = 200

export async function readView(tx: Tx, user: Holder, name: string): Promise<Record<string, unknown> | null> {
  const { rows } = await tx.query(
    'views.get',
    row({ value: jsonb<Record<string, unknown>>() }),
    'SELECT value FROM saved_views WHERE tenant_id = $1 AND user_id = $2 AND name = $3',
    [user.tenant, user.id, name],
  )
  return rows[0]?.value ?? null
}

export async function allViews(tx: Tx, user: Holder): Promise<Record<string, Record<string, unknown>>> {
  const { rows } = await tx.query(
    'views.all',
    row({ name: text, value: jsonb<Record<string, unknown>>() }),
    'SELECT name, value FROM saved_views WHERE tenant_id = $1 AND user_id = $2',
    [user.tenant, user.id],
  )
  return Object.fromEntries(rows.map((r) => [r.name, r.value]))
}

/** A person's own layout is not business data: it is kept, and not logged. */
export async function writeView(
  tx: Tx,
  user: Holder,
  name: string,
  value: Record<string, unknown>,
): Promise<void> {
  const { rowCount } = await tx.run(
    'views.save',
    `INSERT INTO saved_views (tenant_id, user_id, name, value) SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM saved_views WHERE tenant_id = $1 AND user_id = $2 AND name <> $3) < ${MAX_VIEWS}
     ON CONFLICT (tenant_id, user_id, name) DO UPDATE SET value = excluded.value`,
    [user.tenant, user.id, name, JSON.stringify(value)],
  )
  if (rowCount !== 1) throw new Refused('保存的视图太多了')
}

const MAX_NAMED = 30
const sameTitle = () => invalid('title', '已经有同名的视图，请换一个名字')

export const namedViews = async (tx: Tx, user: Holder, page: string): Promise<NamedView[]> =>
  (
    await tx.query(
      'views.named',
      row<NamedView>({ id: uuid, title: text, search: text }),
      'SELECT id, title, search FROM named_views WHERE tenant_id = $1 AND user_id = $2 AND page = $3 ORDER BY at',
      [user.tenant, user.id, page],
    )
  ).rows

export async function keepNamed(
  tx: Tx,
  user: Holder,
  id: string,
  view: { page: string; title: string; search: string },
): Promise<string> {
  // One after the other: counted at once, each would find room for itself.
  tx.send('views.turn', 'SELECT pg_advisory_xact_lock($1::int, hashtext($2))', [LOCKS.views, user.id])
  const kept = await namedViews(tx, user, view.page)
  if (kept.some((v) => v.title === view.title)) throw sameTitle()
  if (kept.length >= MAX_NAMED) throw new Refused(`一个页面最多保存 ${MAX_NAMED} 个视图，请先删除不用的`)
  const { rowCount } = await tx.run(
    'views.keep',
    `INSERT INTO named_views (tenant_id, id, user_id, page, title, search, at)
     VALUES ($1, $2, $3, $4, $5, $6, :now)
     ON CONFLICT (tenant_id, user_id, page, title)
     DO NOTHING`,
    [user.tenant, id, user.id, view.page, view.title, view.search],
  )
  if (rowCount !== 1) throw sameTitle()
  return id
}

export async function changeNamed(
  tx: Tx,
  user: Holder,
  change: { id: string; title?: string | undefined; search?: string | undefined },
): Promise<void> {
  const key = [user.tenant, user.id, change.id]
  const { page } = found(
    (
      await tx.query(
        'views.one',
        row({ page: text }),
        'SELECT page FROM named_views WHERE tenant_id = $1 AND user_id = $2 AND id = $3 FOR UPDATE',
        key,
      )
    ).rows[0],
  )
  if (
    change.title &&
    (await namedViews(tx, user, page)).some((v) => v.title === change.title && v.id !== change.id)
  )
    throw sameTitle()
  await tx.run(
    'views.change',
    `UPDATE named_views
     SET title = coalesce($4, title), search = coalesce($5, search)
     WHERE tenant_id = $1 AND user_id = $2 AND id = $3`,
    [...key, change.title ?? null, change.search ?? null],
  )
}

export async function dropNamed(tx: Tx, user: Holder, id: string): Promise<void> {
  const { rowCount } = await tx.run(
    'views.drop',
    'DELETE FROM named_views WHERE tenant_id = $1 AND user_id = $2 AND id = $3',
    [user.tenant, user.id, id],
  )
  found(rowCount || undefined)
}
