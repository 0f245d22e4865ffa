import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import {
  type CardFigure,
  type CardPlace,
  cardPlace,
  homeCard,
  TALL,
  type Waiting,
} from '@zhuguan/contract/features/home/home.record.ts'
import { type PageName, PAGES } from '@zhuguan/contract/pages.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'
import { z } from 'zod'

import type { Scope, Tx } from '../../database/connect.ts'
import { reachOf, widestOf } from '../../kit/reach.ts'
import { serve, type SessionUser } from '../../kit/serve.ts'
import { readView, writeView } from '../views/views.service.ts'
import { homeNow, type HomeReach } from './home.figures.ts'
import { ROWS_OF } from './home.rows.ts'
import { waitingOf } from './home.waiting.ts'
import { MOST } from './most-rows.ts'

const VIEW = 'home.cards'
const ROW = 12
const [FLAT, HIGH] = [2, 8]
type Name = CardPlace['card']
/** Columns of one height side by side, a column being a card or several over each other. */
type Band = readonly [height: number, ...columns: (Name | readonly Name[])[]]
const {
  attendance,
  back,
  building,
  changes,
  complaints,
  customers,
  due,
  examine,
  noWork,
  online,
  openAlarms,
  overdue,
  patrol,
  promises,
  quality,
  questions,
  receiving,
  replies,
  retrieval,
  schedule,
  signed,
  taken,
  tidiness,
  toAccept,
  toShip,
} = homeCard.code
/** The person who answers for sites. */
const LEADS: readonly Band[] = [
  [FLAT, building, attendance, online, patrol],
  [FLAT, promises, toShip, toAccept, changes],
  [HIGH, overdue, openAlarms, [noWork, tidiness]],
  [FLAT, schedule, quality],
]
/** The person who answers for branches sees what they sell as well. */
const LEADS_BRANCHES: readonly Band[] = [
  [FLAT, building, signed, attendance, patrol],
  [FLAT, receiving, toShip, toAccept, changes],
  [HIGH, overdue, openAlarms, [noWork, tidiness]],
  [FLAT, promises, complaints, schedule, quality],
  [FLAT, online, retrieval],
]
const SELLS: readonly Band[] = [[HIGH, signed, customers, [building, tidiness]]]
const FINDS: readonly Band[] = [[HIGH, customers, [building, tidiness]]]
/** The first cards of each kind of person; everybody may change them. Cards of closed pages are left out. */
const BY_ROLE = new Map<string, readonly Band[]>([
  ['hq_ops', LEADS_BRANCHES],
  ['branch_gm', LEADS_BRANCHES],
  ['quoter', SELLS],
  ['sales', FINDS],
  [
    'cashier',
    [
      [HIGH, due, taken, back],
      [FLAT, signed, building],
    ],
  ],
  [
    'steward',
    [
      [FLAT, building, attendance, toAccept, changes],
      [HIGH, replies, promises, questions],
      [HIGH, overdue, openAlarms, [noWork, tidiness]],
      [FLAT, schedule, quality],
    ],
  ],
  [
    'order_clerk',
    [
      [HIGH, receiving, toShip, [toAccept, changes]],
      [FLAT, building, tidiness],
    ],
  ],
  ['acceptor', [[HIGH, toAccept, changes, [building, tidiness]]]],
  ['supplier', [[HIGH, receiving, toShip, changes]]],
  [
    'inspector',
    [
      [FLAT, building, attendance, online, patrol],
      [HIGH, tidiness, openAlarms, [noWork, overdue]],
    ],
  ],
  [
    'device_keeper',
    [
      [FLAT, building, tidiness],
      [HIGH, online, retrieval],
    ],
  ],
  ['examiner', [[HIGH, examine, [building, tidiness]]]],
  [
    'service',
    [
      [HIGH, complaints, replies, [promises, questions]],
      [FLAT, openAlarms, overdue, building, tidiness],
    ],
  ],
])
/** Pixels of a row of the page, of what stands over the rows of a card, and of one of them. */
const [UNIT, HEAD, LINE] = [96, 162, 40]
/** A band of lists is as high as the longest of them: a list of three lines does not stand on half an empty screen. */
function heightOf([height, ...columns]: Band, rowsOf: (card: Name) => number): number {
  if (height === FLAT) return FLAT
  const needs = columns.map((column) => {
    const cards = [column].flat()
    const each = Math.max(...cards.map((card) => Math.ceil((HEAD + LINE * rowsOf(card)) / UNIT)))
    return cards.length * (cards.length > 1 ? Math.max(FLAT, each) : each)
  })
  const stacked = Math.max(...columns.map((column) => [column].flat().length))
  const enough = Math.max(TALL, ...needs)
  return Math.min(height, Math.ceil(enough / stacked) * stacked)
}

