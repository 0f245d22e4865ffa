import { widest } from '@zhuguan/contract/features/roles/roles.record.ts'
import type { accountsApi } from '@zhuguan/contract/features/users/accounts.api.ts'
import type { AccountDetail } from '@zhuguan/contract/features/users/accounts.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { found, invalid, outside, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import { row, text, there, uuid } from '../../kit/row.ts'
import { hasBranch, whole } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { administratorsTakeTurns, keepAnAdministrator, overReach, roleGrants } from '../roles/roles.reads.ts'
import { tellAccess } from '../session/access.service.ts'
import { forgetIdentities } from '../session/identities.service.ts'
import { firstPassword, protect, travelling } from '../session/passwords.service.ts'
import { tellAbsent } from './absences.service.ts'
import { type Account, accountRefusal, endSessions, oneAccount, openSessions } from './accounts.queries.ts'
import { type Handing, handOn, heldBy, type WorkDeps } from './open-work.service.ts'

export type AccountFacts = BodyOf<(typeof accountsApi)['add']>
interface One {
  id: string
  version: number
}
const DISABLED = 2

export async function accountDetail(tx: Tx, call: Call, id: string): Promise<AccountDetail> {
  const account = found(await oneAccount(tx, call.user, id, false))
  const why = accountRefusal(call.user, account, await roleGrants(tx, call.user.tenant)) ?? null
  const { rows } = await tx.query(
    'accounts.branches',
    row({ bc_id: uuid, bc_name: text }),
    'SELECT bc_id, bc_name FROM companies WHERE tenant_id = $1 AND bc_id = ANY ($2) ORDER BY sort, bc_name',
    [call.user.tenant, account.branchIds],
  )
  return { ...account, why, branches: rows, openSessions: await openSessions(tx, call.user, id) }
}

/** Where a person belongs and what they may do, checked against what the caller may give. */
export async function checkFacts(
  tx: Tx,
  call: Call,
  f: AccountFacts,
): Promise<{ branches: string[]; stores: string[]; roles: string[] }> {
  const { tenant, scope } = call.user
  const branches = [...new Set([...(f.bc_id ? [f.bc_id] : []), ...(f.branches ?? [])])]
  const stores = [...new Set(f.stores ?? [])]
  const roles = [...new Set(f.roles ?? [])]
  if (!scope.bcs && !whole(scope)) throw outside()
  if (branches.some((b) => !hasBranch(scope, b))) throw outside()
  if (!f.bc_id && !whole(scope)) throw invalid('bc_id', '请选择分公司')
  if (
    branches.length &&
    (
      await tx.query(
        'accounts.ofbranches',
        there,
        'SELECT 1 FROM companies WHERE tenant_id = $1 AND bc_id = ANY ($2)',
        [tenant, branches],
      )
    ).rows.length !== branches.length
  )
    throw outside()
  const places = (
    await tx.query(
      'accounts.ofstores',
      row({ bc_id: uuid }),
      'SELECT bc_id FROM stores WHERE tenant_id = $1 AND id = ANY ($2)',
      [tenant, stores],
    )
  ).rows
  if (places.length !== stores.length) throw outside()
  if (places.some((p) => !branches.includes(p.bc_id))) throw invalid('stores', '门店不在所选的分公司里')
  if (roles.length === 0) throw invalid('roles', '请至少选择一个角色')
  const grants = await roleGrants(tx, tenant)
  const chosen = roles.map((id) => found(grants.get(id)))
  refuse(overReach(call.user, chosen), 403)
  const reach = widest(chosen.map((role) => role.dataScope))
  if (reach !== 'tenant' && !f.bc_id) throw invalid('bc_id', '这个角色只看得到所属分公司的数据，请选择分公司')
  if (reach === 'stores' && chosen.every((r) => r.dataScope === 'stores') && stores.length === 0)
    throw invalid('stores', '这个角色只看得到所属门店的数据，请选择门店')
  return { branches, stores, roles }
}

