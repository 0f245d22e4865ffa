import { correctionStatus, correctionStep } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import {
  itemVerdict,
  lineOf,
  patrolKind,
  patrolPlace,
  patrolStatus,
  scoreOf,
  type TemplateItem,
} from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { planEvery, planShare, taskState } from '@zhuguan/contract/features/patrols/plans.record.ts'
import { siteStage, tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Tx } from '../../database/connect.ts'
import { insert } from '../../database/seed/rows.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { float8, int2, int4, jsonb, row, type RowOf, text, uuid, uuids } from '../../kit/row.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { epoch } from '../../kit/statement.ts'
import { tellFound } from '../corrections/opening.service.ts'
import { makeDays, makeStages } from './tasks.queries.ts'

const DAYS = 14
const HOUR = 3_600
/** Hours that a correction of theirs has. */
const IN_TIME = 48
const MINUTE = 60
const WEEK = [1, 2, 3, 4, 5, 6, 7]
const { each, one } = planShare.code
const { plan: planned, remote, scene } = patrolKind.code

/** What the demo's branches want to be looked at; where nobody has the role there is no such plan. */
const PLANS = [
  {
    name: '项目经理日检',
    kind: scene,
    template: '日常巡检',
    role: 'pm',
    share: one,
    weekdays: WEEK.slice(0, 6),
  },
  { name: '管家周检', kind: scene, template: '日常巡检', role: 'steward', share: each, weekdays: [3, 6] },
  { name: '每日云巡检', kind: remote, template: '', role: 'inspector', share: one, weekdays: WEEK },
  { name: '瓦工开工巡检', kind: planned, template: '瓦工阶段', role: 'pm', share: one, weekdays: [] },
] as const
const HOURS: Record<string, [from: string, to: string]> = {
  [scene]: ['08:00', '18:00'],
  [remote]: ['09:00', '17:30'],
  [planned]: ['08:00', '18:00'],
}
const ofStage = (plan: (typeof PLANS)[number]) => plan.kind === planned

/** What is wrong where something is. */
const PROBLEMS: Record<string, string> = {
  工地形象: '入户门保护膜破损，工地牌掉落',
  材料堆放: '石膏板靠墙斜放，没有垫高',
  地面清洁: '客厅垃圾三天没有清运',
  临时用电: '插线板拖在地上，没有接漏电保护',
  消防: '灭火器压力不足，指针在红区',
  成品保护: '地漏没有封堵，已经进了砂浆',
  着装: '两名工人没有穿工服',
  进度: '比计划落后四天，缺人手',
  墙地砖空鼓: '主卫北墙三块墙砖空鼓',
  平整度: '餐厅地砖两米靠尺偏差 4 毫米',
  接缝: '厨房墙砖缝宽不一致',
  阴阳角: '阳台阳角崩瓷一处',
  地面坡度: '次卫门口积水，坡度不够',
  地漏安装: '淋浴区地漏高出砖面',
}
const REMOTE_PROBLEMS = ['客厅堆满建筑垃圾', '水泥沙子散落一地', '材料堵住了过道']

async function plansOf(tx: Tx, tenant: string, today: string): Promise<void> {
  const { rows } = await tx.query(
    'patrols.demobranches',
    row({ bc_id: uuid, role: text, people: uuids }),
    `SELECT c.bc_id, ro.code AS role, array_agg(u.id ORDER BY u.id) AS people
     FROM companies c
     JOIN users u ON u.tenant_id = $1 AND u.bc_id = c.bc_id AND u.status = 1
     JOIN user_roles ur ON ur.tenant_id = $1 AND ur.user_id = u.id
     JOIN roles ro ON ro.tenant_id = $1 AND ro.id = ur.role_id
     WHERE c.tenant_id = $1 AND NOT EXISTS (
       SELECT 1 FROM patrol_plans p WHERE p.tenant_id = $1 AND p.bc_id = c.bc_id)
     GROUP BY c.bc_id, ro.code`,
    [tenant],
  )
  const { rows: templates } = await tx.query(
    'patrols.demotemplates',
    row({ id: uuid, name: text }),
    'SELECT m.id, m.name FROM patrol_templates m WHERE m.tenant_id = $1 AND m.bc_id IS NULL',
    [tenant],
  )
  await insert(
    tx,
    'patrol_plans',
    rows.flatMap(({ bc_id, people, role }) =>
      PLANS.filter((p) => p.role === role).map((p) => ({
        tenant_id: tenant,
        id: uuidv7(),
        bc_id,
        name: p.name,
        kind: p.kind,
        template_id: templates.find((t) => t.name === p.template)?.id ?? null,
        every: ofStage(p) ? planEvery.code.stage : planEvery.code.day,
        weekdays: p.weekdays,
        stage: ofStage(p) ? siteStage.code.tiling : null,
        share: p.share,
        user_ids: people,
        from_time: HOURS[p.kind]![0],
        to_time: HOURS[p.kind]![1],
        days: ofStage(p) ? 3 : 1,
        starts_on: addDays(today, -DAYS),
        status: 1,
        changed_by: '',
        version: 0,
      })),
    ),
  )
}

