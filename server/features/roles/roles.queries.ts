import type { rolesApi } from '@zhuguan/contract/features/roles/roles.api.ts'
import {
  type RoleDetail,
  type RoleRow,
  dataScope,
  roleStatus,
} from '@zhuguan/contract/features/roles/roles.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { bool, int2, int4, json, row, text, texts, uuid } from '../../kit/row.ts'
import { whole } from '../../kit/scoped.ts'
import type { SessionUser } from '../../kit/serve.ts'
import { contains, type PageOf, Where } from '../../kit/statement.ts'

const HOLDERS = `(SELECT count(*)::int FROM user_roles ur JOIN users u ON u.tenant_id = ur.tenant_id AND u.id = ur.user_id
       AND u.deleted_at IS NULL WHERE ur.tenant_id = r.tenant_id AND ur.role_id = r.id)`
const columns = (own: string) => `r.id, r.code, r.name, r.data_scope AS "dataScope", r.remark,
  trim_scale(r.round_off)::text AS "roundOff", trim_scale(r.give_percent)::text AS "givePercent", r.status,
  ${HOLDERS} AS users, (SELECT count(*)::int FROM role_pages rp WHERE rp.tenant_id = r.tenant_id AND rp.role_id = r.id) AS pages,
  (SELECT count(*)::int FROM role_powers w WHERE w.tenant_id = r.tenant_id AND w.role_id = r.id) AS powers, EXISTS (SELECT 1 FROM user_roles m WHERE m.tenant_id = r.tenant_id AND m.role_id = r.id AND m.user_id = ${own}::uuid) AS own, r.version`
export function rolePage(user: SessionUser, q: QueryOf<(typeof rolesApi)['list']>): PageOf {
  const where = new Where()
    .add((p) => `r.tenant_id = ${p}::uuid`, user.tenant)
    // Asked for by the columns too: which roles are the caller's own.
    .add((p) => `${p}::uuid IS NOT NULL`, user.id)
    .when(
      q.keyword || undefined,
      (p) => `(r.name ILIKE ${p} OR r.code ILIKE ${p} OR r.remark ILIKE ${p})`,
      contains,
    )
    .when(q.dataScope, (p) => `r.data_scope = ANY(${p}::text[])`)
    .when(q.status, (p) => `r.status = ${p}::smallint`)
  return {
    name: 'roles.page',
    columns: columns('$2'),
    base: 'roles r',
    joins: '',
    where,
    sort: q.sort,
    otherwise: 'r.data_scope DESC, r.code',
    tie: 'r.id',
    sortable: { name: 'r.name COLLATE "zh-x-icu"', code: 'r.code', users: HOLDERS },
    filled: ['name', 'code', 'users'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

export async function roleDetail(tx: Tx, user: SessionUser, id: string): Promise<RoleDetail | undefined> {
  const { rows } = await tx.query(
    'roles.detail',
    row<RoleRow & { pageIds: string[]; labels: string[]; people: RoleDetail['people'] }>({
      id: uuid,
      code: text,
      name: text,
      dataScope: text.of(dataScope),
      remark: text,
      roundOff: text,
      givePercent: text,
      status: int2.of(roleStatus),
      users: int4,
      pages: int4,
      powers: int4,
      own: bool,
      version: int4,
      pageIds: texts,
      labels: texts,
      people: json<RoleDetail['people']>(),
    }),
    `SELECT ${columns('$3')}, ARRAY(SELECT rp.page_id::text FROM role_pages rp WHERE rp.tenant_id = r.tenant_id AND rp.role_id = r.id) AS "pageIds", ARRAY(SELECT w.label FROM role_powers w WHERE w.tenant_id = r.tenant_id AND w.role_id = r.id ORDER BY w.label) AS labels,
      coalesce((SELECT json_agg(json_build_object('id', u.id, 'nickname', u.nickname, 'userName', u.user_name, 'bc_name', coalesce(c.bc_name, '')) ORDER BY u.user_name) FROM user_roles ur JOIN users u ON u.tenant_id = ur.tenant_id AND u.id = ur.user_id AND u.deleted_at IS NULL
        LEFT JOIN companies c ON c.tenant_id = u.tenant_id AND c.bc_id = u.bc_id WHERE ur.tenant_id = r.tenant_id AND ur.role_id = r.id AND ($4::uuid[] IS NULL OR u.bc_id = ANY ($4))), '[]'::json) AS people
     FROM roles r WHERE r.tenant_id = $1 AND r.id = $2`,
    [user.tenant, id, user.id, whole(user.scope) ? null : (user.scope.bcs ?? [])],
  )
  return rows[0]
}

export const lockRole = async (tx: Tx, tenant: string, id: string) =>
  (
    await tx.query(
      'roles.lock',
      row({
        id: uuid,
        code: text,
        name: text,
        version: int4,
        status: int2,
        remark: text,
        roundOff: text,
        givePercent: text,
      }),
      `SELECT id, code, name, version, status, remark, trim_scale(round_off)::text AS "roundOff",
         trim_scale(give_percent)::text AS "givePercent"
       FROM roles WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
      [tenant, id],
    )
  ).rows[0]
