import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { EVERY_PERMISSION } from '../../kit/permits.ts'

/** What a role lets its holders see (domain.md). */
export const dataScope = defineCodes('dataScope', '数据范围', {
  tenant: ['tenant', '全集团'],
  branches: ['branches', '所属分公司'],
  stores: ['stores', '所属门店'],
  ownSites: ['ownSites', '自己的工地'],
})
export type DataScope = (typeof dataScope.values)[number]
export const roleStatus = defineCodes('roleStatus', '状态', { active: [1, '启用'], disabled: [2, '停用'] })

export const roleRow = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  dataScope: dataScope.schema,
  remark: z.string(),
  status: roleStatus.schema,
  users: z.number().int(),
  pages: z.number().int(),
  powers: z.number().int(),
  /** The caller is one of its holders: nobody changes a role of their own. */
  own: z.boolean(),
  version: z.number().int(),
})
export type RoleRow = z.output<typeof roleRow>
export const roleDetail = roleRow.extend({
  /** Ids of its pages, and the labels of its operations. */
  pageIds: z.array(z.string()),
  labels: z.array(z.string()),
  people: z.array(
    z.object({ id: z.string(), nickname: z.string(), userName: z.string(), bc_name: z.string() }),
  ),
})
export type RoleDetail = z.output<typeof roleDetail>

/** What somebody holds or what a role would give: reach, pages by component name, operation labels. */
export interface Grant {
  dataScope: DataScope
  pages: readonly string[]
  labels: readonly string[]
}
/** A store's reach and that of one's own sites are different, not wider or narrower than one another. */
const REACH: Record<DataScope, number> = { tenant: 3, branches: 2, stores: 1, ownSites: 1 }

/** The widest of several reaches; nothing held reaches nowhere, which is as narrow as own sites. */
export const widest = (scopes: readonly DataScope[]): DataScope =>
  [...scopes].sort((a, b) => REACH[b] - REACH[a])[0] ?? 'ownSites'

/** Nobody grants more than they hold: the sentence why not, naming at most three things. `words` turns a page or label into words. */
export function grantRefusal(
  holder: Grant,
  wanted: Grant,
  words: (name: string) => string,
): string | undefined {
  if (REACH[wanted.dataScope] > REACH[holder.dataScope])
    return `数据范围“${dataScope.label(wanted.dataScope)}”超出您自己的范围（${dataScope.label(holder.dataScope)}）`
  if (holder.labels.includes(EVERY_PERMISSION)) return undefined
  const over = [
    ...wanted.pages.filter((p) => !holder.pages.includes(p)),
    ...wanted.labels.filter((l) => !holder.labels.includes(l)),
  ]
  return over.length
    ? `您自己没有这些权限，不能授予：${over.slice(0, 3).map(words).join('、')}${over.length > 3 ? ` 等 ${over.length} 项` : ''}`
    : undefined
}
