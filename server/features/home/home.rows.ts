import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { examineKind } from '@zhuguan/contract/features/examine/examine.record.ts'
import { feedbackLevel } from '@zhuguan/contract/features/feedback/feedback.record.ts'
import type { CardFigure, HomeRow } from '@zhuguan/contract/features/home/home.record.ts'
import { siteStage, tidinessLevel } from '@zhuguan/contract/features/sites/sites.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int4, row, text, uuid } from '../../kit/row.ts'
import { scoped, scopedStores, siteScope } from '../../kit/scoped.ts'
import { dayBegins, epoch, TODAY } from '../../kit/statement.ts'
import { overdue } from '../corrections/corrections.reads.ts'
import { deviceScope } from '../devices/devices.reads.ts'
import { firstToJudge, type Judge } from '../examine/examine.reads.ts'
import { firstComplaints } from '../feedback/complaints.reads.ts'
import { customerRows } from './customers.figures.ts'
import { DELIVERY_CARDS } from './delivered.figures.ts'
import { DELIVERY_ROWS } from './delivered.rows.ts'
import type { HomeReach } from './home.figures.ts'
import { SIGNED } from './home.queries.ts'
import { MONEY_ROWS } from './money.figures.ts'
import { FIRST, MOST } from './most-rows.ts'
import { overdueRows } from './overdue.figures.ts'
import { promiseRows } from './promises.figures.ts'
import { questionRows } from './questions.figures.ts'
import { replyRows } from './replies.figures.ts'
import { warningRows } from './warnings.figures.ts'

/** `isLateApart`: what is late stands on a card of its own. */
type Rows = (tx: Tx, reach: HomeReach, now: Date, isLateApart: boolean) => Promise<HomeRow[]>
const siteLink = (id: string) => linkTo('SiteInfo', { id })
/** A row with neither picture nor moment. */
const plain = (id: string, link: string) => ({ id, link, picture: null, at: null, late: false })
const deviceLink = (sn: string) => linkTo('DeviceList', { keyword: sn })

const ALARMS = {
  open: 'a.correction_status IN (1, 2)',
  late: overdue('a'),
  inTime: `a.correction_status IN (1, 2) AND NOT coalesce(${overdue('a')}, false)`,
}
/** Alarms, the one whose time ends or ended first is first. */
async function alarms(tx: Tx, scope: Scope, which: keyof typeof ALARMS): Promise<HomeRow[]> {
  const where = scoped(scope, 'a').plain(ALARMS[which])
  const { rows } = await tx.query(
    'home.alarmrows',
    row({
      id: uuid,
      type: text.of(alarmType),
      text,
      picture: text.null,
      at: float8.null,
      late: bool,
    }),
    `SELECT a.id, a.type, w.ws_name AS text, a.picture, ${epoch('a.due_at')} AS at,
       coalesce(${overdue('a')}, false) AS late
     FROM alarms a
     JOIN sites w ON w.tenant_id = $1 AND w.id = a.site_id
     WHERE ${where.text}
     ORDER BY a.due_at NULLS LAST, a.at DESC, a.id DESC
     ${FIRST}`,
    where.values,
  )
  return rows.map(({ type, ...a }) => ({
    ...a,
    title: alarmType.label(type),
    link: linkTo('AlarmEvent', { id: a.id }),
  }))
}

/** Sites under construction, the newest first, and how far each is. */
async function building(tx: Tx, scope: Scope): Promise<HomeRow[]> {
  const where = siteScope(scope).plain('w.status = 1')
  const { rows } = await tx.query(
    'home.siterows',
    row({ id: uuid, title: text, stage: text.of(siteStage).null, progress: int4 }),
    `SELECT w.id, w.ws_name AS title, w.stage, w.progress::int AS progress
     FROM sites w
     WHERE ${where.text}
     ORDER BY w.start_date DESC NULLS LAST, w.id
     ${FIRST}`,
    where.values,
  )
  return rows.map(({ id, title, stage, progress }) => ({
    ...plain(id, siteLink(id)),
    title,
    text: `${siteStage.label(stage)} · 进度 ${progress}%`,
  }))
}

