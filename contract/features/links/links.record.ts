import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'

/**
 * The page that a link opens. Who adds a kind adds its word here, its powers below and its line in
 * server/app/link-kinds.ts.
 */
export const linkKind = defineCodes('linkKind', '链接', {
  driver: ['driver', '司机'],
  owner: ['owner', '业主'],
  share: ['share', '案例'],
  preview: ['preview', '客户预览'],
  quotation: ['quotation', '报价单'],
})
export type LinkKindName = z.output<typeof linkKind.schema>
/** With any of these a link of the kind is made and taken back. */
export const LINK_POWERS = {
  driver: ['dispatch:ship', 'dispatch:add'],
  owner: ['owner:link'],
  share: ['share:add'],
  preview: ['preview:edit'],
  quotation: ['share:add'],
} satisfies Record<LinkKindName, readonly string[]>
const DAY = 24
/** The hours that a link of the kind lives where nobody says, and at most; what it leads to may end it before. */
export const LINK_HOURS = {
  driver: { usual: 3 * DAY, most: 30 * DAY },
  owner: { usual: 3_650 * DAY, most: 3_650 * DAY },
  share: { usual: 30 * DAY, most: 180 * DAY },
  preview: { usual: 30 * DAY, most: 90 * DAY },
  quotation: { usual: 7 * DAY, most: 60 * DAY },
} satisfies Record<LinkKindName, { usual: number; most: number }>

/** The kinds that customers are shown: staff list these, and copy them again. */
export const SHARED_KINDS = [
  linkKind.code.share,
  linkKind.code.preview,
  linkKind.code.quotation,
] as const satisfies readonly LinkKindName[]
export type SharedKind = (typeof SHARED_KINDS)[number]
export const isShared = (kind: LinkKindName): kind is SharedKind =>
  SHARED_KINDS.some((shared) => shared === kind)
export const linkState = defineCodes('linkState', '链接状态', {
  live: ['live', '有效'],
  revoked: ['revoked', '已收回'],
  expired: ['expired', '已过期'],
  used: ['used', '打开次数用完'],
  /** What it leads to is not shown any more: a case that was taken back, a quotation that is void. */
  over: ['over', '内容已失效'],
})

export const linkRow = z.object({
  id: z.string(),
  kind: linkKind.schema,
  state: linkState.schema,
  /** To whom it was given, in words. */
  person: z.string(),
  /** Openings so far, and how many are allowed at most. */
  openings: z.number().int(),
  most: z.number().int().nullable(),
  hasPassword: z.boolean(),
  lastOpenedAt: z.number().int().nullable(),
  expiresAt: z.number().int(),
  madeBy: z.string(),
  madeAt: z.number().int(),
})
export type LinkRow = z.output<typeof linkRow>

/**
 * The page that every kind opens on; the secret stands behind the #, which no browser sends to a server.
 * `isLocked`: its page asks for the password first; that nobody reads, and it says nothing else.
 */
export const previewOf = (token: string, isLocked = false): string =>
  `/#/Preview?link=${token}${isLocked ? '&lock' : ''}`

/**
 * What every call without an account brings: the secret, what proved the password when it was opened, and the number of
 * the device. Whatever is wrong with them has the same answer, so nothing is checked here.
 */
export const bearer = {
  token: z.string().max(200),
  pass: z.string().max(200).default(''),
  device: z.string().regex(/^(visit-)?[0-9a-f]{32}$/, { error: '设备编号不正确' }),
}
/** A browser that keeps nothing has no number of its own: each time that it opens a link is a visit. */
export const VISIT = 'visit-'

export const linkLog = logged('链接', {
  of: ['对象', 'personal'],
  kind: ['链接', linkKind],
  person: ['给谁', 'personal'],
  expiresAt: ['有效期至', 'time'],
  most: '打开次数上限',
  password: '密码',
  customer: ['客户', 'personal'],
  generation: '第几代',
})
