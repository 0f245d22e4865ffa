import type { CardFigure, MorningLine } from '@zhuguan/contract/features/home/home.record.ts'
import { stopBall } from '@zhuguan/contract/features/no-work/no-work.record.ts'
import { noWork, tidinessLevel } from '@zhuguan/contract/features/sites/sites.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { addDays, shanghaiDay, shanghaiTime, startOfDay } from '../../kit/shanghai.ts'
import type { Judge } from '../examine/examine.reads.ts'
import { patrolledOn } from '../patrols/patrols.reads.ts'
import { asOf, sameHour } from '../statistics/as-of.reads.ts'
import { customerFigures } from './customers.figures.ts'
import { deliveredFigures, type DeliveryCard, type DeliveryReach } from './delivered.figures.ts'
import {
  alarmsAtEnds,
  alarmsNow,
  attendedBy,
  devicesAtHours,
  devicesNow,
  retrievalsAt,
  standingNow,
  sitesByDay,
  sitesNow,
} from './home.queries.ts'
import { morningFacts, morningLines, type MorningReach } from './morning.figures.ts'
import { overdueFigure, overdueOf } from './overdue.figures.ts'
import { promiseFigures } from './promises.figures.ts'
import { questionFigures } from './questions.figures.ts'
import { replyFigures } from './replies.figures.ts'
import { soldFigures } from './sold.figures.ts'
import { warningFigures } from './warnings.figures.ts'

/** Whole days on a card's curve, before the running one. */
const DAYS = 13
const WEEK = 7
/** A share of the whole in percent with one decimal; null where there is nothing to divide by. */
const share = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((part / whole) * 1000) / 10 : null

/** Occurrences of a day, as their list is asked for them. */
function patrolsOf(day: string, state: readonly number[]): string {
  const [from, to] = [day, addDays(day, 1)].map((d) => startOfDay(d).getTime() / 1000)
  return linkTo('PatrolRecord', { view: 'tasks', from, to, state })
}

/** The caller's reach on the pages behind the cards; where a page is not theirs, as far as on the home page. */
export interface HomeReach {
  sites: Scope
  people: Scope
  alarms: Scope
  devices: Scope
  patrols: Scope
  /** Nothing where the page of corrections is not theirs. */
  corrections: Scope | undefined
  /** Nothing where the page of standing sites is not theirs. */
  standing: Scope | undefined
  /** Nothing for who is told nothing in the morning. */
  morning: MorningReach | undefined
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
  /** Nothing where the page of warnings is not theirs. */
  warnings: Scope | undefined
  /** Nothing where the page of customers is not theirs. */
  customers: Scope | undefined
  /** The reach on each card of goods on their way; nothing where its page is not theirs. */
  goods: Readonly<Record<DeliveryCard, DeliveryReach | undefined>>
}

export interface HomeNow {
  figures: CardFigure[]
  /** What they are told in the morning, of what they may open; nothing for who is told none. */
  morning: (opens: (line: { link: string }) => boolean) => MorningLine[] | null
}
/** Figures of the cards, all from the rows the caller may see; each count equals the total of the list behind its link. */
export async function homeNow(tx: Tx, reach: HomeReach, now: Date): Promise<HomeNow> {
  const at = Math.floor(now.getTime() / 1000)
  const runningDay = shanghaiDay(now)
  const days = Array.from({ length: DAYS }, (_, i) => addDays(runningDay, i - DAYS))
  const yesterday = days.at(-1)!
  const since = addDays(yesterday, -DAYS)
  const whole = {
    at,
    days: [...days, runningDay],
    until: runningDay,
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
    late,
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
    warned,
    led,
    standing,
    facts,
  ] = await Promise.all([
    asOf(tx, reach.people, now),
    sitesNow(tx, reach.sites),
    sitesByDay(tx, reach.sites, since),
    reach.people === reach.sites ? undefined : sitesByDay(tx, reach.people, since),
    alarmsNow(tx, reach.alarms),
    overdueOf(tx, reach.corrections, days),
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
    warningFigures(tx, reach.warnings, whole),
    customerFigures(tx, reach.customers, whole),
    standingNow(tx, reach.standing),
    morningFacts(tx, reach.morning),
  ])
  const peopleByDay = ofPeople ?? byDay
  const patrolsToday = patrols.at(-1)!
  const patrolsBefore = patrols.at(-2)!
  const todays = (state: readonly number[]) => patrolsOf(when.today, state)

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
  const people = (day: string, guest: boolean) =>
    linkTo('WorkerAttend', { from: day, to: day, attendance: 1, guest })

  const figures: CardFigure[] = [
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
      link: linkTo('SiteList', { status: 1 }),
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
      until: when.begun ? runningDay : yesterday,
      trend: [...days.map(rateOf), ...(when.begun ? [rateOf(when.today)] : [])],
      link: people(when.day, false),
      parts: [
        {
          label: '应到的人到了',
          value: today ? today.present - today.guests : 0,
          link: people(when.day, false),
        },
      ],
      beside: [
        {
          label: '外援',
          value: today?.guests ?? 0,
          link: people(when.day, true),
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
      link: linkTo('NoWork'),
      parts: noWork.options.map((o) => ({
        label: o.label,
        value: sites.codes[o.value] ?? 0,
        link: linkTo('NoWork', { noWork: o.value }),
      })),
      whose: standing.map(({ ball, n }) => ({
        label: stopBall.label(ball),
        value: n,
        link: linkTo('NoWork', { ball }),
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
      link: linkTo('DeviceList', { bindStatus: 2, deviceStatus: '2,4' }),
      parts: [
        {
          label: '在线',
          value: devices.online,
          link: linkTo('DeviceList', { bindStatus: 2, deviceStatus: 1 }),
        },
        {
          label: '不在线',
          value: devices.offline,
          link: linkTo('DeviceList', { bindStatus: 2, deviceStatus: '2,4' }),
        },
      ],
      beside: [
        {
          label: '未启用',
          value: devices.notEnabled,
          link: linkTo('DeviceList', { bindStatus: 2, deviceStatus: 3 }),
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
      link: linkTo('AlarmEvent', { correctionStatus: '1,2' }),
    },
    overdueFigure(late, alarms, ends, whole),
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
      link: linkTo('DeviceList', { retrieval: true }),
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
      link: linkTo('SiteList', { status: 1, tidiness: 1 }),
      parts: tidinessLevel.options.map((o) => ({
        label: o.label,
        value: sites.levels[o.value] ?? 0,
        link: linkTo('SiteList', { status: 1, tidiness: o.value }),
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
      link: todays([1, 2, 3, 4, 5]),
      parts: [
        { label: '已完成', value: patrolsToday.done, link: todays([3, 4]) },
        {
          label: '待巡检',
          value: patrolsToday.all - patrolsToday.done - patrolsToday.missed,
          link: todays([1, 2]),
        },
      ],
    },
    ...sold,
    ...delivered,
    ...promised,
    ...replies,
    ...warned,
    ...undecided,
    ...led,
  ]
  return {
    figures,
    morning: (opens) => (facts ? morningLines(facts, { figures, standing, when }, opens) : null),
  }
}
