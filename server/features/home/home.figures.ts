import type { CardFigure } from '@zhuguan/contract/features/home/home.record.ts'
import { noWork, tidinessLevel } from '@zhuguan/contract/features/sites/sites.record.ts'
import { PAGES } from '@zhuguan/contract/pages.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { addDays, shanghaiDay, shanghaiTime, startOfDay } from '../../kit/shanghai.ts'
import type { Judge } from '../examine/examine.reads.ts'
import { patrolledOn } from '../patrols/patrols.reads.ts'
import { asOf, sameHour } from '../statistics/as-of.reads.ts'
import { deliveredFigures, type DeliveryCard, type DeliveryReach } from './delivered.figures.ts'
import {
  alarmsAtEnds,
  alarmsNow,
  attendedBy,
  devicesAtHours,
  devicesNow,
  otherOverdue,
  retrievalsAt,
  sitesByDay,
  sitesNow,
} from './home.queries.ts'
import { promiseFigures } from './promises.figures.ts'
import { questionFigures } from './questions.figures.ts'
import { replyFigures } from './replies.figures.ts'
import { soldFigures } from './sold.figures.ts'

/** Whole days on a card's curve, before the running one. */
const DAYS = 13
const WEEK = 7
/** A share of the whole in percent with one decimal; null where there is nothing to divide by. */
const share = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((part / whole) * 1000) / 10 : null

/** What is late to be corrected and was found by no camera's alarm, as its list is asked for it. */
const OTHERS = 'source=patrol,tidiness&overdue=true'
/** Occurrences of a day, as their list is asked for them. */
function patrolsOf(day: string): string {
  const [from, to] = [day, addDays(day, 1)].map((d) => startOfDay(d).getTime() / 1000)
  return `/patrol/PatrolRecord?view=tasks&from=${from}&to=${to}`
}

/** How far the caller reaches on the pages behind the cards; where a page is not theirs, as far as on the home page. */
export interface HomeReach {
  sites: Scope
  people: Scope
  alarms: Scope
  devices: Scope
  patrols: Scope
  /** Nothing where the page of corrections is not theirs. */
  corrections: Scope | undefined
  /** Nothing where the page of feedback is not theirs. */
  feedback: Scope | undefined
  /** Nothing where they judge nothing. */
  judging: Judge | undefined
  /** Nothing where the page of contracts is not theirs. */
  contracts: Scope | undefined
  /** Nothing where the page of receipts is not theirs. */
  money: Scope | undefined
  /** Nothing where the page of promises is not theirs. */
  promises: Scope | undefined
  /** Nothing where the page of owners is not theirs. */
  owners: Scope | undefined
  questions: Scope | undefined
  /** Of each card of goods on their way; nothing where its page is not theirs. */
  goods: Readonly<Record<DeliveryCard, DeliveryReach | undefined>>
}