const wantedRow = row({
  id: uuid,
  hash: int4,
  bc_id: uuid,
  site_id: uuid,
  ws_name: text,
  lng: float8.null,
  lat: float8.null,
  kind: text.of(patrolKind),
  template_id: uuid.null,
  template: text,
  items: jsonb<TemplateItem[]>().null,
  inspector_id: uuid,
  inspector: text,
  manager_id: uuid.null,
  manager: text.null,
  steward: text.null,
  opensAt: float8,
  closesAt: float8,
  picture: text.null,
  pictureAt: float8.null,
  device_id: uuid.null,
  result: int2.of(tidinessResult).null,
})
type Wanted = RowOf<typeof wantedRow>
/** Occurrences that opened on the day, with what their sites' cameras saw last. */
async function wantedOn(tx: Tx, tenant: string, day: string): Promise<Wanted[]> {
  const { rows } = await tx.query(
    'patrols.demotasks',
    wantedRow,
    `SELECT t.id, abs(hashtext(t.id::text)) AS hash, t.bc_id, t.site_id, w.ws_name, w.lng, w.lat, l.kind,
       l.template_id, coalesce(m.name, '') AS template, m.items, u.id AS inspector_id, u.nickname AS inspector,
       w.manager_id, g.nickname AS manager, s.nickname AS steward, ${epoch('t.opens_at')} AS "opensAt",
       ${epoch('t.closes_at')} AS "closesAt", coalesce(y.picture, z.picture) AS picture,
       ${epoch('y.at')} AS "pictureAt", y.device_id, y.result
     FROM patrol_tasks t
     JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id
     JOIN sites w ON w.tenant_id = $1 AND w.id = t.site_id
     JOIN users u ON u.tenant_id = $1 AND u.id = t.user_ids[1]
     LEFT JOIN users g ON g.tenant_id = $1 AND g.id = w.manager_id
     LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
     LEFT JOIN patrol_templates m ON m.tenant_id = $1 AND m.id = l.template_id
     LEFT JOIN LATERAL (
       SELECT k.picture, k.at, k.device_id, k.result
       FROM tidiness_checks k
       WHERE k.tenant_id = $1 AND k.site_id = t.site_id AND k.at < t.closes_at
       ORDER BY k.at DESC LIMIT 1) y ON l.kind = '${remote}'
     LEFT JOIN LATERAL (
       SELECT k.picture
       FROM tidiness_checks k
       WHERE k.tenant_id = $1 AND k.site_id = t.site_id AND k.picture IS NOT NULL
         AND k.at < t.closes_at + interval '6 hours'
       ORDER BY k.at DESC LIMIT 1) z ON l.kind <> '${remote}'
     WHERE t.tenant_id = $1 AND t.outcome IS NULL
       AND (t.opens_at AT TIME ZONE 'Asia/Shanghai')::date = $2::date
       AND NOT EXISTS (SELECT 1 FROM patrols p WHERE p.tenant_id = $1 AND p.task_id = t.id)
     ORDER BY t.id`,
    [tenant, day],
  )
  return rows
}

