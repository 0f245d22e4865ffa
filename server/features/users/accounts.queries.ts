import type { accountsApi } from '@zhuguan/contract/features/users/accounts.api.ts'
import type { AccountRow } from '@zhuguan/contract/features/users/accounts.record.ts'
import { principalPost, userStatus } from '@zhuguan/contract/features/users/users.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'
import { maskPhone } from '@zhuguan/contract/kit/masked.ts'

import type { Tx } from '../../database/connect.ts'
import { phoneText } from '../../kit/masked.ts'
import { bool, float8, int2, int4, json, row, text, texts, uuid } from '../../kit/row.ts'
import { hasBranch, reaching } from '../../kit/scoped.ts'
import type { SessionUser } from '../../kit/serve.ts'
import { awaySaid } from '../../kit/standing-in.ts'
import { epoch, contains, pageJson, type PageOf, Where } from '../../kit/statement.ts'
import { overHolder, type RoleGrant, roleGrants } from '../roles/roles.reads.ts'

type Filters = QueryOf<(typeof accountsApi)['list']>
/** As it is kept: whole phone number, branches as ids. */
export interface Account extends Omit<AccountRow, 'why'> {
  introduction: string
  branchIds: string[]
}

const columnsWith = (
  phone: string,
) => `u.id, u.user_name AS "userName", u.nickname, ${phone} AS phone, u.introduction, u.bc_id,
  coalesce(c.bc_name, '') AS bc_name, u.post, u.status, ${awaySaid('u.tenant_id', 'u.id')} AS away,
  ${epoch('u.last_login')} AS "lastLogin", u.must_change AS "mustChange", u.totp IS NOT NULL AS totp, u.version,
  coalesce((SELECT json_agg(json_build_object('id', t.id, 'name', t.name) ORDER BY t.name)
    FROM user_stores us
    JOIN stores t ON t.tenant_id = us.tenant_id AND t.id = us.store_id
    WHERE us.tenant_id = u.tenant_id AND us.user_id = u.id), '[]'::json) AS stores,
  coalesce((SELECT json_agg(json_build_object('id', r.id, 'name', r.name) ORDER BY r.name)
    FROM user_roles ur
    JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id
    WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id), '[]'::json) AS roles,
  (SELECT count(*)::int FROM sessions s
    WHERE s.tenant_id = u.tenant_id AND s.user_id = u.id AND s.revoked_at IS NULL AND s.expires_at > :now) AS sessions,
  ARRAY(SELECT b.bc_id::text FROM user_branches b
    WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id AND b.bc_id IS DISTINCT FROM u.bc_id) AS "branchIds"`
const JOINS = 'LEFT JOIN companies c ON c.tenant_id = u.tenant_id AND c.bc_id = u.bc_id'
export const ACCOUNTS_FROM = `users u ${JOINS}`

/** Accounts of the caller's branches; whoever sees single sites only sees their own account. */
export const accountScope = ({ scope, id }: SessionUser): Where =>
  reaching(scope, 'u', {
    branch: (p) => `u.bc_id = ANY(${p}::uuid[])`,
    site: (p) => `u.id = ${p}::uuid`,
    own: id,
  }).plain('u.deleted_at IS NULL')

export const accountWhere = (user: SessionUser, q: Filters): Where =>
  accountScope(user)
    .when(q.keyword || undefined, (p) => `(u.user_name ILIKE ${p} OR u.nickname ILIKE ${p})`, contains)
    .when(q.bc_id, (p) => `u.bc_id = ANY(${p}::uuid[])`)
    .when(
      q.role_id,
      (p) =>
        `EXISTS (SELECT 1 FROM user_roles f WHERE f.tenant_id = u.tenant_id AND f.user_id = u.id
             AND f.role_id = ANY(${p}::uuid[]))`,
    )
    .when(q.post, (p) => `u.post = ANY(${p}::smallint[])`)
    .when(q.status, (p) => `u.status = ${p}::smallint`)

