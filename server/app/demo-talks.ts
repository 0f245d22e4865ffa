import { threadsApi } from '@zhuguan/contract/features/threads/threads.api.ts'

import { hourOf } from '../database/seed/stories.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import type { Part, Speakers } from './demo-speakers.ts'
import type { Story } from './demo-timeline.ts'

type How = 'phone' | 'wechat' | 'meet'
/** A word, so many days from today, or so many minutes ago: of the home, as `by` wrote it down, or of ours. */
interface Word {
  when: { day: number; hour: number } | { minutes: number }
  by: Part
  heard?: true
  how: How
  words: string
  /** Nothing has to be said to what stands there, because of these words. */
  silent?: true
}
const on = (day: number, hour: number) => ({ day, hour })

/** What was said lately in some homes of a branch, by home: answered, let be, waiting, and waiting too long. */
const TALKS: readonly (readonly Word[])[] = [
  [
    {
      when: on(-6, 10),
      by: 'steward',
      heard: true,
      how: 'wechat',
      words: '厨房想多留两个插座，放电饭煲和净水器，现在改还来得及吗？',
    },
    {
      when: on(-6, 11),
      by: 'steward',
      how: 'wechat',
      words: '来得及，水电还没封槽。已告诉项目经理，明天师傅到场给您定位置。',
    },
    {
      when: on(-5, 15),
      by: 'manager',
      how: 'meet',
      words: '两个插座的位置已经和您爱人在现场画好，一个离地 30 公分，一个在台面上。',
    },
    { when: on(-5, 17), by: 'steward', heard: true, how: 'wechat', words: '好的，谢谢，辛苦了' },
    { when: on(-5, 18), by: 'steward', how: 'wechat', words: '业主道谢，不用再回', silent: true },
  ],
  [
    {
      when: on(-3, 9),
      by: 'service',
      heard: true,
      how: 'phone',
      words: '卫生间的瓷砖到货颜色和样板不一样，偏灰，要不要退？',
    },
    {
      when: on(-3, 11),
      by: 'manager',
      how: 'phone',
      words: '先不要铺。我下午带样板到现场一块一块对，颜色不对就退，工期往后顺两天。',
    },
    {
      when: { minutes: 50 },
      by: 'service',
      heard: true,
      how: 'phone',
      words: '换的砖什么时候到？周末家里老人要来看。',
    },
  ],
  [
    {
      when: on(-2, 14),
      by: 'steward',
      heard: true,
      how: 'wechat',
      words: '邻居说我们家中午还在施工，能不能避开 12 点到 2 点？',
    },
    { when: on(-2, 16), by: 'steward', how: 'wechat', words: '已经和班组说好，中午 12 点到 2 点停工。' },
    {
      when: on(-1, 13),
      by: 'service',
      heard: true,
      how: 'phone',
      words: '今天中午又在敲，物业打电话给我了。',
    },
    { when: on(-1, 13), by: 'service', heard: true, how: 'phone', words: '请今天之内给我一个说法。' },
  ],
]

async function say({ cast }: Speakers, site_id: string, w: Word): Promise<void> {
  const who = cast[w.by]
  if (w.heard) {
    await who.call(threadsApi.hear, { body: { site_id, channel: w.how, words: w.words } })
    return
  }
  const { newest: after } = await who.call(threadsApi.details, { query: { site_id } })
  if (w.silent) await who.call(threadsApi.silence, { body: { site_id, after, reason: w.words } })
  else await who.call(threadsApi.say, { body: { site_id, after, channel: w.how, words: w.words } })
}
async function* talk(speakers: Speakers, site_id: string, words: readonly Word[], until: Date): Story {
  const today = shanghaiDay(until)
  for (const w of words) {
    yield 'minutes' in w.when
      ? new Date(until.getTime() - w.when.minutes * 60_000)
      : hourOf(addDays(today, w.when.day), w.when.hour)
    await say(speakers, site_id, w)
  }
}

const USUAL = [
  '已收到，我们马上安排。',
  '今天下班前给您答复。',
  '已告诉项目经理，明天到现场看过再和您说。',
  '材料已经在路上，到货当天告诉您。',
]
/** The phrases of the branch. */
async function* usual({ cast, sites }: Speakers, until: Date): Story {
  yield hourOf(addDays(shanghaiDay(until), -8), 9)
  const { bc_id, templatesVersion: version } = await cast.gm.call(threadsApi.details, {
    query: { site_id: sites[0]! },
  })
  await cast.gm.call(threadsApi.saveTemplates, { body: { bc_id, version, texts: USUAL } })
}

/** Messages of owners of a branch's homes, and the people who answered them. */
export const talksOf = (speakers: Speakers, until: Date): Story[] => [
  usual(speakers, until),
  ...speakers.sites.slice(0, TALKS.length).map((site, i) => talk(speakers, site, TALKS[i]!, until)),
]
