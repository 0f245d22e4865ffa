import { randomUUID } from 'node:crypto'

import { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { questionPageApi } from '@zhuguan/contract/features/questions/question-page.api.ts'
import { questionsApi } from '@zhuguan/contract/features/questions/questions.api.ts'
import { receptionsApi } from '@zhuguan/contract/features/receptions/receptions.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { progressApi } from '@zhuguan/contract/features/threads/progress.api.ts'
import { progressWords } from '@zhuguan/contract/features/threads/progress.record.ts'
import { threadPageApi } from '@zhuguan/contract/features/threads/thread-page.api.ts'
import { threadsApi } from '@zhuguan/contract/features/threads/threads.api.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import { hourOf } from '../database/seed/stories.ts'
import { addDays } from '../kit/shanghai.ts'
import type { Door } from './demo-door.ts'
import { boundPhone, homeRow } from './demo-phones.ts'
import type { Run } from './demo-promised.ts'
import type { Story } from './demo-timeline.ts'

const MINUTE_MS = 60_000

/** Of each branch a home was sold; the first two branches have one and the same buyer. */
const BUYERS = [
  { name: '沈国强', phone: '13605710018' },
  { name: '沈国强', phone: '13605710018' },
  { name: '顾雪梅', phone: '13705120029' },
] as const
const BUYERS_SPOUSE = { name: '叶文婷', relation: 'spouse', phone: '13605710066' } as const
const SOLD = 7
async function* sold(run: Run, place: number): Story {
  yield hourOf(addDays(run.today, -4), 15)
  const site_id = run.homes[SOLD]!.id
  const { contact_id: id, contactVersion: version } = await homeRow(run.cast.gm, site_id)
  await run.cast.gm.call(ownersApi.change, {
    body: { id, version, ...BUYERS[place]!, promises: 'taken', reason: '房子卖了，新业主接着装修' },
  })
  await run.cast.gm.call(ownersApi.addContact, { body: { site_id, ...BUYERS_SPOUSE } })
}

const LIVED_IN = 6
const FATHER = { name: '老陆', relation: 'parent', phone: '13605710077' } as const
/** Somebody lives there while it is built. */
async function* livedIn(run: Run): Story {
  yield hourOf(addDays(run.today, -6), 10)
  const { id, keeper } = run.homes[LIVED_IN]!
  const { version } = await keeper.call(sitesApi.details, { query: { id } })
  await keeper.call(sitesApi.livedIn, {
    body: { id, version, livedIn: true, reason: '老人住在次卧，晚上和周末在家' },
  })
  await keeper.call(ownersApi.addContact, { body: { site_id: id, ...FATHER } })
}

const QUESTION = { words: '次卧衣柜的门开在哪一边', options: ['左边', '右边'] }
/** Somebody of a home who does all of it on the own telephone. */
async function* byPhone(door: Door, run: Run): Story {
  const { today } = run
  const { id: site_id, keeper, second } = run.homes[LIVED_IN]!
  yield hourOf(addDays(today, -6), 14)
  const { contact_id: contact } = await homeRow(keeper, site_id)
  const phone = await boundPhone(door, keeper, { site_id, contact, browser: 1, second })
  yield hourOf(addDays(today, -5), 10)
  const neededBy = addDays(today, -2)
  const { id } = await keeper.call(questionsApi.ask, {
    body: { site_id, ...QUESTION, neededBy, stage: null, pictures: [], costs: false, estimate: '' },
  })
  yield hourOf(addDays(today, -5), 20)
  await phone.who.call(questionPageApi.answer, { body: { ...(await phone.act()), id, choice: 2, words: '' } })
  await phone.who.call(threadPageApi.say, {
    body: {
      ...(await phone.act()),
      words: '衣柜门开右边，另外周六上午想带父母来看看，可以吗？',
      pictures: [],
    },
  })
  yield hourOf(addDays(today, -4), 9)
  const { newest: after } = await keeper.call(threadsApi.details, { query: { site_id } })
  await keeper.call(threadsApi.say, {
    body: { site_id, after, words: '可以，周六上午 10 点我在现场等您，请带好身份证。', pictures: [] },
  })
  yield hourOf(addDays(today, -4), 12)
  const { newest: seq } = await keeper.call(threadsApi.details, { query: { site_id } })
  await phone.who.call(threadPageApi.saw, { body: { ...phone.bearer, seq } })
}

/** Homes that were told of a day: how many days ago, or so many minutes before now. */
const TOLD: readonly { home: number; day?: number; minutes?: number }[] = [
  { home: 0, day: -2 },
  { home: 0, minutes: 35 },
  { home: 3, day: -1 },
  { home: 4, day: -1 },
  { home: 5, minutes: 25 },
]
const USUAL = '按计划施工，材料已到位，现场已打扫干净'
async function* told(door: Door, run: Run, of: (typeof TOLD)[number], until: Date): Story {
  const { day, minutes = 0 } = of
  yield day === undefined
    ? new Date(until.getTime() - minutes * MINUTE_MS)
    : hourOf(addDays(run.today, day), 17)
  const { id: site_id, keeper } = run.homes[of.home]!
  const today = await keeper.call(progressApi.proposal, { query: { site_id } })
  const happened = today.happened.length ? today.happened : [{ text: USUAL }]
  await keeper.call(progressApi.send, {
    body: {
      site_id,
      act: await door.once(async () => randomUUID()),
      after: today.newest,
      words: progressWords(today.day, happened),
      pictures: today.pictures.filter((p) => !p.failed).map((p) => p.key),
    },
  })
}

/** Somebody has come without having said so, and is still there. */
async function* there(run: Run, until: Date): Story {
  yield new Date(until.getTime() - 20 * MINUTE_MS)
  const { id: site_id, keeper } = run.homes[1]!
  const { steward_id: host_id } = await homeRow(keeper, site_id)
  await keeper.call(receptionsApi.add, {
    body: { site_id, purpose: 'look', host_id: host_id!, remark: '路过，上来看看吊顶' },
  })
}

/** Why sites of the branch stand still, as far as they do: two reasons hold, one has lapsed meanwhile. */
async function* stopped({ cast, today }: Run, until: Date): Story {
  const say = async (n: number, why: Omit<BodyOf<(typeof noWorkApi)['reason']>, 'id' | 'version'>) => {
    const { list } = await cast.gm.call(noWorkApi.list, { query: { sort: '-noWorkRun' } })
    if (list[n])
      await cast.gm.call(noWorkApi.reason, {
        body: { ...why, id: list[n].id, version: list[n].version },
      })
  }
  yield hourOf(addDays(today, -5), 17)
  await say(2, { reason: 'crew', until: addDays(today, -3), remark: '瓦工去了别的工地，周末回来' })
  yield new Date(until.getTime() - 80 * MINUTE_MS)
  await say(0, { reason: 'process', remark: '等闭水试验结束' })
  await say(1, { reason: 'weather', remark: '连着下雨，外墙不能做' })
}

/** The talk of a branch's homes beside promises and questions. */
export const homesOf = (door: Door, run: Run, place: number, until: Date): Story[] => [
  sold(run, place),
  livedIn(run),
  byPhone(door, run),
  ...TOLD.map((of) => told(door, run, of, until)),
  there(run, until),
  stopped(run, until),
]