/** Sites that stand, the longest first. */
async function standing(tx: Tx, scope: Scope): Promise<HomeRow[]> {
  const where = siteScope(scope).plain(`w.no_work <> '{}'`)
  const { rows } = await tx.query(
    'home.stoppedrows',
    row({ id: uuid, title: text, run: int4, sum: int4 }),
    `SELECT w.id, w.ws_name AS title, w.no_work_run AS run, w.no_work_sum AS sum
     FROM sites w
     WHERE ${where.text}
     ORDER BY w.no_work_run DESC, w.id DESC
     ${FIRST}`,
    where.values,
  )
  return rows.map(({ id, title, run, sum }) => ({
    ...plain(id, siteLink(id)),
    title,
    text: `${run ? `连续 ${run} 天 · ` : ''}累计 ${sum} 天`,
  }))
}

/** Sites whose last verdict is 差, with the picture that it was given for. */
async function untidy(tx: Tx, scope: Scope): Promise<HomeRow[]> {
  const where = siteScope(scope).plain(`w.status = 1 AND w.tidiness = ${tidinessLevel.code.poor}`)
  const { rows } = await tx.query(
    'home.untidyrows',
    row({ id: uuid, title: text, picture: text.null, at: float8.null }),
    `SELECT w.id, w.ws_name AS title, k.picture, ${epoch('k.at')} AS at
     FROM sites w
     LEFT JOIN LATERAL (
       SELECT t.picture, t.at
       FROM tidiness_checks t
       WHERE t.tenant_id = $1 AND t.site_id = w.id AND t.result = ${tidinessLevel.code.poor} AND NOT t.replaced
       ORDER BY t.at DESC
       LIMIT 1) k ON true
     WHERE ${where.text}
     ORDER BY k.at DESC NULLS LAST, w.id
     ${FIRST}`,
    where.values,
  )
  return rows.map((r) => ({ ...r, text: '整洁差', late: false, link: siteLink(r.id) }))
}

/** Devices on sites that are off line, the longest first. */
async function offline(tx: Tx, scope: Scope): Promise<HomeRow[]> {
  const where = deviceScope(scope).plain('d.bind_status = 2 AND d.device_status IN (2, 4)')
  const { rows } = await tx.query(
    'home.offlinerows',
    row({ id: uuid, sn: text, type: text.of(deviceType), site: text.null, at: float8.null }),
    `SELECT d.id, d.sn, d.type, w.ws_name AS site, ${epoch('p.from_at')} AS at
     FROM devices d
     LEFT JOIN device_spans p ON p.tenant_id = $1 AND p.device_id = d.id AND p.to_at IS NULL
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
     WHERE ${where.text}
     ORDER BY p.from_at NULLS LAST, d.id
     ${FIRST}`,
    where.values,
  )
  return rows.map(({ id, sn, type, site, at }) => ({
    ...plain(id, deviceLink(sn)),
    title: sn,
    at,
    text: `${deviceType.label(type)} · ${site ?? '--'}`,
  }))
}

/** Devices to be brought back, the longest due first. */
async function retrievals(tx: Tx, scope: Scope): Promise<HomeRow[]> {
  const where = scoped(scope, 'r').plain('r.closed_at IS NULL')
  const { rows } = await tx.query(
    'home.retrievalrows',
    row({ id: uuid, sn: text, site: text, at: float8, late: bool }),
    `SELECT r.id, d.sn, w.ws_name AS site, ${epoch(dayBegins('r.due'))} AS at,
       ${dayBegins('(r.due + 1)')} <= :now AS late
     FROM retrievals r
     JOIN devices d ON d.tenant_id = $1 AND d.id = r.device_id
     JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
     WHERE ${where.text}
     ORDER BY r.due, r.id
     ${FIRST}`,
    where.values,
  )
  return rows.map(({ sn, site, ...r }) => ({
    ...r,
    title: sn,
    text: site,
    picture: null,
    link: deviceLink(sn),
  }))
}

