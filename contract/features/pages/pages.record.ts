import { z } from 'zod'

import { logged } from '../../kit/logged.ts'
import { subsystem } from '../session/session.record.ts'

/** Icons that the menu can draw. */
export const ICONS = [
  'home',
  'site',
  'worker',
  'image',
  'device',
  'patrol',
  'contract',
  'package',
  'order',
  'dispatch',
  'check',
  'chart',
  'board',
  'gear',
  'user',
  'grid',
  'list',
  'camera',
  'bell',
  'search',
  'swap',
] as const

const pagePower = z.object({ label: z.string(), name: z.string() })
export const pageRow = z.object({
  id: z.string(),
  parent_id: z.string().nullable(),
  system: subsystem.schema,
  path: z.string(),
  name: z.string(),
  icon: z.string(),
  visible: z.boolean(),
  keepAlive: z.boolean(),
  memoryRouter: z.boolean(),
  alwaysShow: z.boolean(),
  componentName: z.string(),
  component: z.string(),
  sort: z.number().int(),
  powers: z.array(pagePower),
  /** Operations of the program that this page does not offer. */
  off: z.array(pagePower),
  /** Number of roles that have it. */
  roles: z.number().int(),
  version: z.number().int(),
})
export type PageRow = z.output<typeof pageRow>

/** Without these nobody could bring a lost right back: they are neither removed nor hidden. */
export const ADMIN_PAGES: readonly string[] = ['UserList', 'RoleList', 'PageList']

/** The log\'s names for the fields of a page of the menu. */
export const pageLog = logged('页面', {
  name: '标题',
  system: ['子系统', subsystem],
  path: '路径',
  icon: '图标',
  parent_id: ['所在分组', 'page'],
  visible: '显示',
  keepAlive: '缓存',
  memoryRouter: '记住位置',
  alwaysShow: '总是显示',
  order: '顺序',
  label: '权限标识',
})