async function place(
  tx: Tx,
  tenant: string,
  id: string,
  p: { branches: string[]; stores: string[]; roles: string[] },
): Promise<void> {
  for (const [table, column, ids] of [
    ['user_branches', 'bc_id', p.branches],
    ['user_stores', 'store_id', p.stores],
    ['user_roles', 'role_id', p.roles],
  ] as const) {
    await tx.run(`accounts.drop.${table}`, `DELETE FROM ${table} WHERE tenant_id = $1 AND user_id = $2`, [
      tenant,
      id,
    ])
    await tx.run(
      `accounts.add.${table}`,
      `INSERT INTO ${table} (tenant_id, user_id, ${column}) SELECT $1, $2, unnest($3::uuid[])`,
      [tenant, id, ids],
    )
  }
}
const named = (a: Account) => ({
  userName: a.userName,
  nickname: a.nickname,
  bc_name: a.bc_name,
  stores: a.stores.map((s) => s.name),
  roles: a.roles.map((r) => r.name),
  post: a.post,
  status: a.status,
})

export async function addAccount(
  tx: Tx,
  call: Call,
  f: AccountFacts,
): Promise<{ id: string; password: string }> {
  const { tenant } = call.user
  const places = await checkFacts(tx, call, f)
  const password = firstPassword()
  const id = call.newId()
  // One account name names one person in the whole installation (docs/decisions/0181): one that is taken is not written.
  const { rowCount } = await tx.run(
    'accounts.add',
    `INSERT INTO users (tenant_id, id, user_name, nickname, phone, bc_id, post, password, must_change)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, true)`,
    [
      tenant,
      id,
      f.userName,
      f.nickname,
      f.phone,
      f.bc_id ?? null,
      f.post ?? null,
      await protect(travelling(password)),
    ],
  )
  if (rowCount !== 1) throw invalid('userName', '这个账号已经有人用了')
  await place(tx, tenant, id, places)
  await call.log(tx, {
    action: '新增用户',
    object: 'user',
    objectId: id,
    after: named(found(await oneAccount(tx, call.user, id, false))),
  })
  return { id, password }
}

/** Who was named to take over is somebody whom the caller sees. */
async function seesAll(tx: Tx, call: Call, { successors }: Handing): Promise<void> {
  for (const { user_id } of successors) found(await oneAccount(tx, call.user, user_id, false))
}

/** The account, locked, if the caller may change it. */
async function changeable(tx: Tx, call: Call, { id, version }: One): Promise<Account> {
  await administratorsTakeTurns(tx, call.user.tenant)
  const account = found(await oneAccount(tx, call.user, id, true))
  unlessSeen(account, version, '个账号')
  refuse(accountRefusal(call.user, account, await roleGrants(tx, call.user.tenant)))
  return account
}

/** Somebody does other things from now on, or elsewhere. */
function isMoved(
  was: Account,
  now: AccountFacts,
  places: { branches: string[]; stores: string[]; roles: string[] },
): boolean {
  const differ = (before: readonly string[], after: readonly string[]) =>
    before.length !== after.length || before.some((one) => !after.includes(one))
  const branches = new Set([...(was.bc_id ? [was.bc_id] : []), ...was.branchIds])
  return (
    was.post !== (now.post ?? null) ||
    was.bc_id !== (now.bc_id ?? null) ||
    differ([...branches], places.branches) ||
    differ(
      was.stores.map((s) => s.id),
      places.stores,
    ) ||
    differ(
      was.roles.map((r) => r.id),
      places.roles,
    )
  )
}

export async function editAccount(
  tx: Tx,
  call: Call,
  deps: WorkDeps,
  f: AccountFacts & One & Handing,
): Promise<void> {
  const { tenant } = call.user
  const before = await changeable(tx, call, f)
  await seesAll(tx, call, f)
  const held = await heldBy(tx, tenant, deps, before)
  const places = await checkFacts(tx, call, f)
  if (
    (
      await tx.query(
        'accounts.taken',
        there,
        'SELECT 1 FROM users WHERE tenant_id = $1 AND lower(user_name) = lower($2) AND id <> $3 AND deleted_at IS NULL',
        [tenant, f.userName, f.id],
      )
    ).rows.length
  )
    throw invalid('userName', '这个账号已经有人用了')
  try {
    await tx.run(
      'accounts.edit',
      `UPDATE users
       SET user_name = $3, nickname = $4, phone = $5, bc_id = $6, post = $7, version = version + 1
       WHERE tenant_id = $1 AND id = $2`,
      [tenant, f.id, f.userName, f.nickname, f.phone, f.bc_id ?? null, f.post ?? null],
    )
  } catch (error) {
    if ((error as { code?: string }).code === '23505') throw invalid('userName', '这个账号已经有人用了')
    throw error
  }
  await place(tx, tenant, f.id, places)
  await keepAnAdministrator(tx, tenant)
  // A role, a post or a branch that is another now is the same door as an account that is stopped.
  const handed =
    before.status !== DISABLED && isMoved(before, f, places)
      ? await handOn(tx, call, deps, before, f, held)
      : []
  const after = found(await oneAccount(tx, call.user, f.id, false))
  await call.log(tx, {
    action: '编辑用户',
    object: 'user',
    objectId: f.id,
    before: named(before),
    after: {
      ...named(after),
      ...(before.phone === after.phone ? {} : { phone: '已修改' }),
      ...(handed.length ? { handed } : {}),
    },
  })
  tellAccess(tx, call)
}

