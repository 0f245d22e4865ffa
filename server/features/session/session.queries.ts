import type { MENU_LIST, MenuItem } from '@zhuguan/contract/features/session/session.record.ts'

import type { Tx } from '../../database/connect.ts'
import { bool, int2, row, text, type RowOf, uuid } from '../../kit/row.ts'

const account = row({
  tenant_id: uuid,
  id: uuid,
  user_name: text,
  password: text,
  status: int2,
  totp: text.null,
})
export type Account = RowOf<typeof account>

export const accountByName = async (tx: Tx, userName: string): Promise<Account | undefined> =>
  (
    await tx.query(
      'session.account',
      account,
      `SELECT u.tenant_id, u.id, u.user_name, u.password, u.status, u.totp
       FROM account_names n
       JOIN users u ON u.tenant_id = n.tenant_id AND lower(u.user_name) = n.name AND u.deleted_at IS NULL
       WHERE n.name = lower($1)`,
      [userName],
    )
  ).rows[0]

const pageRow = row({
  id: uuid,
  parent_id: uuid.null,
  system: text,
  path: text,
  name: text,
  icon: text,
  visible: bool,
  keep_alive: bool,
  memory_router: bool,
  component_name: text,
  component: text,
  always_show: bool,
  granted: bool,
})
type PageRow = RowOf<typeof pageRow>

type Menus = Record<(typeof MENU_LIST)[keyof typeof MENU_LIST], MenuItem[]>
/** The menu trees of a person: pages of their roles, under the groups they stand in. */
export async function menusOf(tx: Tx, tenant: string, userId: string): Promise<Menus> {
  const { rows } = await tx.query(
    'session.menus',
    pageRow,
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
