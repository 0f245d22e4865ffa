import { noticeGiven } from '@zhuguan/contract/features/consents/notices.record.ts'
import { siteFacts } from '@zhuguan/contract/features/sites/sites.api.ts'
import { sitesImport } from '@zhuguan/contract/features/sites/sites.import.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import { workerPhone } from '@zhuguan/contract/features/workers/workers.record.ts'
import { plainPhone } from '@zhuguan/contract/kit/fields.ts'

import type { Tx } from '../../database/connect.ts'
import { int2, row, text, uuid } from '../../kit/row.ts'
import type { Scope } from '../../kit/tx.ts'
import type { CellError, Cells, Checked, Importer } from '../imports/imports.service.ts'
import { branchesOf, dayText, issuesOf, isTold, NO_BRANCH, wrongTold } from '../imports/reading.service.ts'
import { tell } from '../live/live.service.ts'
import { announceAccess } from '../session/access.service.ts'
import { insertSites, type NewSite } from './sites.service.ts'

const MAX_OWNER = 20
const { steward, manager } = principalPost.code

/** Branch, post and name or account → the people meant. */
async function peopleOf(tx: Tx, scope: Scope, names: string[]): Promise<Map<string, string[]>> {
  const { rows } = await tx.query(
    'sites.named',
    row({ id: uuid, bc_id: uuid, post: int2, user_name: text, nickname: text }),
    `SELECT id, bc_id, post, user_name, nickname
     FROM users
     WHERE tenant_id = $1 AND (user_name = ANY ($2) OR nickname = ANY ($2)) AND post IS NOT NULL
       AND bc_id IS NOT NULL AND status = 1 AND deleted_at IS NULL`,
    [scope.tenant, names],
  )
  const people = new Map<string, string[]>()
  for (const u of rows)
    for (const name of new Set([u.user_name, u.nickname]))
      people.set(`${u.bc_id}|${u.post}|${name}`, [
        ...(people.get(`${u.bc_id}|${u.post}|${name}`) ?? []),
        u.id,
      ])
  return people
}

/** The fault of a row's owner. */
function wrongOwner({ owner, ownerPhone }: Cells): CellError[] {
  const errors: CellError[] = []
  if (owner!.length > MAX_OWNER) errors.push({ column: 'owner', text: `最多 ${MAX_OWNER} 个字` })
  if (!workerPhone.safeParse(ownerPhone).success)
    errors.push({ column: 'ownerPhone', text: '业主电话应为 11 位手机号' })
  else if (ownerPhone && !owner) errors.push({ column: 'owner', text: '填了电话，请同时填业主姓名' })
  return errors
}

const ownerOf = (r: Cells) => ({
  name: r.owner!,
  phone: plainPhone(r.ownerPhone!),
  notice: noticeGiven('owner', isTold(r.told)),
})

const endsBeforeBegun = (site: { plannedStart?: string | null; plannedFinish?: string | null }): boolean =>
  !!site.plannedStart && !!site.plannedFinish && site.plannedFinish < site.plannedStart

export const sitesImporter: Importer<NewSite> = {
  def: sitesImport,
  keys: (c) => (c.ws_name && c.bc_id ? [{ column: 'ws_name', key: `name:${c.bc_id}|${c.ws_name}` }] : []),
  async check(tx, call, rows) {
    const { scope } = call.user
    const branches = await branchesOf(tx, scope)
    const stores = new Map(
      (
        await tx.query(
          'sites.stores',
          row({ id: uuid, bc_id: uuid, name: text }),
          'SELECT id, bc_id, name FROM stores WHERE tenant_id = $1 AND status = 1',
          [scope.tenant],
        )
      ).rows.map((s) => [`${s.bc_id}|${s.name}`, s.id]),
    )
    const people = await peopleOf(
      tx,
      scope,
      rows.flatMap((r) => [r.steward_id!, r.manager_id!]).filter(Boolean),
    )
    const known = new Set(
      (
        await tx.query(
          'sites.known',
          row({ key: text }),
          `SELECT bc_id || '|' || ws_name AS key
           FROM sites
           WHERE tenant_id = $1 AND ws_name = ANY ($2) AND deleted_at IS NULL`,
          [scope.tenant, rows.map((r) => r.ws_name)],
        )
      ).rows.map((r) => r.key),
    )
    return rows.map((r): Checked<NewSite> => {
      const errors: CellError[] = [...wrongOwner(r), ...wrongTold(r.told)]
      const wrong = (column: string, text: string) => void errors.push({ column, text })
      const bc = branches.get(r.bc_id!)
      if (r.bc_id && !bc) wrong('bc_id', NO_BRANCH)
      const store = r.store_id ? stores.get(`${bc}|${r.store_id}`) : null
      if (bc && store === undefined) wrong('store_id', `${r.bc_id} 没有这个门店`)
      const person = (column: 'steward_id' | 'manager_id', post: number): string | null => {
        const name = r[column]!
        if (!name || !bc) return null
        const found = people.get(`${bc}|${post}|${name}`) ?? []
        if (found.length === 1) return found[0]!
        wrong(
          column,
          found.length
            ? `有 ${found.length} 位${principalPost.label(post)}叫这个名字，请填账号`
            : `${r.bc_id} 没有这位${principalPost.label(post)}`,
        )
        return null
      }
      const people_ = { steward_id: person('steward_id', steward), manager_id: person('manager_id', manager) }
      const read = siteFacts.safeParse({ ...facts(r), bc_id: bc, store_id: store ?? null })
      if (!read.success)
        errors.push(...issuesOf(read.error).filter((e) => !errors.some((x) => x.column === e.column)))
      if (read.success && endsBeforeBegun(read.data)) wrong('plannedFinish', '不能早于计划开工')
      if (bc && known.has(`${bc}|${r.ws_name}`)) wrong('ws_name', '库里已有同名的工地')
      return errors.length || !read.success
        ? { errors }
        : {
            value: {
              ...read.data,
              ...people_,
              ...(r.owner ? { owner: ownerOf(r) } : {}),
            },
          }
    })
  },
  async store(tx, call, values) {
    const stored = await insertSites(tx, call, values)
    for (const bc of new Set(values.map((v) => v.bc_id)))
      tell(tx, call, { topic: 'site', bc, site: null, id: '' })
    // Whose sites these are decides what people see.
    if (values.some((v) => v.steward_id || v.manager_id)) announceAccess(tx)
    return stored.map(({ id }) => ({ id }))
  },
}
const facts = (r: Cells) => ({
  ...r,
  area: r.area || null,
  plannedStart: dayText(r.plannedStart!) || null,
  plannedFinish: dayText(r.plannedFinish!) || null,
})
