import { patrolKind, type TemplateItem } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import type { patrolPlansApi, patrolTemplatesApi } from '@zhuguan/contract/features/patrols/plans.api.ts'
import {
  planEvery,
  planShare,
  planStatus,
  type TemplateRow,
  templateStatus,
  weekday,
} from '@zhuguan/contract/features/patrols/plans.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf, QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int2, int2s, int4, jsonb, row, type RowOf, text, there, uuid, uuids } from '../../kit/row.ts'
import { reaching, scopedBranches, whole } from '../../kit/scoped.ts'
import { epoch, type PageOf, TODAY, type Where } from '../../kit/statement.ts'

export const namesOf = (users: string): string =>
  `coalesce((SELECT string_agg(u.nickname, '、' ORDER BY u.nickname) FROM users u
       WHERE u.tenant_id = $1 AND u.id = ANY (${users})), '')`

const templateRow = row<TemplateRow & { changedBy: string; changedAt: number | null }>({
  id: uuid,
  name: text,
  bc_id: uuid.null,
  bc_name: text,
  items: jsonb<TemplateItem[]>(),
  status: int2.of(templateStatus),
  plans: int4,
  version: int4,
  changedBy: text,
  changedAt: float8.null,
})
const TEMPLATE = `SELECT m.id, m.name, m.bc_id, coalesce(c.bc_name, '') AS bc_name, m.items, m.status, (
       SELECT count(*)::int FROM patrol_plans p
       WHERE p.tenant_id = $1 AND p.template_id = m.id AND p.status = ${planStatus.code.active}) AS plans, m.version,
     m.changed_by AS "changedBy", ${epoch('m.changed_at')} AS "changedAt"
   FROM patrol_templates m
   LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = m.bc_id`
/** Templates of the group, and those of branches in reach. */
function templateScope(scope: Scope): Where {
  if (whole(scope)) return scopedBranches(scope, 'm')
  const group = (branches: string) => `(m.bc_id IS NULL OR ${branches})`
  return reaching(scope, 'm', {
    branch: (p) => group(`m.bc_id = ANY(${p}::uuid[])`),
    site: (p) =>
      group(`m.bc_id IN (SELECT k.bc_id FROM sites k WHERE k.tenant_id = $1 AND k.id = ANY(${p}::uuid[]))`),
  })
}
export async function templatesOf(
  tx: Tx,
  scope: Scope,
  q: QueryOf<(typeof patrolTemplatesApi)['list']>,
): Promise<TemplateRow[]> {
  const where = templateScope(scope)
    .when(q.status, (p) => `m.status = ANY(${p}::smallint[])`)
    .when(q.bc_id, (p) => `coalesce(m.bc_id, ${p}::uuid) = ${p}::uuid`)
  const { rows } = await tx.query(
    'patrols.templates',
    templateRow,
    `${TEMPLATE} WHERE ${where.text} ORDER BY m.status, m.bc_id NULLS FIRST, m.name, m.id`,
    where.values,
  )
  return rows.map(({ changedBy: _by, changedAt: _at, ...template }) => template)
}
export async function lockTemplate(tx: Tx, scope: Scope, id: string) {
  const where = templateScope(scope).add((p) => `m.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'patrols.template',
    templateRow,
    `${TEMPLATE} WHERE ${where.text} FOR UPDATE OF m`,
    where.values,
  )
  return rows[0]
}
export const addTemplate = (
  tx: Tx,
  tenant: string,
  t: { id: string; bc: string | null; name: string; items: readonly TemplateItem[]; by: string },
) =>
  tx.run(
    'patrols.addtemplate',
    `INSERT INTO patrol_templates (tenant_id, id, bc_id, name, items, changed_by, changed_at)
     VALUES ($1, $2, $3, $4, $5::jsonb, $6, :now)`,
    [tenant, t.id, t.bc, t.name, JSON.stringify(t.items), t.by],
  )
export const writeTemplate = (
  tx: Tx,
  tenant: string,
  t: { id: string; name: string; items: readonly TemplateItem[]; status: number; by: string },
) =>
  tx.run(
    'patrols.writetemplate',
    `UPDATE patrol_templates
     SET name = $3, items = $4::jsonb, status = $5, changed_by = $6, changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, t.id, t.name, JSON.stringify(t.items), t.status, t.by],
  )

const THIS_MONTH = `date_trunc('month', :now AT TIME ZONE 'Asia/Shanghai') AT TIME ZONE 'Asia/Shanghai'`
/** When the next occurrence that nobody has done ends. */
const MADE = `(SELECT min(k.closes_at) FROM patrol_tasks k
     WHERE k.tenant_id = $1 AND k.plan_id = p.id AND k.outcome IS NULL AND k.closes_at > :now)`
