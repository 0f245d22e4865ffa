import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { EVERY_PERMISSION } from '../../kit/permits.ts'

/** The records that a role lets its holders see (docs/product.md). */
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
  /** What its holders may take off a quotation without the right to give discounts. */
  roundOff: z.string(),
  givePercent: z.string(),
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

/** Those who reach as far as is wanted, and the pages and labels that none of them holds. */
function excess(held: readonly Grant[], wanted: Grant) {
  const holders = held.filter((h) => REACH[h.dataScope] >= REACH[wanted.dataScope])
  if (holders.some((h) => h.labels.includes(EVERY_PERMISSION))) return { holders, over: [] }
  const over = [
    ...wanted.pages.filter((p) => !holders.some((h) => h.pages.includes(p))),
    ...wanted.labels.filter((l) => !holders.some((h) => h.labels.includes(l))),
  ]
  return { holders, over }
}
/** At most three things by name; `words` turns a page or label into words. */
const few = (over: readonly string[], words: (name: string) => string): string =>
  `${over.slice(0, 3).map(words).join('、')}${over.length > 3 ? ` 等 ${over.length} 项` : ''}`

/** Nobody grants more than they hold, in no wider reach than they hold it: the sentence why not. */
export function grantRefusal(
  held: readonly Grant[],
  wanted: Grant,
  words: (name: string) => string,
): string | undefined {
  const reach = dataScope.label(wanted.dataScope)
  const { holders, over } = excess(held, wanted)
  if (holders.length === 0)
    return `数据范围“${reach}”超出您自己的范围（${dataScope.label(widest(held.map((h) => h.dataScope)))}）`
  const narrow = over.some((one) => held.some((h) => h.pages.includes(one) || h.labels.includes(one)))
  return over.length
    ? `您自己${narrow ? `在“${reach}”的范围里` : ''}没有这些权限，不能授予：${few(over, words)}`
    : undefined
}
/** Who takes from somebody, or stops them, could have given all that they hold; else the sentence what they hold beyond it. */
export function holderRefusal(
  held: readonly Grant[],
  theirs: readonly Grant[],
  words: (name: string) => string,
): string | undefined {
  for (const grant of theirs) {
    const { holders, over } = excess(held, grant)
    if (holders.length === 0)
      return `这个账号的数据范围是“${dataScope.label(grant.dataScope)}”，比您的大，请由集团的管理员修改`
    if (over.length) return `这个账号有您没有的权限：${few(over, words)}，请由也有这些权限的管理员修改`
  }
  return undefined
}

/** The log\'s names for the fields of a role. */
export const roleLog = logged('角色', {
  name: '角色',
  code: '编码',
  dataScope: ['数据范围', dataScope],
  status: ['状态', roleStatus],
  roundOff: '抹零上限（元）',
  givePercent: '让利上限 %',
  pages: '页面',
  powers: '操作',
  added: '增加的页面和操作',
  removed: '去掉的页面和操作',
})
