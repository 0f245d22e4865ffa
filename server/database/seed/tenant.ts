import { GROUPS, PAGES, type Page } from '@zhuguan/contract/pages.ts'
import { PERMISSIONS } from '@zhuguan/contract/permissions.ts'

import { uuidv7 } from '../../kit/ids.ts'
import type { Tx } from '../connect.ts'
import { SEED_ROLES } from './roles.ts'

/** Rows by column names, one statement. */
export async function insert(tx: Tx, table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0]!)
  await tx.query(
    `seed.${table}`,
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM json_populate_recordset(NULL::${table}, $1::json)`,
    [JSON.stringify(rows)],
  )
}

async function seedPages(tx: Tx, tenant: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const row = (o: Record<string, unknown>) => ({
    tenant_id: tenant,
    parent_id: null,
    icon: '',
    visible: true,
    keep_alive: false,
    memory_router: false,
    component_name: '',
    component: '',
    always_show: false,
    ...o,
  })
  const groups = Object.entries(GROUPS).map(([path, g], i) => {
    ids.set(path, uuidv7())
    return row({
      id: ids.get(path),
      system: g.system,
      path,
      name: g.title,
      icon: g.icon,
      always_show: true,
      sort: (i + 1) * 10,
    })
  })
  const entries = (Object.entries(PAGES) as [string, Page][]).filter(([, p]) => p.systems.length > 0)
  const pages = entries.map(([name, p], i) => {
    ids.set(name, uuidv7())
    return row({
      id: ids.get(name),
      system: p.systems[0],
      parent_id: p.group ? ids.get(p.group) : null,
      path: p.path,
      name: p.title,
      icon: name === 'HomeMaster' ? 'home' : '',
      visible: p.of === undefined,
      keep_alive: p.keepAlive ?? false,
      component_name: name,
      component: name,
      sort: p.group ? i + 1 : i,
    })
  })
  await insert(tx, 'pages', groups)
  await insert(tx, 'pages', pages)
  await insert(
    tx,
    'page_powers',
    Object.entries(PERMISSIONS).map(([label, p]) => ({
      tenant_id: tenant,
      page_id: ids.get(p.page),
      label,
      name: p.title,
    })),
  )
  return ids
}

async function seedRoles(tx: Tx, tenant: string, pages: Map<string, string>): Promise<Map<string, string>> {
  const ids = new Map(SEED_ROLES.map((r) => [r.code, uuidv7()]))
  await insert(
    tx,
    'roles',
    SEED_ROLES.map((r) => ({
      tenant_id: tenant,
      id: ids.get(r.code),
      code: r.code,
      name: r.name,
      data_scope: r.scope,
      status: 1,
    })),
  )
  await insert(
    tx,
    'role_pages',
    SEED_ROLES.flatMap((r) =>
      r.pages.map((p) => ({ tenant_id: tenant, role_id: ids.get(r.code), page_id: pages.get(p) })),
    ),
  )
  await insert(
    tx,
    'role_powers',
    SEED_ROLES.flatMap((r) =>
      r.powers.map((label) => ({ tenant_id: tenant, role_id: ids.get(r.code), label })),
    ),
  )
  return ids
}

/** A group of companies as it begins: every page in its menus, the roles of people.md, nobody in them. Answers the roles' ids by code. */
export async function seedTenant(
  tx: Tx,
  tenant: { id: string; name: string; created_at: Date },
): Promise<Map<string, string>> {
  await insert(tx, 'tenants', [{ ...tenant }])
  return seedRoles(tx, tenant.id, await seedPages(tx, tenant.id))
}
