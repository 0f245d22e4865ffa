import { createHash } from 'node:crypto'

import { GROUPS, PAGES, type Page } from '@zhuguan/contract/pages.ts'
import { PERMISSIONS } from '@zhuguan/contract/permissions.ts'

import { uuidv7 } from '../../kit/ids.ts'
import { row, text, type RowOf, uuid } from '../../kit/row.ts'
import type { Tx } from '../connect.ts'
import { LOCKS } from '../locks.ts'
import { SEED_ROLES } from './roles.ts'
import { insert } from './rows.ts'

/** The program's offer to a group: its menus, its operations, and roles to begin with. */
export interface Catalogue {
  groups: Record<string, { name: string; title: string; icon: string; system: string }>
  pages: Record<string, Pick<Page, 'path' | 'title' | 'systems' | 'group' | 'at' | 'of' | 'keepAlive'>>
  powers: Record<string, { page: string; title: string }>
  roles: readonly {
    code: string
    name: string
    scope: string
    pages: readonly string[]
    powers: readonly string[]
  }[]
}
export const CATALOGUE: Catalogue = {
  groups: GROUPS,
  pages: PAGES,
  powers: PERMISSIONS,
  roles: SEED_ROLES,
}
/** The arrival, in the words of the log. */
export interface Arrived {
  pages: string[]
  powers: string[]
  roles: string[]
  grants: string[]
}

const offerRow = row({ id: uuid, system: text, path: text, component_name: text })
type Row = RowOf<typeof offerRow>
const digestOf = (catalogue: Catalogue) =>
  createHash('sha256').update(JSON.stringify(catalogue)).digest('hex')

/** Groups that have not been offered all of this. */
export async function waiting(tx: Tx, catalogue = CATALOGUE): Promise<string[]> {
  const { rows } = await tx.query(
    'offer.waiting',
    row({ id: uuid }),
    `SELECT t.id FROM tenants t
     WHERE NOT EXISTS (SELECT 1 FROM offered o WHERE o.tenant_id = t.id AND o.kind = 'release' AND o.detail = $1)
     ORDER BY t.id`,
    [digestOf(catalogue)],
  )
  return rows.map((r) => r.id)
}

/**
 * Gives a group what it has not been offered yet and remembers it. What administrators renamed, moved, hid or edited
 * stays as they left it; what they took away was offered once and does not come back. Run twice it does nothing.
 */
export async function offer(tx: Tx, tenant: string, catalogue = CATALOGUE): Promise<Arrived> {
  await tx.run('offer.turns', 'SELECT pg_advisory_xact_lock($1::int, hashtext($2))', [LOCKS.offer, tenant])
  const known = new Map(
    (
      await tx.query(
        'offer.known',
        row({ kind: text, key: text, detail: text }),
        'SELECT kind, key, detail FROM offered WHERE tenant_id = $1',
        [tenant],
      )
    ).rows.map((r) => [`${r.kind} ${r.key}`, r.detail]),
  )
  const step = { tx, tenant, catalogue, known }
  const groups = await offerGroups(step)
  const pages = await offerPages(step)
  const powers = await offerPowers(step)
  const roles = await offerRoles(step)
  const grants = [...(await offerRolePages(step)), ...(await offerRolePowers(step))]
  await remember(step)
  return { pages: [...groups, ...pages], powers, roles, grants }
}

interface Step {
  tx: Tx
  tenant: string
  catalogue: Catalogue
  /** The offered rows, with their path or page then. */
  known: Map<string, string>
}
const isNew = ({ known }: Step, kind: string, key: string) => !known.has(`${kind} ${key}`)
/** Menus belong to pages that a subsystem has; sign-in and error pages are nobody's to grant. */
const menuPages = ({ catalogue }: Step) =>
  Object.entries(catalogue.pages).filter(([, p]) => p.systems.length > 0)

const rowsOf = async ({ tx, tenant }: Step): Promise<Row[]> =>
  (
    await tx.query(
      'offer.pages',
      offerRow,
      'SELECT id, system, path, component_name FROM pages WHERE tenant_id = $1',
      [tenant],
    )
  ).rows
/** A path that the program changed moves its row, unless somebody stands there already. */
async function movePath({ tx, tenant }: Step, system: string, component: string, from: string, to: string) {
  await tx.run(
    'offer.path',
    `UPDATE pages p SET path = $5, version = version + 1
     WHERE p.tenant_id = $1 AND p.system = $2 AND p.component_name = $3 AND p.path = $4
       AND NOT EXISTS (SELECT 1 FROM pages o WHERE o.tenant_id = $1 AND o.system = $2 AND o.path = $5)`,
    [tenant, system, component, from, to],
  )
}