/** When the first window ends that begins today or later and of which no occurrence was made. */
const COMING = `(SELECT min((d.day + (p.days - 1) + p.to_time::time) AT TIME ZONE 'Asia/Shanghai')
     FROM (SELECT greatest(${TODAY}, p.starts_on) + n AS day FROM generate_series(0, 14) n) d
     WHERE p.status = ${planStatus.code.active} AND extract(isodow FROM d.day)::smallint = ANY (p.weekdays)
       AND (d.day + (p.days - 1) + p.to_time::time) AT TIME ZONE 'Asia/Shanghai' > :now
       AND NOT EXISTS (
         SELECT 1 FROM patrol_tasks k WHERE k.tenant_id = $1 AND k.plan_id = p.id AND k.day = d.day))`
/** Occurrences are made for today and tomorrow: further off, the plan's own words say when. Of a stage nobody can. */
const NEXT = `coalesce(${MADE}, ${COMING})`
export const planPage = (scope: Scope, q: QueryOf<(typeof patrolPlansApi)['list']>): PageOf => ({
  name: 'patrols.plans',
  columns: `p.id, p.name, p.kind, p.template_id, coalesce(m.name, '') AS "templateName", p.bc_id, c.bc_name, p.site_ids,
     (SELECT count(*)::int FROM sites w
      WHERE w.tenant_id = $1 AND w.bc_id = p.bc_id AND w.status = 1 AND w.deleted_at IS NULL
        AND (p.site_ids IS NULL OR w.id = ANY (p.site_ids))) AS sites, p.every, p.weekdays, p.stage, p.share,
     p.user_ids, ${namesOf('p.user_ids')} AS "userNames", p.from_time AS "fromTime", p.to_time AS "toTime", p.days,
     p.status, n.done, n.due, ${epoch(NEXT)} AS "nextDue", p.version`,
  base: 'patrol_plans p',
  joins: `JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
   LEFT JOIN patrol_templates m ON m.tenant_id = $1 AND m.id = p.template_id
   CROSS JOIN LATERAL (
     SELECT count(*) FILTER (WHERE k.outcome IS NOT NULL)::int AS done,
       count(*) FILTER (WHERE k.outcome IS NOT NULL OR k.closes_at <= :now)::int AS due
     FROM patrol_tasks k
     WHERE k.tenant_id = $1 AND k.plan_id = p.id AND k.closes_at >= ${THIS_MONTH}
       AND k.outcome IS DISTINCT FROM 6) n`,
  where: scopedBranches(scope, 'p')
    .when(q.id, (p) => `p.id = ${p}::uuid`)
    .when(q.kind, (p) => `p.kind = ANY(${p}::text[])`)
    .when(q.bc_id, (p) => `p.bc_id = ANY(${p}::uuid[])`)
    .when(q.user_id, (p) => `${p}::uuid = ANY (p.user_ids)`)
    .when(q.status, (p) => `p.status = ANY(${p}::smallint[])`),
  sort: q.sort,
  otherwise: ['p.status ASC', 'p.name ASC'],
  tie: 'p.id ASC',
  sortable: { name: 'p.name', kind: 'p.kind', status: 'p.status', nextDue: NEXT },
  filled: ['name', 'kind', 'status'],
  pageNo: q.pageNo,
  pageSize: q.pageSize,
})

