import type { MENU_LIST, MenuItem } from '@zhuguan/contract/features/session/session.record.ts'

import type { Tx } from '../../database/connect.ts'

export interface Account {
  tenant_id: string
  id: string
  user_name: string
  password: string
  status: number
  totp: string | null
}

export const accountByName = async (tx: Tx, userName: string): Promise<Account | undefined> =>
  (
    await tx.query<Account>(
      'session.account',
      'SELECT tenant_id, id, user_name, password, status, totp FROM users WHERE lower(user_name) = lower($1) AND deleted_at IS NULL',
      [userName],
    )
  ).rows[0]

interface PageRow {
  id: string
  parent_id: string | null
  system: string
  path: string
  name: string
  icon: string
  visible: boolean
  keep_alive: boolean
  memory_router: boolean
  component_name: string
  component: string
  always_show: boolean
  granted: boolean
}

type Menus = Record<(typeof MENU_LIST)[keyof typeof MENU_LIST], MenuItem[]>
/** The menu trees of a person: pages of their roles, under the groups they stand in. */
export async function menusOf(tx: Tx, tenant: string, userId: string): Promise<Menus> {
  const { rows } = await tx.query<PageRow>(
    'session.menus',
    `SELECT p.id, p.parent_id, p.system, p.path, p.name, p.icon, p.visible, p.keep_alive, p.memory_router, p.component_name, p.component, p.always_show,
      EXISTS (SELECT 1 FROM role_pages rp JOIN user_roles ur ON ur.tenant_id = rp.tenant_id AND ur.role_id = rp.role_id AND ur.user_id = $2
        JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id AND r.status = 1 WHERE rp.tenant_id = p.tenant_id AND rp.page_id = p.id) AS granted
     FROM pages p WHERE p.tenant_id = $1 ORDER BY p.sort, p.id`,
    [tenant, userId],
  )
  const item = (r: PageRow): MenuItem => ({
    path: r.path,
    name: r.name,
    icon: r.icon,
    visible: r.visible,
    keepAlive: r.keep_alive,
    memoryRouter: r.memory_router,
    componentName: r.component_name,
    component: r.component,
    alwaysShow: r.always_show,
    children: rows.filter((c) => c.parent_id === r.id && c.granted).map(item),
  })
  const tree = (system: string) =>
    rows
      .filter((r) => r.system === system && r.parent_id === null)
      .map((r) => ({ row: r, menu: item(r) }))
      .filter(({ row, menu }) => (row.component_name === '' ? menu.children.length > 0 : row.granted))
      .map(({ menu }) => menu)
  return { osmcore: tree('xc'), dsmcore: tree('jf'), mkscore: tree('yx') }
}