/** Lists and files have the middle of a phone number hidden; the whole one comes with the details. */
export const accountPage = (user: SessionUser, q: Filters): PageOf => ({
  name: 'accounts.page',
  columns: columnsWith(phoneText('u.phone', false)),
  base: 'users u',
  joins: JOINS,
  where: accountWhere(user, q),
  sort: q.sort,
  otherwise: 'u.status, u.user_name',
  tie: 'u.id',
  sortable: {
    userName: 'u.user_name',
    nickname: 'u.nickname COLLATE "zh-x-icu"',
    lastLogin: 'u.last_login',
    status: 'u.status',
  },
  filled: ['userName', 'nickname', 'status'],
  pageNo: q.pageNo,
  pageSize: q.pageSize,
})

/** The reason why the caller may not change this account. */
export function accountRefusal(
  user: SessionUser,
  account: Account,
  grants: Map<string, RoleGrant>,
): string | undefined {
  if (account.id === user.id) return '自己的账号请在右上角修改，角色由其他管理员调整'
  if (account.branchIds.some((b) => !hasBranch(user.scope, b)))
    return '这个账号还兼管其他分公司，请由集团的管理员修改'
  return overHolder(
    user,
    account.roles.flatMap((r) => grants.get(r.id) ?? []),
  )
}

export async function accountsPage(
  tx: Tx,
  user: SessionUser,
  q: Filters,
): Promise<{ list: AccountRow[]; pageNo: number; pageSize: number; totalCount: number }> {
  const grants = await roleGrants(tx, user.tenant)
  const page = JSON.parse((await pageJson(tx, accountPage(user, q))).text) as {
    list: Account[]
    pageNo: number
    pageSize: number
    totalCount: number
  }
  return {
    ...page,
    list: page.list.map((a) => ({
      ...a,
      phone: maskPhone(a.phone),
      why: accountRefusal(user, a, grants) ?? null,
    })),
  }
}

/** One account inside the caller's reach, `lock`ed when it is going to change. */
export async function oneAccount(
  tx: Tx,
  user: SessionUser,
  id: string,
  lock: boolean,
): Promise<Account | undefined> {
  const where = accountScope(user).add((p) => `u.id = ${p}::uuid`, id)
  const verb = lock ? 'lock' : 'one'
  return (
    await tx.query(
      `accounts.${verb}`,
      row<Account>({
        id: uuid,
        userName: text,
        nickname: text,
        phone: text,
        introduction: text,
        bc_id: uuid.null,
        bc_name: text,
        post: int2.of(principalPost).null,
        status: int2.of(userStatus),
        away: text,
        lastLogin: float8.null,
        mustChange: bool,
        totp: bool,
        version: int4,
        stores: json<{ id: string; name: string }[]>(),
        roles: json<{ id: string; name: string }[]>(),
        sessions: int4,
        branchIds: texts,
      }),
      `SELECT ${columnsWith('u.phone')} FROM ${ACCOUNTS_FROM} WHERE ${where.text}${lock ? ' FOR UPDATE OF u' : ''}`,
      where.values,
    )
  ).rows[0]
}

/** Sessions are named by a piece of their hash: enough to end one, useless to take it over. */
export const openSessions = async (tx: Tx, user: SessionUser, id: string) =>
  (
    await tx.query(
      'accounts.sessions',
      row({ key: text, openedAt: float8, expiresAt: float8, ip: text, agent: text, current: bool }),
      `SELECT left(encode(s.token_hash, 'hex'), 16) AS key, ${epoch('s.created_at')} AS "openedAt",
         ${epoch('s.expires_at')} AS "expiresAt", s.ip, s.agent, s.token_hash = $3 AS current
       FROM sessions s
       WHERE s.tenant_id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > :now
       ORDER BY s.created_at DESC
       LIMIT 100`,
      [user.tenant, id, user.tokenHash],
    )
  ).rows
export const endSessions = async (tx: Tx, tenant: string, id: string, key?: string): Promise<number> =>
  (
    await tx.run(
      'accounts.end',
      `UPDATE sessions
       SET revoked_at = :now
       WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL
         AND ($3::text IS NULL OR left(encode(token_hash, 'hex'), 16) = $3)`,
      [tenant, id, key ?? null],
    )
  ).rowCount ?? 0