export async function setState(
  tx: Tx,
  call: Call,
  deps: WorkDeps,
  one: One & Handing & { status: number },
): Promise<void> {
  const { tenant } = call.user
  const account = await changeable(tx, call, one)
  if (account.status === one.status)
    throw new Refused(one.status === DISABLED ? '这个账号已经停用' : '这个账号已经启用')
  const isStopped = one.status === DISABLED
  await seesAll(tx, call, one)
  const held = isStopped ? await heldBy(tx, tenant, deps, account) : []
  await tx.run(
    'accounts.state',
    'UPDATE users SET status = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [tenant, one.id, one.status],
  )
  if (isStopped) await endSessions(tx, tenant, one.id)
  await keepAnAdministrator(tx, tenant)
  const handed = isStopped ? await handOn(tx, call, deps, account, one, held) : []
  if (isStopped) await tellAbsent(tx, call, account)
  await call.log(tx, {
    action: one.status === DISABLED ? '停用用户' : '启用用户',
    object: 'user',
    objectId: one.id,
    before: { status: account.status },
    after: { status: one.status, ...(handed.length ? { handed } : {}) },
  })
  tellAccess(tx, call)
}

/** What somebody had open goes to others; what they did stays under their name. */
export async function deleteAccount(
  tx: Tx,
  call: Call,
  deps: WorkDeps,
  one: One & Handing & { reason: string },
): Promise<void> {
  const { tenant } = call.user
  const account = await changeable(tx, call, one)
  await seesAll(tx, call, one)
  const held = account.status === DISABLED ? [] : await heldBy(tx, tenant, deps, account)
  await tx.run(
    'accounts.del',
    'UPDATE users SET deleted_at = :now, status = 2, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [tenant, one.id],
  )
  await endSessions(tx, tenant, one.id)
  await keepAnAdministrator(tx, tenant)
  const handed = await handOn(tx, call, deps, account, one, held)
  await tellAbsent(tx, call, account)
  await call.log(tx, {
    action: '删除用户',
    object: 'user',
    objectId: one.id,
    before: named(account),
    after: { reason: one.reason, ...(handed.length ? { handed } : {}) },
  })
  tellAccess(tx, call)
}

/** A first password again: every session ends, a telephone that was lost is forgotten too. */
export async function resetPassword(tx: Tx, call: Call, one: One): Promise<{ id: string; password: string }> {
  const { tenant } = call.user
  const account = await changeable(tx, call, one)
  const password = firstPassword()
  await tx.run(
    'accounts.reset',
    `UPDATE users
     SET password = $3, must_change = true, totp = NULL, totp_last = NULL, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, one.id, await protect(travelling(password))],
  )
  await endSessions(tx, tenant, one.id)
  forgetIdentities(tx, tenant, one.id)
  await call.log(tx, {
    action: '重置密码',
    object: 'user',
    objectId: one.id,
    before: { totp: account.totp },
    after: { totp: false },
  })
  tellAccess(tx, call)
  return { id: one.id, password }
}

export async function signOut(
  tx: Tx,
  call: Call,
  id: string,
  key: string | undefined,
): Promise<{ ended: number }> {
  const account = found(await oneAccount(tx, call.user, id, true))
  refuse(accountRefusal(call.user, account, await roleGrants(tx, call.user.tenant)))
  const ended = await endSessions(tx, call.user.tenant, id, key)
  await call.log(tx, { action: '强制下线', object: 'user', objectId: id, after: { ended } })
  tellAccess(tx, call)
  return { ended }
}