/** A few metres beside the site; now and then somebody begins on the way. */
function standing(t: Wanted) {
  if (t.kind === remote || t.lng === null || t.lat === null || t.hash % 23 === 0)
    return { lng: null, lat: null, accuracy: null, distance: null, place: patrolPlace.code.unknown }
  const away = t.hash % 17 === 0 ? 1_400 + (t.hash % 900) : 8 + (t.hash % 90)
  const place = away > 1_000 ? patrolPlace.code.far : patrolPlace.code.near
  return { lng: t.lng, lat: t.lat + away / 111_195, accuracy: 5 + (t.hash % 30), distance: away, place }
}
/** What was found of a site, item by item. */
function foundOf(t: Wanted, patrol: string) {
  const base = { patrol_id: patrol, remark: '', correction_id: null as string | null }
  const pictures = t.picture ? [t.picture] : []
  if (t.kind === remote)
    return t.result === tidinessResult.code.poor && t.picture
      ? [REMOTE_PROBLEMS[t.hash % REMOTE_PROBLEMS.length]!].map((problem) => ({
          ...base,
          id: uuidv7(),
          sort: 0,
          title: problem,
          hint: '',
          weight: 1,
          photo: true,
          verdict: itemVerdict.code.failed,
          pictures,
          problem,
        }))
      : []
  return (t.items ?? []).map((item, sort) => {
    // What fails is seen on a picture; the demo's cameras sent them in the last days only.
    const isBad = t.picture !== null && (t.hash >> (sort + 1)) % 16 === 0
    return {
      ...base,
      id: uuidv7(),
      sort,
      ...item,
      verdict: isBad ? itemVerdict.code.failed : itemVerdict.code.passed,
      pictures: isBad || item.photo ? pictures : [],
      problem: isBad ? (PROBLEMS[item.title] ?? `${item.title}不合格`) : '',
    }
  })
}

/** What one occurrence came to; nothing where nobody went, or where it is not yet time. */
function doneOf(tenant: string, t: Wanted, now: number) {
  const chance = t.hash % 100
  const span = t.closesAt - t.opensAt
  const isLate = chance >= 86 && chance < 92
  const begun = isLate
    ? t.closesAt + (1 + (t.hash % 3)) * HOUR
    : t.opensAt + (span * (10 + (t.hash % 80))) / 100
  const submitted = begun + (t.kind === remote ? 2 : 12 + (t.hash % 20)) * MINUTE
  if (chance >= 92 || submitted > now) return undefined
  const id = uuidv7()
  const items = foundOf(t, id)
  const problems = items.filter((i) => i.verdict === itemVerdict.code.failed)
  const isDone = submitted <= t.closesAt
  return {
    task: t,
    items,
    problems,
    submitted,
    outcome: isDone ? taskState.code.done : taskState.code.late,
    patrol: {
      tenant_id: tenant,
      id,
      bc_id: t.bc_id,
      site_id: t.site_id,
      kind: t.kind,
      task_id: t.id,
      template_id: t.template_id,
      template: t.template,
      inspector_id: t.inspector_id,
      begun_at: new Date(begun * 1000),
      submitted_at: new Date(submitted * 1000),
      status: patrolStatus.code.submitted,
      ...standing(t),
      score: t.kind === remote ? null : scoreOf(items),
      problems: problems.length,
      remark: '',
      reason: '',
      device_id: t.kind === remote ? t.device_id : null,
      picture: null,
      picture_at: t.kind === remote && t.pictureAt ? new Date(t.pictureAt * 1000) : null,
      tidiness: t.kind === remote ? t.result : null,
      version: 1,
    },
  }
}
type Done = NonNullable<ReturnType<typeof doneOf>>

/** So long after it was found the demo's managers had put it right; one in five took longer than they had. */
const hoursOf = ({ hash }: Wanted): number => (hash % 5 === 3 ? IN_TIME + 20 + (hash % 70) : 6 + (hash % 40))
/** Most of what was found was put right within two days; what is younger waits for its manager. */
async function tellProblems(tx: Tx, tenant: string, done: readonly Done[], now: number): Promise<void> {
  const found = done.flatMap(({ task: t, problems, submitted }) => {
    const { manager } = t
    return manager === null
      ? []
      : problems.map((item) => {
          const closed = submitted + hoursOf(t) * HOUR
          const isOver = closed < now && t.hash % 9 !== 0
          item.correction_id = uuidv7()
          return {
            tenant_id: tenant,
            id: item.correction_id,
            bc_id: t.bc_id,
            site_id: t.site_id,
            source: 'patrol',
            source_id: item.id,
            problem: item.problem,
            pictures: item.pictures,
            at: new Date(submitted * 1000),
            correction_status: isOver ? correctionStatus.code.corrected : correctionStatus.code.correcting,
            step: isOver ? correctionStep.code.submitted : correctionStep.code.assigned,
            round: 1,
            disputed: false,
            assignee_id: t.manager_id,
            corrector_id: isOver ? t.manager_id : null,
            verified_by: isOver ? (t.steward ?? t.inspector) : '',
            due_at: new Date((submitted + IN_TIME * HOUR) * 1000),
            closed_at: isOver ? new Date(closed * 1000) : null,
            version: isOver ? 2 : 0,
            changed_by: t.inspector,
            changed_at: new Date((isOver ? closed : submitted) * 1000),
            told: [
              { at: submitted, actor: t.inspector, action: '发现问题', text: `指派给 ${manager}` },
              ...(isOver
                ? [
                    { at: closed - HOUR, actor: manager, action: '提交整改照片', text: '已按要求整改' },
                    { at: closed, actor: t.steward ?? t.inspector, action: '复核通过', text: '' },
                  ]
                : []),
            ],
          }
        })
  })
  await tellFound(
    tx,
    found.map(({ told: _told, ...correction }) => correction),
    found.flatMap(({ id, told }) =>
      told.map((line) => ({
        ...line,
        tenant_id: tenant,
        id: uuidv7(),
        correction_id: id,
        at: new Date(line.at * 1000),
        pictures: [],
      })),
    ),
  )
}