const PAGE = {
  parent_id: null,
  icon: '',
  visible: true,
  keep_alive: false,
  memory_router: false,
  component_name: '',
  component: '',
  always_show: false,
}
async function offerGroups(step: Step): Promise<string[]> {
  const { tx, tenant, catalogue, known } = step
  const rows: Record<string, unknown>[] = []
  for (const [i, [path, g]] of Object.entries(catalogue.groups).entries()) {
    const before = known.get(`group ${g.name}`)
    if (before !== undefined && before !== path) await movePath(step, g.system, '', before, path)
    if (before === undefined)
      rows.push({
        ...PAGE,
        tenant_id: tenant,
        id: uuidv7(),
        system: g.system,
        path,
        name: g.title,
        icon: g.icon,
        always_show: true,
        sort: (i + 1) * 10,
      })
  }
  await insert(tx, 'pages', rows, 'ON CONFLICT (tenant_id, system, path) DO NOTHING')
  return rows.map((r) => String(r.name))
}

/** Hidden pages stand behind what the menu shows. */
const HIDDEN = 900
async function offerPages(step: Step): Promise<string[]> {
  const { tx, tenant, known } = step
  const fresh = known.size === 0
  for (const [name, p] of menuPages(step)) {
    const before = known.get(`page ${name}`)
    if (before !== undefined && before !== p.path) await movePath(step, p.systems[0]!, name, before, p.path)
  }
  const here = await rowsOf(step)
  const groupAt = (system: string, path: string | undefined) =>
    here.find((r) => r.component_name === '' && r.system === system && r.path === path)?.id ?? null
  // At the end of its group where people have put the others into an order of their own.
  const last = fresh ? 0 : 1_000
  const rows = menuPages(step).flatMap(([name, p]) =>
    !isNew(step, 'page', name) || here.some((r) => r.component_name === name)
      ? []
      : [
          {
            ...PAGE,
            tenant_id: tenant,
            id: uuidv7(),
            system: p.systems[0],
            parent_id: groupAt(p.systems[0]!, p.group),
            path: p.path,
            name: p.title,
            icon: name === 'HomeMaster' ? 'home' : '',
            visible: p.of === undefined,
            keep_alive: p.keepAlive ?? false,
            component_name: name,
            component: name,
            sort: last + (p.at ?? HIDDEN),
          },
        ],
  )
  await insert(tx, 'pages', rows, 'ON CONFLICT (tenant_id, system, path) DO NOTHING')
  return rows.map((r) => r.name)
}

async function offerPowers(step: Step): Promise<string[]> {
  const { tx, tenant, catalogue, known } = step
  const here = await rowsOf(step)
  const idOf = (page: string | undefined) => here.find((r) => r.component_name === page)?.id
  const rows: Record<string, unknown>[] = []
  for (const [label, p] of Object.entries(catalogue.powers)) {
    const before = known.get(`power ${label}`)
    const page = idOf(p.page)
    // Without its page there is nothing to offer it on; whoever adds the page gets its operations with it.
    if (!page) continue
    if (before === undefined) rows.push({ tenant_id: tenant, page_id: page, label, name: p.title })
    else if (before !== p.page)
      await tx.run(
        'offer.movepower',
        'UPDATE page_powers SET page_id = $3 WHERE tenant_id = $1 AND label = $2 AND page_id = $4',
        [tenant, label, page, idOf(before) ?? null],
      )
  }
  await insert(tx, 'page_powers', rows, 'ON CONFLICT DO NOTHING')
  return rows.map((r) => String(r.label))
}

