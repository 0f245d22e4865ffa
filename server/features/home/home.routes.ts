import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import {
  type CardFigure,
  type CardPlace,
  cardPlace,
  homeCard,
} from '@zhuguan/contract/features/home/home.record.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'
import { z } from 'zod'

import { reachOf, widestOf } from '../../kit/reach.ts'
import { type Call, serve, type SessionUser } from '../../kit/serve.ts'
import { readView, writeView } from '../views/views.service.ts'
import { homeFigures, type HomeReach } from './home.figures.ts'

const VIEW = 'home.cards'
const card = homeCard.code
const W = 4
const H = 2
/** What each kind of person masters first; everybody may change it. */
const BY_ROLE = new Map<string, readonly CardPlace['card'][]>(
  Object.entries({
    pm: [card.openAlarms, card.overdue, card.attendance, card.noWork, card.building, card.online],
    steward: [card.openAlarms, card.overdue, card.noWork, card.building],
    device_keeper: [card.online, card.retrieval, card.openAlarms, card.building],
  }),
)
const EVERYBODY = [
  card.building,
  card.attendance,
  card.noWork,
  card.online,
  card.openAlarms,
  card.overdue,
  card.tidiness,
]

function defaults(roles: readonly string[]): CardPlace[] {
  const cards = roles.map((r) => BY_ROLE.get(r)).find(Boolean) ?? EVERYBODY
  return cards.map((c, i) => ({ card: c, x: (i % 3) * W, y: Math.floor(i / 3) * H, w: W, h: H }))
}

async function placesOf(call: Call): Promise<{ places: CardPlace[]; chosen: boolean }> {
  const kept = await call.read((tx) => readView(tx, call.user, VIEW))
  const read = z.array(cardPlace).safeParse(kept?.places)
  return read.success && read.data.length
    ? { places: read.data, chosen: true }
    : { places: defaults(call.user.roles), chosen: false }
}

/** The page behind each card: who may not open it is neither offered the card nor told its figure. */
const PAGE_OF: Record<CardPlace['card'], PageName> = {
  building: 'SiteList',
  attendance: 'WorkerAttend',
  noWork: 'NoWork',
  online: 'DeviceList',
  retrieval: 'DeviceList',
  openAlarms: 'AlarmEvent',
  overdue: 'AlarmEvent',
  tidiness: 'SiteList',
}
const isTheirs =
  (user: SessionUser) =>
  ({ card: name }: { card: CardPlace['card'] }): boolean =>
    reachOf(user, pageLabel(PAGE_OF[name])) !== undefined

/** Of each card's page; most people have one reach for all of them. */
function reachOfCards(user: SessionUser): HomeReach {
  const on = (page: PageName) =>
    user.holdings.length === 1 ? user.scope : (reachOf(user, pageLabel(page)) ?? user.scope)
  const sites = on('SiteList')
  const people = on('WorkerAttend')
  return { sites, people, alarms: on('AlarmEvent'), devices: on('DeviceList') }
}

export const homeFeature = serve(homeApi, {
  async cards(_input, call) {
    const theirs = isTheirs(call.user)
    if (!homeCard.values.some((name) => theirs({ card: name })))
      return { places: [], figures: [], chosen: false }
    const { places, chosen } = await placesOf(call)
    const all = widestOf(call.user)
    const figures: CardFigure[] = await call
      .within(all)
      .read((tx) => homeFigures(tx, reachOfCards(call.user), call.now()))
    return { places: places.filter(theirs), figures: figures.filter(theirs), chosen }
  },
  saveCards: ({ body }, call) =>
    call.write(async (tx) => {
      await writeView(tx, call.user, VIEW, { places: body.places })
      return null
    }),
})