function defaults(roles: readonly string[], rowsOf: (card: Name) => number): CardPlace[] {
  let top = 0
  return (roles.map((role) => BY_ROLE.get(role)).find(Boolean) ?? LEADS).flatMap((band) => {
    const [, ...columns] = band
    const height = heightOf(band, rowsOf)
    const w = ROW / columns.length
    const placed = columns.flatMap((column, i) => {
      const cards = [column].flat()
      const h = height / cards.length
      return cards.map((name, n) => ({ card: name, x: i * w, y: top + n * h, w, h }))
    })
    top += height
    return placed
  })
}

async function placesOf(tx: Tx, user: SessionUser): Promise<{ places: CardPlace[]; chosen: boolean }> {
  const kept = await readView(tx, user, VIEW)
  const read = z.array(cardPlace).safeParse(kept?.places)
  return read.success && read.data.length
    ? { places: read.data, chosen: true }
    : { places: defaults(user.roles, () => MOST), chosen: false }
}

/** The pages behind each card: who may open none of them is neither offered the card nor told its figure. */
const PAGE_OF: Record<CardPlace['card'], PageName | readonly PageName[]> = {
  building: 'SiteList',
  attendance: 'WorkerAttend',
  noWork: 'NoWork',
  online: 'DeviceList',
  retrieval: 'DeviceList',
  openAlarms: 'AlarmEvent',
  overdue: ['Correction', 'AlarmEvent'],
  tidiness: 'SiteList',
  patrol: 'PatrolRecord',
  complaints: 'FeedbackList',
  examine: 'ExamineList',
  signed: 'ContractList',
  due: 'ReceiptList',
  taken: 'ReceiptList',
  back: 'ReceiptList',
  promises: 'PromiseList',
  replies: 'OwnerList',
  questions: 'OwnerList',
  schedule: 'WarningList',
  quality: 'WarningList',
  customers: 'CustomerList',
  receiving: 'OrderList',
  toShip: 'OrderList',
  toAccept: 'AcceptanceList',
  changes: 'ChangeGoods',
}
const JUDGE = 'examine:judge'
const isTheirs =
  (user: SessionUser) =>
  ({ card: name }: { card: CardPlace['card'] }): boolean =>
    reachOf(user, ...(name === examine ? [JUDGE] : [PAGE_OF[name]].flat().map(pageLabel))) !== undefined

/** The person who receives orders and places none has a page of what they receive. */
function goodsReach(user: SessionUser): HomeReach['goods'] {
  const received = !!reachOf(user, pageLabel('ReceiveOrder')) && !reachOf(user, pageLabel('OrderPlan'))
  const of = (page: PageName, ours: Scope | undefined) => {
    const scope = reachOf(user, pageLabel(page))
    return scope && { scope, ours, received: page === 'ReceiveOrder' }
  }
  const orders = received ? 'ReceiveOrder' : 'OrderList'
  /** What waits for us is of those who may do it. */
  const doing = (right: string) => reachOf(user, right) && reachOf(user, pageLabel('ReceiveOrder'))
  return {
    receiving: of(orders, doing('order:receive')),
    toShip: of(orders, doing('dispatch:ship')),
    toAccept: of('AcceptanceList', undefined),
    changes: of('ChangeGoods', reachOf(user, pageLabel('ChangeGoods'))),
  }
}

const PAGE_AT = new Map(Object.entries(PAGES).map(([name, page]) => [page.path, name]))
/** The page of this address is theirs. */
const opens = (user: SessionUser, { link }: { link: string }): boolean => {
  const page = PAGE_AT.get(link.split('?')[0]!)
  return page !== undefined && reachOf(user, pageLabel(page)) !== undefined
}
/** Nothing on a card leads to a page that is closed to who looks at it. */
const openOn = (user: SessionUser, figure: CardFigure): CardFigure => ({
  ...figure,
  parts: figure.parts.filter((p) => opens(user, p)),
  ...(figure.whose && { whose: figure.whose.filter((p) => opens(user, p)) }),
  beside: figure.beside.filter((p) => opens(user, p)),
  rows: figure.rows.filter((r) => opens(user, r)),
})