/** What the demo's staff patrolled on one of the last days; answers what their sites' timelines tell of it. */
export async function tellPatrols(tx: Tx, tenant: string, day: string) {
  const today = shanghaiDay(tx.now)
  if (day < addDays(today, -DAYS)) return []
  const now = tx.now.getTime() / 1000
  await plansOf(tx, tenant, today)
  await makeDays(tx, { tenant, days: day === today ? [day, addDays(day, 1)] : [day], plan: null, over: true })
  await makeStages(tx, { tenant, today: day, plan: null })
  const done = (await wantedOn(tx, tenant, day)).flatMap((t) => doneOf(tenant, t, now) ?? [])
  if (done.length === 0) return []
  await tellProblems(tx, tenant, done, now)
  await tx.run(
    'patrols.demo',
    `INSERT INTO patrols (tenant_id, id, number, bc_id, site_id, kind, task_id, template_id, template, inspector_id,
       begun_at, submitted_at, status, lng, lat, accuracy, distance, place, score, problems, remark, device_id,
       picture_at, tidiness, reason, version)
     SELECT p.tenant_id, p.id, 'XJ' || lpad(nextval('patrol_numbers')::text, 6, '0'), p.bc_id, p.site_id, p.kind,
       p.task_id, p.template_id, p.template, p.inspector_id, p.begun_at, p.submitted_at, p.status, p.lng, p.lat,
       p.accuracy, p.distance, p.place, p.score, p.problems, p.remark, p.device_id, p.picture_at, p.tidiness,
       p.reason, p.version
     FROM json_populate_recordset(NULL::patrols, $1::json) p
     ORDER BY p.submitted_at`,
    [JSON.stringify(done.map((d) => d.patrol))],
  )
  // One picture is judged once by one person: where the camera sent none since, the patrol shows none.
  await tx.run(
    'patrols.demostills',
    `UPDATE patrols p
     SET picture = x.picture
     FROM (SELECT DISTINCT ON (o.picture) o.id, o.picture, o.inspector
       FROM json_to_recordset($2::json) AS o(id uuid, picture text, inspector uuid)
       ORDER BY o.picture, o.id) x
     WHERE p.tenant_id = $1 AND p.id = x.id AND NOT EXISTS (
       SELECT 1 FROM patrols q
       WHERE q.tenant_id = $1 AND q.inspector_id = x.inspector AND q.picture = x.picture)`,
    [
      tenant,
      JSON.stringify(
        done
          .filter((d) => d.task.kind === remote && d.task.picture)
          .map((d) => ({ id: d.patrol.id, picture: d.task.picture, inspector: d.task.inspector_id })),
      ),
    ],
  )
  await insert(
    tx,
    'patrol_items',
    done.flatMap((d) => d.items.map((item) => ({ ...item, tenant_id: tenant }))),
  )
  await tx.run(
    'patrols.demotaskdone',
    `UPDATE patrol_tasks t
     SET outcome = x.outcome, version = t.version + 1
     FROM json_to_recordset($2::json) AS x(id uuid, outcome smallint)
     WHERE t.tenant_id = $1 AND t.id = x.id`,
    [tenant, JSON.stringify(done.map((d) => ({ id: d.task.id, outcome: d.outcome })))],
  )
  return done.map(({ task: t, patrol: p, submitted }) => ({
    tenant,
    bc: t.bc_id,
    site: t.site_id,
    kind: 'patrol' as const,
    at: submitted,
    title: lineOf(p),
    actor: t.inspector,
    ref: p.id,
    picture: t.picture,
  }))
}
