import type { rolesApi } from '@zhuguan/contract/features/roles/roles.api.ts'
import { type Grant, roleStatus } from '@zhuguan/contract/features/roles/roles.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { compare } from '@zhuguan/contract/kit/money.ts'
import { EVERY_PERMISSION, hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { PERMISSIONS } from '@zhuguan/contract/permissions.ts'

import type { Tx } from '../../database/connect.ts'
import { found, invalid, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import { row, text, there, uuid } from '../../kit/row.ts'
import { whole } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { tellAccess } from '../session/access.service.ts'
import { lockRole } from './roles.queries.ts'
import {
  administratorsTakeTurns,
  inWords,
  keepAnAdministrator,
  overReach,
  type RoleGrant,
  roleGrants,
} from './roles.reads.ts'

type Facts = BodyOf<(typeof rolesApi)['add']>
const OWN = '不能修改自己所属的角色，请由其他管理员操作'

/** Pages by name, with the groups they stand in left out: a group is shown when one of its pages is. */
async function wantedOf(tx: Tx, tenant: string, facts: Facts): Promise<Grant & { pageIds: string[] }> {
  const ids = [...new Set(facts.pageIds ?? [])]
  const labels = [...new Set(facts.labels ?? [])]
  const unknown = labels.find((l) => l !== EVERY_PERMISSION && !Object.hasOwn(PERMISSIONS, l))
  if (unknown) throw invalid('labels', `没有权限 ${unknown}`)
  const { rows } = await tx.query(
    'roles.wanted',
    row({ id: uuid, name: text }),
    `SELECT id, component_name AS name FROM pages WHERE tenant_id = $1 AND id = ANY ($2) AND component_name <> ''`,
    [tenant, ids],
  )
  if (
    rows.length < ids.length &&
    (
      await tx.query('roles.groups', there, `SELECT 1 FROM pages WHERE tenant_id = $1 AND id = ANY ($2)`, [
        tenant,
        ids,
      ])
    ).rows.length < ids.length
  )
    throw invalid('pageIds', '有页面已被删除，请刷新后再试')
  return {
    dataScope: facts.dataScope,
    pages: rows.map((r) => r.name),
    labels,
    pageIds: rows.map((r) => r.id),
  }
}

async function grant(
  tx: Tx,
  tenant: string,
  id: string,
  wanted: { pageIds: string[]; labels: readonly string[] },
): Promise<void> {
  await tx.run('roles.droppages', 'DELETE FROM role_pages WHERE tenant_id = $1 AND role_id = $2', [
    tenant,
    id,
  ])
  await tx.run('roles.droplabels', 'DELETE FROM role_powers WHERE tenant_id = $1 AND role_id = $2', [
    tenant,
    id,
  ])
  await tx.run(
    'roles.addpages',
    'INSERT INTO role_pages (tenant_id, role_id, page_id) SELECT $1, $2, unnest($3::uuid[])',
    [tenant, id, wanted.pageIds],
  )
  await tx.run(
    'roles.addlabels',
    'INSERT INTO role_powers (tenant_id, role_id, label) SELECT $1, $2, unnest($3::text[])',
    [tenant, id, wanted.labels],
  )
}

/** The change in words: what was added and what was taken away. */
const difference = (was: Grant, is: Grant) => ({
  added: [
    ...is.pages.filter((p) => !was.pages.includes(p)),
    ...is.labels.filter((l) => !was.labels.includes(l)),
  ].map(inWords),
  removed: [
    ...was.pages.filter((p) => !is.pages.includes(p)),
    ...was.labels.filter((l) => !is.labels.includes(l)),
  ].map(inWords),
})

async function freeNames(tx: Tx, tenant: string, facts: Facts, id: string | null): Promise<void> {
  const { rows } = await tx.query(
    'roles.same',
    row({ code: text, name: text }),
    'SELECT code, name FROM roles WHERE tenant_id = $1 AND (code = $2 OR name = $3) AND ($4::uuid IS NULL OR id <> $4)',
    [tenant, facts.code, facts.name, id],
  )
  if (rows.some((r) => r.code === facts.code)) throw invalid('code', '已经有这个编码的角色')
  if (rows.length) throw invalid('name', '已经有同名的角色')
}

/** Who may not give discounts themselves does not say how much others may. */
function refuseLimits(call: Call, facts: Facts, was: { roundOff: string; givePercent: string }): void {
  const raises = compare(facts.roundOff, was.roundOff) > 0 || compare(facts.givePercent, was.givePercent) > 0
  if (raises && !hasPermission(call.user, 'quotation:discount'))
    throw new Refused('您自己没有“优惠/抹零”的权限，不能提高抹零和让利的上限', 403)
}

export async function addRole(tx: Tx, call: Call, facts: Facts): Promise<{ id: string }> {
  const { tenant } = call.user
  await freeNames(tx, tenant, facts, null)
  const wanted = await wantedOf(tx, tenant, facts)
  refuse(overReach(call.user, [wanted]), 403)
  refuseLimits(call, facts, { roundOff: '0', givePercent: '0' })
  const id = call.newId()
  await tx.run(
    'roles.add',
    `INSERT INTO roles (tenant_id, id, code, name, data_scope, remark, status, round_off, give_percent)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      tenant,
      id,
      facts.code,
      facts.name,
      facts.dataScope,
      facts.remark,
      facts.status,
      facts.roundOff,
      facts.givePercent,
    ],
  )
  await grant(tx, tenant, id, wanted)
  await call.log(tx, {
    action: '新增角色',
    object: 'role',
    objectId: id,
    after: {
      code: facts.code,
      name: facts.name,
      dataScope: facts.dataScope,
      status: facts.status,
      roundOff: facts.roundOff,
      givePercent: facts.givePercent,
      pages: wanted.pages.map(inWords),
      powers: wanted.labels.map(inWords),
    },
  })
  return { id }
}

/** The role, if the caller may touch it: not one of their own, and not one that gives more than they hold. */
async function mine(tx: Tx, call: Call, id: string, version: number) {
  const { user } = call
  await administratorsTakeTurns(tx, user.tenant)
  const role = found(await lockRole(tx, user.tenant, id))
  unlessSeen(role, version, '个角色')
  if (user.roles.includes(role.code)) throw new Refused(OWN)
  if (!whole(user.scope)) {
    const elsewhere = await tx.query(
      'roles.elsewhere',
      there,
      `SELECT 1
       FROM user_roles ur
       JOIN users u ON u.tenant_id = ur.tenant_id AND u.id = ur.user_id AND u.deleted_at IS NULL
       WHERE ur.tenant_id = $1 AND ur.role_id = $2 AND NOT coalesce(u.bc_id = ANY ($3), false)
       LIMIT 1`,
      [user.tenant, id, user.scope.bcs ?? []],
    )
    if (elsewhere.rows.length) throw new Refused('其他分公司也有人是这个角色，请由集团的管理员修改', 403, 403)
  }
  const was = found<RoleGrant>((await roleGrants(tx, user.tenant)).get(id))
  refuse(overReach(user, [was]), 403)
  return { role, was }
}

/** Who has it would lose what they work with: they are named, and get another one first. */
async function refuseHeld(tx: Tx, tenant: string, id: string): Promise<void> {
  const { rows } = await tx.query(
    'roles.holders',
    row({ nickname: text }),
    `SELECT u.nickname
     FROM user_roles ur
     JOIN users u ON u.tenant_id = ur.tenant_id AND u.id = ur.user_id AND u.deleted_at IS NULL
     WHERE ur.tenant_id = $1 AND ur.role_id = $2
     ORDER BY u.user_name`,
    [tenant, id],
  )
  if (rows.length)
    throw new Refused(
      `还有 ${rows.length} 个用户是这个角色：${rows
        .slice(0, 3)
        .map((r) => r.nickname)
        .join('、')}${rows.length > 3 ? '…' : ''}，请先给他们换角色`,
      409,
      200,
      { links: [{ title: '用户', count: rows.length, link: linkTo('UserList', { role_id: id }) }] },
    )
}

export async function editRole(
  tx: Tx,
  call: Call,
  facts: Facts & { id: string; version: number },
): Promise<void> {
  const { tenant } = call.user
  const { role, was } = await mine(tx, call, facts.id, facts.version)
  await freeNames(tx, tenant, facts, facts.id)
  const wanted = await wantedOf(tx, tenant, facts)
  refuse(overReach(call.user, [wanted]), 403)
  refuseLimits(call, facts, role)
  const { disabled } = roleStatus.code
  if (facts.status === disabled && role.status !== disabled) await refuseHeld(tx, tenant, facts.id)
  await tx.run(
    'roles.edit',
    `UPDATE roles
     SET code = $3, name = $4, data_scope = $5, remark = $6, status = $7, round_off = $8, give_percent = $9,
       version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [
      tenant,
      facts.id,
      facts.code,
      facts.name,
      facts.dataScope,
      facts.remark,
      facts.status,
      facts.roundOff,
      facts.givePercent,
    ],
  )
  await grant(tx, tenant, facts.id, wanted)
  await keepAnAdministrator(tx, tenant)
  await call.log(tx, {
    action: '编辑角色',
    object: 'role',
    objectId: facts.id,
    before: {
      code: role.code,
      name: role.name,
      dataScope: was.dataScope,
      status: role.status,
      remark: role.remark,
      roundOff: role.roundOff,
      givePercent: role.givePercent,
    },
    after: {
      code: facts.code,
      name: facts.name,
      dataScope: facts.dataScope,
      status: facts.status,
      remark: facts.remark,
      roundOff: facts.roundOff,
      givePercent: facts.givePercent,
      ...difference(was, wanted),
    },
  })
  tellAccess(tx, call)
}

export async function deleteRole(tx: Tx, call: Call, id: string, version: number): Promise<void> {
  const { tenant } = call.user
  const { role } = await mine(tx, call, id, version)
  await refuseHeld(tx, tenant, id)
  // Those who have left keep their name in the log; their roles go with the role.
  await tx.run('roles.left', 'DELETE FROM user_roles WHERE tenant_id = $1 AND role_id = $2', [tenant, id])
  await tx.run('roles.del', 'DELETE FROM roles WHERE tenant_id = $1 AND id = $2', [tenant, id])
  await call.log(tx, {
    action: '删除角色',
    object: 'role',
    objectId: id,
    before: { code: role.code, name: role.name },
  })
}
