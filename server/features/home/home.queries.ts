import type { CardFigure } from '@zhuguan/contract/features/home/home.record.ts'
import { noWork, tidinessLevel } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { scoped } from '../../kit/scoped.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { OVERDUE } from '../alarms/alarms.reads.ts'
import { ATTENDED, DUE } from '../attendance/attendance.reads.ts'

const DAYS = 14
const share = (part: number, whole: number) => (whole ? Math.round((part / whole) * 1000) / 10 : 0)

interface Now {
  building: number
  devices_online: number
  devices_total: number
  open: number
  overdue: number
  stopped: number
  codes: Record<string, number>
  levels: Record<string, number>
}
interface Day {
  day: string
  building: number
  expected: number
  present: number
  stopped: number
  opened: number
  open_at_end: number
  overdue_at_end: number
  online: number | null
  excellent: number
}

/** Figures of the cards, all from the rows the caller may see; each equals the total of the list behind its link. */
export async function homeFigures(tx: Tx, scope: Scope, now: Date): Promise<CardFigure[]> {
  const today = shanghaiDay(now)
  const from = addDays(today, 1 - DAYS)
  const at = Math.floor(now.getTime() / 1000)
  const site = scoped(scope, 'w', { site: 'id' }).plain('w.deleted_at IS NULL')
  const n = (
    await tx.query<Now>(
      'home.now',
      `SELECT count(*) FILTER (WHERE w.status = 1)::int AS building, coalesce(sum(w.devices_online), 0)::int AS devices_online, coalesce(sum(w.devices_total), 0)::int AS devices_total, count(*) FILTER (WHERE w.no_work <> '{}')::int AS stopped,
        json_build_object(${noWork.values.map((v) => `'${v}', count(*) FILTER (WHERE w.no_work @> ARRAY[${v}]::smallint[])`).join(', ')}) AS codes,
        json_build_object(${tidinessLevel.values.map((v) => `'${v}', count(*) FILTER (WHERE w.status = 1 AND w.tidiness = ${v})`).join(', ')}) AS levels
       FROM sites w WHERE ${site.text}`,
      site.values,
    )
  ).rows[0]!
  const alarm = scoped(scope, 'a')
  const open = (
    await tx.query<{ open: number; overdue: number }>(
      'home.alarms',
      `SELECT count(*)::int AS open, count(*) FILTER (WHERE ${OVERDUE})::int AS overdue FROM alarms a WHERE ${alarm.text} AND a.correction_status IN (1, 2)`,
      alarm.values,
    )
  ).rows[0]!

  const days = Array.from({ length: DAYS }, (_, i) => addDays(from, i))
  const attended = scoped(scope, 'd').add((p) => `d.day >= ${p}::date`, from)
  const byDay = new Map(
    (
      await tx.query<Day>(
        'home.days',
        `SELECT d.day::text AS day, count(*)::int AS building, ${DUE} AS expected, ${ATTENDED} AS present, count(*) FILTER (WHERE d.no_work)::int AS stopped FROM site_days d WHERE ${attended.text} GROUP BY 1`,
        attended.values,
      )
    ).rows.map((r) => [r.day, r]),
  )
  const ends = scoped(scope, 'a')
  const list = `$${ends.values.length + 1}::timestamptz[]`
  const openAt = (
    await tx.query<{ open: number; overdue: number }>(
      'home.openat',
      `SELECT count(a.id)::int AS open, count(a.id) FILTER (WHERE a.due_at < t.at)::int AS overdue FROM unnest(${list}) WITH ORDINALITY AS t(at, i) LEFT JOIN alarms a ON a.at < t.at AND (a.closed_at IS NULL OR a.closed_at >= t.at) AND ${ends.text} GROUP BY t.i ORDER BY t.i`,
      [...ends.values, days.slice(0, -1).map((d) => startOfDay(addDays(d, 1)))],
    )
  ).rows
  const device = scoped(scope, 'd').plain('d.bind_status = 2 AND d.deleted_at IS NULL')
  const points = `$${device.values.length + 1}::timestamptz[]`
  const onlineAt = (
    await tx.query<{ online: number; total: number }>(
      'home.onlineat',
      `SELECT count(s.device_id) FILTER (WHERE s.state = 1)::int AS online, count(s.device_id)::int AS total FROM unnest(${points}) WITH ORDINALITY AS t(at, i)
        LEFT JOIN (device_spans s JOIN devices d ON d.tenant_id = s.tenant_id AND d.id = s.device_id AND ${device.text}) ON s.from_at <= t.at AND (s.to_at IS NULL OR s.to_at > t.at) GROUP BY t.i ORDER BY t.i`,
      [
        ...device.values,
        days.map((d) => (d === today ? now : new Date(startOfDay(d).getTime() + 12 * 3_600_000))),
      ],
    )
  ).rows
  const tidy = scoped(scope, 't')
    .add((p) => `t.at >= ${p}`, startOfDay(from))
    .plain('t.result IN (1, 2, 3)')
  const tidyDay = new Map(
    (
      await tx.query<{ day: string; share: number }>(
        'home.tidy',
        `SELECT to_char(t.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD') AS day, round(100.0 * count(*) FILTER (WHERE t.result = 1) / count(*), 1)::float8 AS share FROM tidiness_checks t WHERE ${tidy.text} GROUP BY 1`,
        tidy.values,
      )
    ).rows.map((r) => [r.day, r.share]),
  )

  const series = (of: (d: Day | undefined, i: number) => number) => days.map((d, i) => of(byDay.get(d), i))
  const rate = series((d) => share(d?.present ?? 0, d?.expected ?? 0))
  const opens = [...openAt.map((r) => r.open), open.open]
  const late = [...openAt.map((r) => r.overdue), open.overdue]
  const online = onlineAt.map((r) => share(r.online, r.total))
  online[DAYS - 1] = share(n.devices_online, n.devices_total)
  const stops = series((d) => d?.stopped ?? 0)
  const tidyTrend = days.map((d) => tidyDay.get(d) ?? 0)
  const judged = tidinessLevel.values.reduce((sum, v) => sum + (n.levels[v] ?? 0), 0)
  const before = (trend: number[]) => trend[DAYS - 2] ?? null
  const yesterday = '较昨日'
  const none = { parts: [] as CardFigure['parts'], at }

  return [
    {
      card: 'building',
      value: n.building,
      unit: '个',
      before: byDay.get(addDays(today, -7))?.building ?? null,
      against: '较上周',
      better: 'neither',
      trend: series((d) => d?.building ?? 0),
      link: '/Site/SiteList?status=1',
      ...none,
    },
    {
      card: 'attendance',
      value: rate[DAYS - 1]!,
      unit: '%',
      before: before(rate),
      against: yesterday,
      better: 'more',
      trend: rate,
      link: '/Site/SiteList?status=1',
      ...none,
    },
    {
      card: 'noWork',
      value: n.stopped,
      unit: '个',
      before: before(stops),
      against: yesterday,
      better: 'less',
      trend: stops,
      link: '/Site/NoWork',
      at,
      parts: noWork.options.map((o) => ({
        label: o.label,
        value: n.codes[o.value] ?? 0,
        link: `/Site/NoWork?noWork=${o.value}`,
      })),
    },
    {
      card: 'online',
      value: share(n.devices_online, n.devices_total),
      unit: '%',
      before: before(online),
      against: yesterday,
      better: 'more',
      trend: online,
      link: '/device/DeviceList?deviceStatus=2',
      at,
      parts: [
        { label: '在线', value: n.devices_online, link: '/device/DeviceList?bindStatus=2&deviceStatus=1' },
        {
          label: '不在线',
          value: n.devices_total - n.devices_online,
          link: '/device/DeviceList?bindStatus=2&deviceStatus=2,3,4',
        },
      ],
    },
    {
      card: 'openAlarms',
      value: open.open,
      unit: '条',
      before: before(opens),
      against: yesterday,
      better: 'less',
      trend: opens,
      link: '/image/AlarmEvent?correctionStatus=1,2',
      ...none,
    },
    {
      card: 'overdue',
      value: open.overdue,
      unit: '条',
      before: before(late),
      against: yesterday,
      better: 'less',
      trend: late,
      link: '/image/AlarmEvent?overdue=true',
      ...none,
    },
    {
      card: 'tidiness',
      value: share(n.levels[1] ?? 0, judged),
      unit: '% 优',
      before: before(tidyTrend),
      against: yesterday,
      better: 'more',
      trend: tidyTrend,
      at,
      link: '/Site/SiteList?status=1&tidiness=3',
      parts: tidinessLevel.options.map((o) => ({
        label: o.label,
        value: n.levels[o.value] ?? 0,
        link: `/Site/SiteList?status=1&tidiness=${o.value}`,
      })),
    },
  ]
}