/** Who answers for a branch is told what to ask about before the meeting. */
const TOLD_IN_THE_MORNING = 'branch_gm'
/** The reach on each card's page; most people have one reach for all of them. */
function reachOfCards(user: SessionUser): HomeReach {
  const on = (page: PageName) =>
    user.holdings.length === 1 ? user.scope : (reachOf(user, pageLabel(page)) ?? user.scope)
  const sites = on('SiteList')
  const people = on('WorkerAttend')
  const judging = reachOf(user, JUDGE)
  return {
    sites,
    people,
    alarms: on('AlarmEvent'),
    devices: on('DeviceList'),
    patrols: on('PatrolRecord'),
    corrections: reachOf(user, pageLabel('Correction')),
    standing: reachOf(user, pageLabel('NoWork')),
    morning: user.roles.includes(TOLD_IN_THE_MORNING)
      ? { standing: reachOf(user, pageLabel('NoWork')), ranks: reachOf(user, pageLabel('PatrolRank')) }
      : undefined,
    feedback: reachOf(user, pageLabel('FeedbackList')),
    contracts: reachOf(user, pageLabel('ContractList')),
    money: reachOf(user, pageLabel('ReceiptList')),
    promises: reachOf(user, pageLabel('PromiseList')),
    owners: reachOf(user, pageLabel('OwnerList')),
    questions: reachOf(user, pageLabel('OwnerList')),
    warnings: reachOf(user, pageLabel('WarningList')),
    customers: reachOf(user, pageLabel('CustomerList')),
    judging: judging && { user, scope: judging },
    goods: goodsReach(user),
  }
}

/** A card that is tall enough shows what its list begins with. */
async function withRows(
  tx: Tx,
  reach: HomeReach,
  places: readonly CardPlace[],
  figure: CardFigure,
  now: Date,
): Promise<CardFigure> {
  const rowsOf = ROWS_OF[figure.card]
  const isTall = (card: Name) => places.some((p) => p.card === card && p.h >= TALL)
  if (!rowsOf || !isTall(figure.card)) return figure
  const rows = await rowsOf(tx, reach, now, isTall(overdue))
  const isLateApart = figure.card === openAlarms && isTall(overdue) && rows.length < MOST
  return { ...figure, rows, isElsewhere: isLateApart && rows.length < (figure.value ?? 0) }
}

/** What waits for who looks stands above, and is not told again under a figure. */
function toldOnce(figures: readonly CardFigure[], waiting: readonly Waiting[]): CardFigure[] {
  const above = new Set(waiting.flatMap((lane) => lane.rows.map((r) => r.id)))
  return figures.map((f) => {
    const rows = f.rows.filter((r) => !above.has(r.id))
    return rows.length === f.rows.length ? f : { ...f, rows, isElsewhere: true }
  })
}

export const homeFeature = serve(homeApi, {
  async cards(_input, call) {
    const theirs = isTheirs(call.user)
    if (!homeCard.values.some((name) => theirs({ card: name })))
      return { waiting: [], morning: null, places: [], figures: [], chosen: false }
    const reach = reachOfCards(call.user)
    return call.within(widestOf(call.user)).read(async (tx) => {
      const [{ places, chosen }, all] = await Promise.all([
        placesOf(tx, call.user),
        homeNow(tx, reach, call.now()),
      ])
      const open = all.figures.filter((figure) => theirs(figure) && opens(call.user, figure))
      const [waiting, filled] = await Promise.all([
        waitingOf(tx, call.user),
        Promise.all(open.map((figure) => withRows(tx, reach, places, figure, call.now()))),
      ])
      const figures = toldOnce(filled, waiting).map((figure) => openOn(call.user, figure))
      const rowsOf = (card: Name) => figures.find((f) => f.card === card)?.rows.length ?? 0
      const fitting = chosen ? places : defaults(call.user.roles, rowsOf)
      const morning = all.morning((line) => opens(call.user, line))
      return { waiting, morning, places: fitting.filter(theirs), figures, chosen }
    })
  },
  waiting: (_input, call) => call.within(widestOf(call.user)).read((tx) => waitingOf(tx, call.user)),
  saveCards: ({ body }, call) =>
    call.write(async (tx) => {
      await writeView(tx, call.user, VIEW, { places: body.places })
      return null
    }),
})