async function toJudge(tx: Tx, judge: Judge): Promise<HomeRow[]> {
  const rows = await firstToJudge(tx, judge, MOST)
  return rows.map(({ id, kind, number, summary, submitter, at, late }) => ({
    id,
    at,
    late,
    title: `${examineKind.label(kind)} ${number}`,
    text: `${summary} · ${submitter}`,
    picture: null,
    link: linkTo('ExamineList', { id }),
  }))
}

/** Contracts of this month, as their list has them when it is sorted by the day. */
async function signed(tx: Tx, scope: Scope): Promise<HomeRow[]> {
  const where = scopedStores(scope, 'c').plain(
    `c.signed_on BETWEEN date_trunc('month', ${TODAY})::date AND ${TODAY} AND c.state = ANY ('{${SIGNED.join(',')}}')`,
  )
  const { rows } = await tx.query(
    'home.signedrows',
    row({ id: uuid, title: text, customer: text, total: text }),
    `SELECT c.id, c.code AS title, k.name AS customer, c.total::text AS total
     FROM contracts c
     JOIN customers k ON k.tenant_id = $1 AND k.id = c.customer_id
     WHERE ${where.text}
     ORDER BY c.signed_on DESC, c.id DESC
     ${FIRST}`,
    where.values,
  )
  return rows.map(({ id, title, customer, total }) => ({
    ...plain(id, linkTo('ContractDetail', { id })),
    title,
    text: `${customer} · ${grouped(total)} 元`,
  }))
}

/** Cards that stand for a list of single things. */
export const ROWS_OF: Readonly<Partial<Record<CardFigure['card'], Rows>>> = {
  openAlarms: (tx, reach, _now, isLateApart) => alarms(tx, reach.alarms, isLateApart ? 'inTime' : 'open'),
  overdue: (tx, { alarms: seen, corrections }) =>
    corrections ? overdueRows(tx, corrections) : alarms(tx, seen, 'late'),
  building: (tx, reach) => building(tx, reach.sites),
  noWork: (tx, reach) => standing(tx, reach.sites),
  tidiness: (tx, reach) => untidy(tx, reach.sites),
  online: (tx, reach) => offline(tx, reach.devices),
  retrieval: (tx, reach) => retrievals(tx, reach.devices),
  signed: async (tx, reach) => (reach.contracts ? signed(tx, reach.contracts) : []),
  due: async (tx, { money }) => (money ? MONEY_ROWS.due(tx, money) : []),
  taken: async (tx, { money }, now) => (money ? MONEY_ROWS.taken(tx, money, now) : []),
  back: async (tx, { money }) => (money ? MONEY_ROWS.back(tx, money) : []),
  promises: async (tx, reach) => (reach.promises ? promiseRows(tx, reach.promises) : []),
  customers: async (tx, reach) => (reach.customers ? customerRows(tx, reach.customers) : []),
  replies: async (tx, reach) => (reach.owners ? replyRows(tx, reach.owners) : []),
  questions: async (tx, reach) => (reach.questions ? questionRows(tx, reach.questions) : []),
  schedule: async (tx, reach) => (reach.warnings ? warningRows('schedule')(tx, reach.warnings) : []),
  quality: async (tx, reach) => (reach.warnings ? warningRows('quality')(tx, reach.warnings) : []),
  complaints: async (tx, { feedback }) =>
    (feedback ? await firstComplaints(tx, feedback, MOST) : []).map((f) => ({
      id: f.id,
      title: f.title,
      text: `${feedbackLevel.label(f.level)} · ${f.site}`,
      picture: null,
      at: f.at,
      late: f.late,
      link: linkTo('FeedbackList', { id: f.id }),
    })),
  examine: async (tx, reach) => (reach.judging ? toJudge(tx, reach.judging) : []),
  ...Object.fromEntries(
    DELIVERY_CARDS.map((card): [string, Rows] => [
      card,
      async (tx, { goods }) => (goods[card] ? DELIVERY_ROWS[card](tx, goods[card]) : []),
    ]),
  ),
}
