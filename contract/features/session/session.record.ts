import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'

/** The three subsystems (docs/product.md). */
export const subsystem = defineCodes('subsystem', '子系统', {
  site: ['xc', '工地管理系统'],
  delivery: ['jf', '交付管理系统'],
  marketing: ['yx', '营销管理系统'],
})
export type Subsystem = (typeof subsystem.values)[number]
/** The menu list of each subsystem in the session's menus. */
export const MENU_LIST = { xc: 'osmcore', jf: 'dsmcore', yx: 'mkscore' } as const

export interface MenuItem {
  path: string
  name: string
  icon: string
  visible: boolean
  keepAlive: boolean
  memoryRouter: boolean
  componentName: string
  component: string
  alwaysShow: boolean
  children: MenuItem[]
}
export const menuItem: z.ZodType<MenuItem> = z
  .object({
    path: z.string(),
    name: z.string(),
    icon: z.string(),
    visible: z.boolean(),
    keepAlive: z.boolean(),
    memoryRouter: z.boolean(),
    componentName: z.string(),
    component: z.string(),
    alwaysShow: z.boolean(),
    get children() {
      return z.array(menuItem)
    },
  })
  .meta({ id: 'MenuItem' })

export const permissionInfo = z.object({
  user: z.object({
    id: z.string(),
    avatar: z.string(),
    userName: z.string(),
    nickname: z.string(),
    /** Holds a first or reset password: nothing else is open before it is changed. */
    mustChange: z.boolean(),
    /** People who are away today and for whom they stand in. */
    standsFor: z.array(z.string()),
  }),
  /** Route names this user may open, and role codes; the menu shows entries whose name is here (docs/product.md). */
  roles: z.array(z.string()),
  /** The list for the delivery system, which is kept apart (docs/product.md). */
  rolesJf: z.array(z.string()),
  permissions: z.array(z.string()),
  /** Stands in the addresses of pictures: which session's cookie counts. */
  viewer: z.string(),
  menus: z.object({ osmcore: z.array(menuItem), dsmcore: z.array(menuItem), mkscore: z.array(menuItem) }),
})
export type PermissionInfo = z.output<typeof permissionInfo>

export const profile = z.object({
  id: z.string(),
  userName: z.string(),
  nickname: z.string(),
  avatar: z.string(),
  introduction: z.string(),
  phone: z.string(),
  tenantName: z.string(),
  bc_id: z.string().nullable(),
  bc_name: z.string(),
  roleNames: z.array(z.string()),
  lastLoginAt: z.number().int().nullable(),
  /** A code from the telephone is asked at sign-in. */
  totp: z.boolean(),
})

/** The rule of the check: letters and 1–9, 6 to 20 characters (docs/product.md). */
export const PASSWORD_RULE = /^[a-zA-Z1-9]{6,20}$/
/** The rule as the page says it (docs/product.md). */
export const PASSWORD_TEXT = '8-20 个字符，须包含大写字母、小写字母和数字，不能有特殊字符'
/** A password as it travels: lower-case hex SHA-256 of its UTF-8 bytes (docs/product.md). */
export const passwordHash = z.string().regex(/^[0-9a-f]{64}$/, { error: '密码格式不正确' })
export const totpCode = z
  .string()
  .trim()
  .regex(/^\d{6}$/, { error: '动态验证码是 6 位数字' })
export const PASSWORD_DEBOUNCE_MS = 1000