/** A role that an administrator has made under the same code is theirs. */
/** What a role may take off without the right to give discounts, to begin with; the others nothing. */
const NOTHING = { round_off: '0', give_percent: '0' }
const GIVES = new Map([['quoter', { round_off: '100', give_percent: '2' }]])
async function offerRoles(step: Step): Promise<string[]> {
  const { tx, tenant, catalogue, known } = step
  const rows = catalogue.roles
    .filter((r) => isNew(step, 'role', r.code))
    .map((r) => ({
      tenant_id: tenant,
      id: uuidv7(),
      code: r.code,
      name: r.name,
      data_scope: r.scope,
      status: 1,
      version: 0,
      remark: '',
      ...(GIVES.get(r.code) ?? NOTHING),
    }))
  const taken = await tx.query(
    'offer.taken',
    row({ code: text }),
    'SELECT code FROM roles WHERE tenant_id = $1 AND code = ANY ($2)',
    [tenant, rows.map((r) => r.code)],
  )
  const theirs = new Set(taken.rows.map((r) => r.code))
  await insert(tx, 'roles', rows, 'ON CONFLICT (tenant_id, code) DO NOTHING')
  // Where nothing was ever written down, roles of these codes are those that the group began with.
  for (const r of rows) if (!theirs.has(r.code) || known.size === 0) known.set(`ours ${r.code}`, '')
  return rows.filter((r) => !theirs.has(r.code)).map((r) => r.name)
}
const isOurs = ({ known }: Step, code: string) => known.has(`role ${code}`) || known.has(`ours ${code}`)

async function offerRolePages(step: Step): Promise<string[]> {
  const wanted = step.catalogue.roles
    .filter((r) => isOurs(step, r.code))
    .flatMap((r) => r.pages.filter((p) => isNew(step, 'rolePage', `${r.code} ${p}`)).map((p) => [r.code, p]))
  return grant(
    step,
    wanted,
    `INSERT INTO role_pages (tenant_id, role_id, page_id)
     SELECT $1, r.id, p.id FROM wanted w JOIN roles r ON r.tenant_id = $1 AND r.code = w.code
     JOIN pages p ON p.tenant_id = $1 AND p.component_name = w.what
     ON CONFLICT DO NOTHING RETURNING role_id`,
  )
}
/** An operation goes to a role that may open its page: where the page was taken away, its new operation does not come. */
async function offerRolePowers(step: Step): Promise<string[]> {
  const { catalogue } = step
  const wanted = catalogue.roles
    .filter((r) => isOurs(step, r.code))
    .flatMap((r) =>
      r.powers
        .filter((label) => isNew(step, 'rolePower', `${r.code} ${label}`))
        .map((label) => {
          const page = catalogue.powers[label]?.page ?? ''
          return [r.code, label, r.pages.includes(page) ? page : '']
        }),
    )
  return grant(
    step,
    wanted,
    `INSERT INTO role_powers (tenant_id, role_id, label)
     SELECT $1, r.id, w.what FROM wanted w JOIN roles r ON r.tenant_id = $1 AND r.code = w.code
     WHERE w.page = '' OR EXISTS (
       SELECT 1 FROM role_pages h JOIN pages p ON p.tenant_id = $1 AND p.id = h.page_id AND p.component_name = w.page
       WHERE h.tenant_id = $1 AND h.role_id = r.id)
     ON CONFLICT DO NOTHING RETURNING role_id`,
  )
}
/** Whoever has the role open in an editor is told that it has changed. */
async function grant({ tx, tenant }: Step, wanted: readonly string[][], text: string): Promise<string[]> {
  if (wanted.length === 0) return []
  await tx.run(
    'offer.grant',
    `WITH wanted AS (SELECT * FROM unnest($2::text[], $3::text[], $4::text[]) AS w (code, what, page)),
       given AS (${text})
     UPDATE roles SET version = version + 1 WHERE tenant_id = $1 AND id IN (SELECT role_id FROM given)`,
    [tenant, wanted.map((w) => w[0]), wanted.map((w) => w[1]), wanted.map((w) => w[2] ?? '')],
  )
  return wanted.map((w) => `${w[0]} ${w[1]}`)
}

async function remember(step: Step): Promise<void> {
  const { tx, tenant, catalogue } = step
  const rows = [
    ...Object.entries(catalogue.groups).map(([path, g]) => ['group', g.name, path]),
    ...menuPages(step).map(([name, p]) => ['page', name, p.path]),
    ...Object.entries(catalogue.powers).map(([label, p]) => ['power', label, p.page]),
    ...catalogue.roles.map((r) => ['role', r.code, '']),
    ...catalogue.roles.flatMap((r) => r.pages.map((p) => ['rolePage', `${r.code} ${p}`, ''])),
    ...catalogue.roles.flatMap((r) => r.powers.map((l) => ['rolePower', `${r.code} ${l}`, ''])),
    ['release', 'catalogue', digestOf(catalogue)],
  ]
  await insert(
    tx,
    'offered',
    rows.map(([kind, key, detail]) => ({ tenant_id: tenant, kind, key, detail })),
    'ON CONFLICT (tenant_id, kind, key) DO UPDATE SET detail = excluded.detail',
  )
}
