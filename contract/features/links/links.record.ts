import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'

/** What a link opens. Who adds a kind adds its word here, its powers below and its line in server/app/link-kinds.ts. */
export const linkKind = defineCodes('linkKind', '链接', {
  driver: ['driver', '司机'],
  owner: ['owner', '业主'],
})
export type LinkKindName = z.output<typeof linkKind.schema>
/** With any of these a link of the kind is made and taken back. */
export const LINK_POWERS = {
  driver: ['dispatch:ship', 'dispatch:add'],
  owner: ['owner:link'],
} satisfies Record<LinkKindName, readonly string[]>
const DAY = 24
/** How many hours a link of the kind lives where nobody says, and at most; what it leads to may end it before. */
export const LINK_HOURS = {
  driver: { usual: 3 * DAY, most: 30 * DAY },
  owner: { usual: 3_650 * DAY, most: 3_650 * DAY },
} satisfies Record<LinkKindName, { usual: number; most: number }>

export const linkState = defineCodes('linkState', '链接状态', {
  live: ['live', '有效'],
  revoked: ['revoked', '已收回'],
  expired: ['expired', '已过期'],
  used: ['used', '打开次数用完'],
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

/** The page that every kind opens on; the secret stands behind the #, which no browser sends to a server. */
export const previewOf = (token: string): string => `/#/Preview?link=${token}`

/**
 * What every call without an account brings: the secret, what proved the password when it was opened, and the number of
 * the device. Whatever is wrong with them has the same answer, so nothing is checked here.
 */
export const bearer = {
  token: z.string().max(200),
  pass: z.string().max(200).default(''),
  device: z.string().regex(/^[0-9a-f]{32}$/, { error: '设备编号不正确' }),
}

export const linkLog = logged('链接', {
  of: '对象',
  kind: ['链接', linkKind],
  person: '给谁',
  expiresAt: ['有效期至', 'time'],
  most: '打开次数上限',
  password: '密码',
})
