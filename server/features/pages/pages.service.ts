import type { pagesApi } from '@zhuguan/contract/features/pages/pages.api.ts'
import { ADMIN_PAGES, type PageRow } from '@zhuguan/contract/features/pages/pages.record.ts'
import { subsystem } from '@zhuguan/contract/features/session/session.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { isPage, PAGES, type Page, type PageName } from '@zhuguan/contract/pages.ts'
import { PERMISSIONS } from '@zhuguan/contract/permissions.ts'

import type { Tx } from '../../database/connect.ts'
import { found, invalid, outside, Refused, overtaken, unlessSeen } from '../../kit/refuse.ts'
import { bool, int4, json, row, text, there, type RowOf, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { tellAccess } from '../session/access.service.ts'

const pageRow = row({
  id: uuid,
  system: text,
  parent_id: uuid.null,
  path: text,
  name: text,
  icon: text,
  visible: bool,
  keep_alive: bool,
  memory_router: bool,
  always_show: bool,
  component_name: text,
  version: int4,
})
type Row = RowOf<typeof pageRow>

async function lockPage(tx: Tx, tenant: string, id: string, version: number): Promise<Row> {
  const page = found(
    (
      await tx.query(
        'pages.lock',
        pageRow,
        `SELECT id, system, parent_id, path, name, icon, visible, keep_alive, memory_router, always_show,
           component_name, version
         FROM pages
         WHERE tenant_id = $1 AND id = $2
         FOR UPDATE`,
        [tenant, id],
      )
    ).rows[0],
  )
  unlessSeen(page, version, '个页面')
  return page
}
/** A page stands under a group of its own subsystem; groups stand at the top. */
async function checkParent(
  tx: Tx,
  tenant: string,
  system: string,
  component: string | undefined,
  parent: string | undefined,
): Promise<void> {
  if (!parent) return
  if (!component) throw invalid('parent_id', '分组不能放在另一个分组里')
  const { rows } = await tx.query(
    'pages.parent',
    there,
    `SELECT 1 FROM pages WHERE tenant_id = $1 AND id = $2 AND system = $3 AND component_name = ''`,
    [tenant, parent, system],
  )
  if (rows.length === 0) throw invalid('parent_id', '上级应是同一个子系统里的分组')
}

export async function addPage(
  tx: Tx,
  call: Call,
  f: BodyOf<(typeof pagesApi)['add']>,
): Promise<{ id: string }> {
  const { tenant } = call.user
  const component = f.componentName
  let path = f.path
  if (component) {
    const page: Page | undefined = isPage(component) ? PAGES[component] : undefined
    if (!page || page.systems.length === 0) throw invalid('componentName', '程序里没有这个页面')
    if (!page.systems.includes(f.system)) throw invalid('componentName', '这个页面不属于所选的子系统')
    path = page.path
  } else if (!path) throw invalid('path', '请填写分组的路径')
  await checkParent(tx, tenant, f.system, component, f.parent_id)
  const id = call.newId()
  const { rowCount } = await tx.run(
    'pages.add',
    `INSERT INTO pages (tenant_id, id, system, parent_id, path, name, icon, visible, keep_alive,
         memory_router, always_show, component_name, component, sort)
     SELECT $1, $2, $3, $4::uuid, $5, $6, $7, $8, $9, $10, $11, $12, $12, coalesce(max(sort), 0) + 1
     FROM pages
     WHERE tenant_id = $1 AND system = $3 AND parent_id IS NOT DISTINCT FROM $4::uuid
     ON CONFLICT (tenant_id, system, path)
     DO NOTHING`,
    [
      tenant,
      id,
      f.system,
      f.parent_id ?? null,
      path,
      f.name,
      f.icon ?? '',
      f.visible ?? true,
      f.keepAlive ?? false,
      f.memoryRouter ?? false,
      f.alwaysShow ?? false,
      component ?? '',
    ],
  )
  if (rowCount !== 1)
    throw invalid(component ? 'componentName' : 'path', component ? '这个页面已经在菜单里' : '已经有这个路径')
  if (component)
    await tx.run(
      'pages.powers',
      `INSERT INTO page_powers (tenant_id, page_id, label, name)
       SELECT $1, $2, l, n
       FROM unnest($3::text[], $4::text[]) AS x(l, n)`,
      [tenant, id, ...powersOf(component)],
    )
  // Whoever holds everything holds the new page too; everybody else gets it by their role.
  if (component)
    await tx.run(
      'pages.toadmins',
      `INSERT INTO role_pages (tenant_id, role_id, page_id)
       SELECT $1, p.role_id, $2
       FROM role_powers p
       WHERE p.tenant_id = $1 AND p.label = '*:*:*'`,
      [tenant, id],
    )
  await call.log(tx, {
    action: '新增页面',
    object: 'page',
    objectId: id,
    after: { system: f.system, name: f.name, path },
  })
  tellAccess(tx, call)
  return { id }
}
/** Operations of the program that a page does not offer to roles. */
const powersOff = (row: Pick<PageRow, 'componentName' | 'powers'>): PageRow['powers'] =>
  Object.entries(PERMISSIONS)
    .filter(([label, p]) => p.page === row.componentName && !row.powers.some((w) => w.label === label))
    .map(([label, p]) => ({ label, name: p.title }))
const powersOf = (component: string): [string[], string[]] => {
  const powers = Object.entries(PERMISSIONS).filter(([, p]) => p.page === component)
  return [powers.map(([label]) => label), powers.map(([, p]) => p.title)]
}

export async function editPage(tx: Tx, call: Call, f: BodyOf<(typeof pagesApi)['edit']>): Promise<void> {
  const { tenant } = call.user
  const row = await lockPage(tx, tenant, f.id, f.version)
  if (f.visible === false && ADMIN_PAGES.includes(row.component_name))
    throw invalid('visible', `“${row.name}”藏起来就没有人能再打开它了`)
  await checkParent(tx, tenant, row.system, row.component_name, f.parent_id)
  if (
    row.component_name &&
    PAGES[row.component_name as PageName] &&
    PAGES[row.component_name as PageName].group &&
    !f.parent_id
  )
    throw invalid('parent_id', '页面要放在一个分组里')
  await tx.run(
    'pages.edit',
    `UPDATE pages
     SET name = $3, icon = $4, parent_id = $5, visible = $6, keep_alive = $7, memory_router = $8,
       always_show = $9, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [
      tenant,
      f.id,
      f.name,
      f.icon ?? '',
      f.parent_id ?? null,
      f.visible ?? row.visible,
      f.keepAlive ?? row.keep_alive,
      f.memoryRouter ?? row.memory_router,
      f.alwaysShow ?? row.always_show,
    ],
  )
  const { id: _id, version: _version, ...after } = f
  await call.log(tx, {
    action: '编辑页面',
    object: 'page',
    objectId: f.id,
    before: {
      name: row.name,
      icon: row.icon,
      parent_id: row.parent_id,
      visible: row.visible,
      keepAlive: row.keep_alive,
      memoryRouter: row.memory_router,
      alwaysShow: row.always_show,
    },
    after,
  })
  tellAccess(tx, call)
}

export async function deletePage(tx: Tx, call: Call, id: string, version: number): Promise<void> {
  const { tenant } = call.user
  const page = await lockPage(tx, tenant, id, version)
  if (ADMIN_PAGES.includes(page.component_name))
    throw new Refused(`“${page.name}”删除后就没有人能再管理权限了，不能删除`)
  const children = (
    await tx.query(
      'pages.children',
      row({ name: text }),
      'SELECT name FROM pages WHERE tenant_id = $1 AND parent_id = $2 ORDER BY sort',
      [tenant, id],
    )
  ).rows
  if (children.length)
    throw new Refused(
      `分组“${page.name}”里还有 ${children.length} 个页面：${children
        .slice(0, 3)
        .map((c) => c.name)
        .join('、')}，请先移走`,
    )
  await tx.run('pages.del', 'DELETE FROM pages WHERE tenant_id = $1 AND id = $2', [tenant, id])
  await call.log(tx, {
    action: '删除页面',
    object: 'page',
    objectId: id,
    before: { system: page.system, name: page.name, path: page.path },
  })
  tellAccess(tx, call)
}

export async function sortPages(
  tx: Tx,
  call: Call,
  parent: string | null,
  ids: readonly string[],
): Promise<void> {
  const { tenant } = call.user
  const { rows } = await tx.query(
    'pages.moved',
    row({ id: uuid, system: text, parent_id: uuid.null, path: text, name: text, component_name: text }),
    `SELECT id, system, parent_id, path, name, component_name
     FROM pages
     WHERE tenant_id = $1 AND id = ANY ($2)
     ORDER BY id
     FOR UPDATE`,
    [tenant, ids],
  )
  if (rows.length !== new Set(ids).size) throw outside()
  const systems = new Set(rows.map((r) => r.system))
  if (systems.size > 1) throw invalid('ids', '页面不能拖到另一个子系统')
  for (const row of rows)
    if (row.parent_id !== parent) {
      if (!parent && row.component_name) throw invalid('parent_id', '页面要放在一个分组里')
      await checkParent(tx, tenant, row.system, row.component_name, parent ?? undefined)
    }
  await tx.run(
    'pages.sort',
    `UPDATE pages p
     SET sort = x.n, parent_id = $3, version = version + 1
     FROM unnest($2::uuid[]) WITH ORDINALITY AS x(id, n)
     WHERE p.tenant_id = $1 AND p.id = x.id AND (p.sort, p.parent_id) IS DISTINCT FROM (x.n::int, $3::uuid)`,
    [tenant, ids, parent],
  )
  await call.log(tx, {
    action: '页面排序',
    object: 'page',
    objectId: parent ?? '',
    after: { order: ids.map((id) => rows.find((r) => r.id === id)!.name) },
  })
  tellAccess(tx, call)
}

/** The operations of a page: which exist is the program's, which can be granted here and under what name is the administrator's. */
export async function changePower(
  tx: Tx,
  call: Call,
  how: 'add' | 'edit' | 'del',
  f: { page_id: string; label: string; name?: string },
): Promise<void> {
  const { tenant } = call.user
  const page = found(
    (
      await tx.query(
        'pages.one',
        row({ id: uuid, name: text, component_name: text }),
        'SELECT id, name, component_name FROM pages WHERE tenant_id = $1 AND id = $2 FOR UPDATE',
        [tenant, f.page_id],
      )
    ).rows[0],
  )
  const now = (
    await tx.query(
      'pages.power',
      row({ name: text }),
      'SELECT name FROM page_powers WHERE tenant_id = $1 AND page_id = $2 AND label = $3',
      [tenant, f.page_id, f.label],
    )
  ).rows[0]
  if (how === 'add') {
    if (PERMISSIONS[f.label]?.page !== page.component_name)
      throw invalid('label', `“${page.name}”没有操作 ${f.label}`)
    if (now) throw invalid('label', '这个操作已经在列表里')
    await tx.run(
      'pages.addpower',
      'INSERT INTO page_powers (tenant_id, page_id, label, name) VALUES ($1, $2, $3, $4)',
      [tenant, f.page_id, f.label, f.name],
    )
  } else if (!now) throw overtaken('个页面')
  else if (how === 'edit')
    await tx.run(
      'pages.editpower',
      'UPDATE page_powers SET name = $4 WHERE tenant_id = $1 AND page_id = $2 AND label = $3',
      [tenant, f.page_id, f.label, f.name],
    )
  else {
    await tx.run(
      'pages.delpower',
      'DELETE FROM page_powers WHERE tenant_id = $1 AND page_id = $2 AND label = $3',
      [tenant, f.page_id, f.label],
    )
    // What cannot be granted any more is not held any more.
    await tx.run('pages.takepower', 'DELETE FROM role_powers WHERE tenant_id = $1 AND label = $2', [
      tenant,
      f.label,
    ])
  }
  await call.log(tx, {
    action: { add: '新增操作权限', edit: '编辑操作权限', del: '删除操作权限' }[how],
    object: 'page',
    objectId: f.page_id,
    ...(now ? { before: { label: f.label, name: now.name } } : {}),
    ...(how === 'del' ? {} : { after: { label: f.label, name: f.name } }),
  })
  tellAccess(tx, call)
}

/** The menu with its operations, of one subsystem or of all. */
export async function pagesOf(tx: Tx, tenant: string, system: string | undefined): Promise<PageRow[]> {
  const { rows } = await tx.query(
    'pages.list',
    row({
      id: uuid,
      parent_id: uuid.null,
      system: text.of(subsystem),
      path: text,
      name: text,
      icon: text,
      visible: bool,
      keepAlive: bool,
      memoryRouter: bool,
      alwaysShow: bool,
      componentName: text,
      component: text,
      sort: int4,
      version: int4,
      powers: json<{ label: string; name: string }[]>(),
      roles: int4,
    }),
    `SELECT p.id, p.parent_id, p.system, p.path, p.name, p.icon, p.visible, p.keep_alive AS "keepAlive",
       p.memory_router AS "memoryRouter", p.always_show AS "alwaysShow", p.component_name AS "componentName",
       p.component, p.sort, p.version,
       coalesce((
         SELECT json_agg(json_build_object('label', w.label, 'name', w.name) ORDER BY w.label)
         FROM page_powers w
         WHERE w.tenant_id = p.tenant_id AND w.page_id = p.id
       ), '[]'::json) AS powers,
       (SELECT count(*)::int FROM role_pages rp WHERE rp.tenant_id = p.tenant_id AND rp.page_id = p.id) AS roles
     FROM pages p
     WHERE p.tenant_id = $1 AND ($2::text IS NULL OR p.system = $2)
     ORDER BY p.system DESC, p.sort, p.id`,
    [tenant, system ?? null],
  )
  return rows.map((page) => ({ ...page, off: powersOff(page) }))
}