/** Figures of the cards, all from the rows the caller may see; each count equals the total of the list behind its link. */
export async function homeFigures(tx: Tx, reach: HomeReach, now: Date): Promise<CardFigure[]> {
  const at = Math.floor(now.getTime() / 1000)
  const runningDay = shanghaiDay(now)
  const days = Array.from({ length: DAYS }, (_, i) => addDays(runningDay, i - DAYS))
  const yesterday = days.at(-1)!
  const since = addDays(yesterday, -DAYS)
  const whole = {
    at,
    days: [...days, runningDay],
    running: true,
    n: null,
    parts: [] as CardFigure['parts'],
    beside: [] as CardFigure['beside'],
    rows: [] as CardFigure['rows'],
    aside: '',
  }
  // Asked together they travel together: a database may be far away (docs/decisions/0442).
  const [
    when,
    sites,
    byDay,
    ofPeople,
    alarms,
    others,
    ends,
    devices,
    retrievals,
    hours,
    patrols,
    sold,
    delivered,
    promised,
    replies,
    undecided,
  ] = await Promise.all([
    asOf(tx, reach.people, now),
    sitesNow(tx, reach.sites),
    sitesByDay(tx, reach.sites, since),
    reach.people === reach.sites ? undefined : sitesByDay(tx, reach.people, since),
    alarmsNow(tx, reach.alarms),
    reach.corrections && otherOverdue(tx, reach.corrections),
    alarmsAtEnds(tx, reach.alarms, days),
    devicesNow(tx, reach.devices),
    retrievalsAt(tx, reach.devices, days),
    devicesAtHours(
      tx,
      reach.devices,
      now,
      days.map((_, i) => DAYS - i),
    ),
    patrolledOn(tx, reach.patrols, whole.days),
    soldFigures(tx, reach, whole),
    deliveredFigures(tx, reach, whole),
    promiseFigures(tx, reach.promises, whole),
    replyFigures(tx, reach.owners, whole),
    questionFigures(tx, reach.questions, whole),
  ])
  const peopleByDay = ofPeople ?? byDay
  const patrolsToday = patrols.at(-1)!
  const patrolsBefore = patrols.at(-2)!
  const dayLink = patrolsOf(when.today)

  const asItStands = '现在'
  const sinceYesterday = '较昨日'
  const rateOf = (day: string) => {
    const d = peopleByDay.get(day)
    return d ? share(d.attended, d.due) : null
  }
  const today = peopleByDay.get(when.day)
  // Weekdays are unlike each other: a Sunday is compared with a Sunday.
  const lastWeek = addDays(when.day, -WEEK)
  const attended = when.begun
    ? {
        before: share(
          await attendedBy(tx, reach.people, lastWeek, sameHour(now, -WEEK)),
          peopleByDay.get(lastWeek)?.due ?? 0,
        ),
        against: '较上周同日同一时刻',
      }
    : { before: rateOf(lastWeek), against: '较上周同日' }
  const onlineRate = (d: { online: number; offline: number }) => share(d.online, d.online + d.offline)
  const online = onlineRate(devices)
  const judged = tidinessLevel.values.reduce((sum, v) => sum + (sites.levels[v] ?? 0), 0)
  const tidiness = share(sites.levels[tidinessLevel.code.excellent] ?? 0, judged)
  const tidyOf = (day: string) => share(byDay.get(day)?.excellent ?? 0, byDay.get(day)?.judged ?? 0)
  const stoppedOf = (day: string) => byDay.get(day)?.stopped ?? null
  const peopleOf = (day: string) => `from=${day}&to=${day}`

  return [
    {
      ...whole,
      card: 'building',
      value: sites.building,
      unit: '个',
      of: asItStands,
      before: byDay.get(addDays(when.today, -WEEK))?.building ?? null,
      against: '较上周同日',
      better: 'neither',
      trend: [...days.map((d) => byDay.get(d)?.building ?? null), sites.building],
      link: '/Site/SiteList?status=1',
    },
    {
      ...whole,
      card: 'attendance',
      value: today ? share(today.attended, today.due) : null,
      unit: '%',
      of: when.words,
      n: today?.due ?? 0,
      ...attended,
      better: 'more',
      running: when.begun,
      days: when.begun ? whole.days : days,
      trend: [...days.map(rateOf), ...(when.begun ? [rateOf(when.today)] : [])],
      link: `/worker/WorkerAttend?${peopleOf(when.day)}&attendance=1&guest=false`,
      parts: [
        {
          label: '应到的人到了',
          value: today ? today.present - today.guests : 0,
          link: `/worker/WorkerAttend?${peopleOf(when.day)}&attendance=1&guest=false`,
        },
      ],
      beside: [
        {
          label: '外援',
          value: today?.guests ?? 0,
          link: `/worker/WorkerAttend?${peopleOf(when.day)}&attendance=1&guest=true`,
        },
      ],
    },
    {
      ...whole,
      card: 'noWork',
      value: sites.stopped,
      unit: '个',
      of: asItStands,
      before: stoppedOf(yesterday),
      against: sinceYesterday,
      better: 'less',
      trend: [...days.map(stoppedOf), sites.stopped],
      link: '/Site/NoWork',
      parts: noWork.options.map((o) => ({
        label: o.label,
        value: sites.codes[o.value] ?? 0,
        link: `/Site/NoWork?noWork=${o.value}`,
      })),
    },
    {
      ...whole,
      card: 'online',
      value: online,
      unit: '%',
      of: asItStands,
      n: devices.online + devices.offline,
      before: hours.at(-1) ? onlineRate(hours.at(-1)!) : null,
      against: '较昨日同一时刻',
      better: 'more',
      trend: [...hours.map(onlineRate), online],
      link: '/device/DeviceList?bindStatus=2&deviceStatus=2,4',
      parts: [
        { label: '在线', value: devices.online, link: '/device/DeviceList?bindStatus=2&deviceStatus=1' },
        { label: '不在线', value: devices.offline, link: '/device/DeviceList?bindStatus=2&deviceStatus=2,4' },
      ],
      beside: [
        {
          label: '未启用',
          value: devices.notEnabled,
          link: '/device/DeviceList?bindStatus=2&deviceStatus=3',
        },
      ],
    },
    {
      ...whole,
      card: 'openAlarms',
      value: alarms.open,
      unit: '条',
      of: asItStands,
      before: ends.at(-1)!.open,
      against: '较昨日结束时',
      better: 'less',
      trend: [...ends.map((e) => e.open), alarms.open],
      link: '/image/AlarmEvent?correctionStatus=1,2',
    },
    {
      ...whole,
      card: 'overdue',
      value: alarms.overdue,
      unit: '条',
      of: asItStands,
      before: ends.at(-1)!.overdue,
      against: '较昨日结束时',
      better: 'less',
      trend: [...ends.map((e) => e.overdue), alarms.overdue],
      beside: others
        ? [{ label: '巡检、整洁度的整改超期', value: others, link: `${PAGES.Correction.path}?${OTHERS}` }]
        : [],
      link: '/image/AlarmEvent?overdue=true',
    },
    {
      ...whole,
      card: 'retrieval',
      value: retrievals.at(-1)!,
      unit: '台',
      of: asItStands,
      before: retrievals.at(-2)!,
      against: '较昨日结束时',
      better: 'less',
      trend: retrievals,
      link: '/device/DeviceList?retrieval=true',
    },
    {
      ...whole,
      card: 'tidiness',
      value: tidiness,
      unit: '% 优',
      of: asItStands,
      n: judged,
      before: tidyOf(yesterday),
      against: '较昨日结束时',
      better: 'more',
      trend: [...days.map(tidyOf), tidiness],
      link: '/Site/SiteList?status=1&tidiness=1',
      parts: tidinessLevel.options.map((o) => ({
        label: o.label,
        value: sites.levels[o.value] ?? 0,
        link: `/Site/SiteList?status=1&tidiness=${o.value}`,
      })),
    },
    {
      ...whole,
      card: 'patrol',
      value: share(patrolsToday.done, patrolsToday.all),
      unit: '%',
      of: `截至 ${shanghaiTime(now).slice(11, 16)}`,
      n: patrolsToday.all,
      before: share(patrolsBefore.byNow, patrolsBefore.all),
      against: '较昨日同一时刻',
      better: 'more',
      trend: patrols.map((d) => share(d.done, d.all)),
      link: `${dayLink}&state=1,2,3,4,5`,
      parts: [
        { label: '已完成', value: patrolsToday.done, link: `${dayLink}&state=3,4` },
        {
          label: '待巡检',
          value: patrolsToday.all - patrolsToday.done - patrolsToday.missed,
          link: `${dayLink}&state=1,2`,
        },
      ],
    },
    ...sold,
    ...delivered,
    ...promised,
    ...replies,
    ...undecided,
  ]
}