const lockedPlan = row({
  id: uuid,
  bc_id: uuid,
  name: text,
  kind: text.of(patrolKind),
  template_id: uuid.null,
  site_ids: uuids.null,
  every: text.of(planEvery),
  weekdays: int2s.of(weekday),
  stage: text.of(siteStage).null,
  share: text.of(planShare),
  user_ids: uuids,
  fromTime: text,
  toTime: text,
  days: int2,
  status: int2.of(planStatus),
  version: int4,
  changedBy: text,
  changedAt: float8.null,
})
export type LockedPlan = RowOf<typeof lockedPlan>
export async function lockPlan(tx: Tx, scope: Scope, id: string): Promise<LockedPlan | undefined> {
  const where = scopedBranches(scope, 'p').add((p) => `p.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'patrols.plan',
    lockedPlan,
    `SELECT p.id, p.bc_id, p.name, p.kind, p.template_id, p.site_ids, p.every, p.weekdays, p.stage, p.share,
       p.user_ids, p.from_time AS "fromTime", p.to_time AS "toTime", p.days, p.status, p.version,
       p.changed_by AS "changedBy", ${epoch('p.changed_at')} AS "changedAt"
     FROM patrol_plans p
     WHERE ${where.text}
     FOR UPDATE OF p`,
    where.values,
  )
  return rows[0]
}

export type PlanBody = Omit<BodyOf<(typeof patrolPlansApi)['add']>, 'bc_id'>
const valuesOf = (tenant: string, id: string, bc: string, plan: PlanBody, by: string) => [
  tenant,
  id,
  bc,
  plan.name,
  plan.kind,
  plan.template_id ?? null,
  plan.site_ids ?? null,
  plan.every,
  plan.weekdays,
  plan.stage ?? null,
  plan.share,
  plan.user_ids,
  plan.fromTime,
  plan.toTime,
  plan.days,
  by,
]
export const addPlan = (tx: Tx, tenant: string, id: string, bc: string, plan: PlanBody, by: string) =>
  tx.run(
    'patrols.addplan',
    `INSERT INTO patrol_plans (tenant_id, id, bc_id, name, kind, template_id, site_ids, every, weekdays, stage, share,
       user_ids, from_time, to_time, days, starts_on, changed_by, changed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
       (:now AT TIME ZONE 'Asia/Shanghai')::date, $16, :now)`,
    valuesOf(tenant, id, bc, plan, by),
  )
export const writePlan = (tx: Tx, tenant: string, id: string, bc: string, plan: PlanBody, by: string) =>
  tx.run(
    'patrols.writeplan',
    `UPDATE patrol_plans
     SET name = $4, kind = $5, template_id = $6, site_ids = $7, every = $8, weekdays = $9, stage = $10, share = $11,
       user_ids = $12, from_time = $13, to_time = $14, days = $15, changed_by = $16, changed_at = :now,
       version = version + 1
     WHERE tenant_id = $1 AND id = $2 AND bc_id = $3`,
    valuesOf(tenant, id, bc, plan, by),
  )
export const stopPlan = (tx: Tx, tenant: string, id: string, by: string) =>
  tx.run(
    'patrols.stopplan',
    `UPDATE patrol_plans
     SET status = ${planStatus.code.stopped}, changed_by = $3, changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, id, by],
  )

/** Which of these are sites of the branch that may be patrolled. */
export async function sitesIn(tx: Tx, scope: Scope, bc: string, sites: readonly string[]): Promise<number> {
  const where = reaching(scope, 'w', {
    branch: (p) => `w.bc_id = ANY(${p}::uuid[])`,
    site: (p) => `w.id = ANY(${p}::uuid[])`,
  })
    .add((p) => `w.bc_id = ${p}::uuid`, bc)
    .add((p) => `w.id = ANY (${p}::uuid[])`, sites)
    .plain('w.deleted_at IS NULL')
  const { rows } = await tx.query(
    'patrols.sites',
    row({ n: int4 }),
    `SELECT count(*)::int AS n FROM sites w WHERE ${where.text}`,
    where.values,
  )
  return rows[0]!.n
}
/** Number of these that go on: not finished, not terminated. */
export async function sitesLiving(tx: Tx, tenant: string, sites: readonly string[]): Promise<number> {
  const { rows } = await tx.query(
    'patrols.livingsites',
    row({ n: int4 }),
    `SELECT count(*)::int AS n FROM sites w
     WHERE w.tenant_id = $1 AND w.id = ANY ($2::uuid[]) AND w.status NOT IN (3, 4)`,
    [tenant, sites],
  )
  return rows[0]!.n
}
/** People of the branch among these, and which of them may do it by one of their roles. */
export async function peopleOf(
  tx: Tx,
  q: { tenant: string; bc: string; people: readonly string[]; power: string },
) {
  const { rows } = await tx.query(
    'patrols.people',
    row({ id: uuid, nickname: text, able: int4 }),
    `SELECT u.id, u.nickname, (
       SELECT count(*)::int
       FROM user_roles ur
       JOIN roles ro ON ro.tenant_id = $1 AND ro.id = ur.role_id AND ro.status = 1
       JOIN role_powers rp ON rp.tenant_id = $1 AND rp.role_id = ro.id AND rp.label IN ($4, '*:*:*')
       WHERE ur.tenant_id = $1 AND ur.user_id = u.id) AS able
     FROM users u
     WHERE u.tenant_id = $1 AND u.id = ANY ($3::uuid[]) AND u.status = 1 AND u.deleted_at IS NULL
       AND (u.bc_id = $2 OR EXISTS (
         SELECT 1 FROM user_branches b WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = $2))`,
    [q.tenant, q.bc, q.people, q.power],
  )
  return rows
}

/** A branch that takes part in the group's work. */
export async function branchOpen(tx: Tx, tenant: string, bc: string): Promise<boolean> {
  const { rows } = await tx.query(
    'patrols.branch',
    there,
    'SELECT 1 FROM companies c WHERE c.tenant_id = $1 AND c.bc_id = $2 AND c.status = 1',
    [tenant, bc],
  )
  return rows.length > 0
}
