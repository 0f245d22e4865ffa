import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { feedbackCause, feedbackChannel } from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import type { promiseSubject } from '@zhuguan/contract/features/promises/promises.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import sharp from 'sharp'

import { hourOf } from '../database/seed/stories.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import type { Part, Speakers } from './demo-speakers.ts'
import type { Story } from './demo-timeline.ts'

/** Something that became of a promise, so many days from today. */
type Step = { day: number; by: Part } & (
  | { act: 'keep'; text: string }
  | { act: 'extend'; to: number; why: string }
  | { act: 'object' | 'uphold' | 'dismiss' | 'break' | 'withdraw'; why: string }
)
interface Given {
  /** One of the sites of the branch's steward. */
  home: number
  day: number
  due: number
  by: Part
  subject: (typeof promiseSubject.values)[number]
  content: string
  /** Its manager answers for it. */
  manager?: true
  /** The word about an older one with another date: that both stand, and why, or that this one counts. */
  beside?: string
  instead?: true
  became?: readonly Step[]
}
const kept = (day: number, text: string, by: Part = 'steward'): Step => ({ day, by, act: 'keep', text })
const put = (day: number, to: number, why: string, by: Part = 'steward'): Step => ({
  day,
  by,
  act: 'extend',
  to,
  why,
})

/** Promises of a branch's last days, with every way that it can go. */
const GIVEN: readonly Given[] = [
  {
    home: 0,
    day: -24,
    due: -18,
    by: 'steward',
    subject: 'schedule',
    content: '客餐厅瓷砖铺完再进木工',
    became: [kept(-19, '客餐厅已铺完，缝已勾')],
  },
  {
    home: 1,
    day: -22,
    due: -16,
    by: 'manager',
    manager: true,
    subject: 'quality',
    content: '卫生间闭水重做一次，业主在场看',
    became: [kept(-16, '48 小时不渗，业主签字', 'manager')],
  },
  {
    home: 2,
    day: -21,
    due: -15,
    by: 'service',
    subject: 'cost',
    content: '多收的水电开槽费退给业主',
    became: [kept(-17, '已退到业主卡上，附回单')],
  },
  {
    home: 3,
    day: -20,
    due: -14,
    by: 'steward',
    subject: 'attendance',
    content: '设计师到现场确认橱柜尺寸',
    became: [kept(-14, '尺寸已复核，业主在场')],
  },
  {
    home: 4,
    day: -18,
    due: -12,
    by: 'steward',
    subject: 'goods',
    content: '主材样板送到工地给业主挑',
    became: [put(-12, -8, '厂家样板间在换新，晚几天'), put(-8, 3, '岩板样板缺货，等下一批')],
  },
  {
    home: 0,
    day: -14,
    due: -9,
    by: 'service',
    manager: true,
    subject: 'quality',
    content: '客厅顶面裂缝返工刷平',
    became: [{ day: -7, by: 'gm', act: 'break', why: '到期两天没有人去，业主来电确认' }],
  },
  {
    home: 1,
    day: -11,
    due: -4,
    by: 'steward',
    subject: 'quality',
    content: '入户门划痕补漆',
    became: [
      kept(-5, '已补漆'),
      { day: -3, by: 'service', act: 'object', why: '业主说逆光还看得见划痕' },
      { day: -2, by: 'gm', act: 'uphold', why: '上门看过，色差明显' },
    ],
  },
  {
    home: 2,
    day: -10,
    due: -3,
    by: 'steward',
    subject: 'quality',
    content: '阳台推拉门换新密封条',
    became: [kept(-3, '已更换并试过'), { day: -1, by: 'service', act: 'object', why: '业主说下雨天还进水' }],
  },
  {
    home: 3,
    day: -9,
    due: -2,
    by: 'manager',
    manager: true,
    subject: 'schedule',
    content: '水电改造收尾，墙面封槽',
  },
  {
    home: 4,
    day: -8,
    due: 5,
    by: 'service',
    subject: 'other',
    content: '每周五把现场照片发给业主',
    became: [{ day: -6, by: 'service', act: 'withdraw', why: '业主改为自己看直播' }],
  },
  { home: 5, day: -6, due: 5, by: 'steward', subject: 'goods', content: '主卧实木地板到货' },
  {
    home: 5,
    day: -4,
    due: 9,
    by: 'manager',
    subject: 'goods',
    content: '次卧强化地板到货',
    beside: '两个房间的地板分两批到货',
  },
  { home: 6, day: -7, due: 1, by: 'steward', subject: 'attendance', content: '监理到场看防水' },
  {
    home: 6,
    day: -3,
    due: 4,
    by: 'service',
    subject: 'attendance',
    content: '监理和业主一起到场看防水',
    instead: true,
  },
  { home: 1, day: -3, due: 0, by: 'steward', subject: 'other', content: '把增项报价单解释给业主听' },
  {
    home: 0,
    day: -1,
    due: 6,
    by: 'service',
    manager: true,
    subject: 'quality',
    content: '厨房地漏反味处理好',
  },
]

/** A photograph of a room, another one for each number. */
export const room = (n: number): Promise<Buffer> => {
  const at = (k: number, most: number) => (n * 97 + k * 61 + n * n * 13) % most
  const shade = (k: number) => `hsl(${(n * 53 + k * 90) % 360} 35% ${35 + at(k, 40)}%)`
  const box = (k: number, [right, down]: readonly [number, number], side: number) =>
    `<rect x="${at(k, right)}" y="${30 + at(k + 1, down)}" width="${side + at(k + 2, 80)}"
       height="${side + at(k + 3, 90)}" fill="${shade(k)}"/>`
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360"><rect width="480" height="360" fill="#e9e4da"/>
       <path d="M0 ${240 + at(1, 60)}h480v200H0z" fill="${shade(1)}"/>
       ${box(2, [280, 70], 90)}
       ${box(6, [360, 120], 50)}
       <path d="M0 ${200 + at(10, 30)}L480 ${180 + at(11, 60)}" stroke="#8c8578" stroke-width="6"/></svg>`,
    ),
  )
    .jpeg()
    .toBuffer()
}

export interface Run extends Speakers {
  today: string
  /** A number in the branch: no two of its pictures look alike. */
  first: number
}
export const momentOf = (today: string, day: number, i: number) => hourOf(addDays(today, day), 9 + (i % 8))
async function act(run: Run, id: string, step: Step, picture: number): Promise<void> {
  const who = run.cast[step.by]
  const { version } = await who.call(promisesApi.details, { query: { id } })
  const one = { id, version }
  if (step.act === 'keep') {
    const pictures = [await who.send(await room(picture))]
    await who.call(promisesApi.keep, { body: { ...one, pictures, text: step.text } })
  } else if (step.act === 'extend')
    await who.call(promisesApi.extend, {
      body: { ...one, due: addDays(run.today, step.to), reason: step.why },
    })
  else if (step.act === 'object') {
    const { phone } = feedbackChannel.code
    await who.call(promisesApi.object, { body: { ...one, reason: step.why, channel: phone } })
    await heard(run, id)
  } else {
    await who.call(promisesApi[step.act], { body: { ...one, reason: step.why } })
    if (step.act === 'uphold') await settled(run, id, step.why)
  }
}
/** The complaint that an objection became, as it is now. */
async function complaintOf(run: Run, id: string) {
  const { log } = await run.cast.service.call(promisesApi.details, { query: { id } })
  const complaint = log.findLast((l) => l.feedback_id)!.feedback_id!
  return run.cast.service.call(feedbackApi.details, { query: { id: complaint } })
}
/** Service takes an objection on for who answers for the promise, and says so to the home. */
async function heard(run: Run, id: string): Promise<void> {
  const { responsible_id: assignee_id } = await run.cast.service.call(promisesApi.details, { query: { id } })
  const { id: complaint, level, version } = await complaintOf(run, id)
  if (!assignee_id) return
  await run.cast.service.call(feedbackApi.accept, { body: { id: complaint, version, level, assignee_id } })
  const words = '已记下，主管会上门看过再答复您'
  await run.cast.service.call(feedbackApi.answer, {
    body: { id: complaint, answers: 0, words, pictures: [] },
  })
}
async function settled(run: Run, id: string, result: string): Promise<void> {
  const { id: complaint, version } = await complaintOf(run, id)
  const { works } = feedbackCause.code
  await run.cast.service.call(feedbackApi.close, { body: { id: complaint, version, cause: works, result } })
}
async function* promised(run: Run, given: Given, i: number): Story {
  const { sites, today } = run
  yield momentOf(today, given.day, i)
  const who = run.cast[given.by]
  const { content, subject } = given
  const asked = { site_id: sites[given.home % sites.length]!, subject, due: addDays(today, given.due) }
  const older = await who.call(promisesApi.contradictions, { query: asked })
  const how = given.instead ? ('supersede' as const) : ('coexist' as const)
  const answers = older.list.map(({ id }) => ({ id, how, reason: given.beside ?? '和业主分开说好的两件事' }))
  const post = given.manager ? principalPost.code.manager : principalPost.code.steward
  const { id } = await who.call(promisesApi.add, { body: { ...asked, content, post, answers } })
  for (const [n, step] of (given.became ?? []).entries()) {
    yield momentOf(today, step.day, i + n)
    await act(run, id, step, run.first + i * 4 + n)
  }
}

/** The person who speaks with the owners of a branch, with what its pictures begin at. */
export const runOf = (speakers: Speakers, place: number, until: Date): Run => ({
  ...speakers,
  today: shanghaiDay(until),
  first: place * 100,
})
/** Promises to owners of a branch's sites, each by the person who spoke with them. */
export const promisesOf = (run: Run): Story[] => GIVEN.map((given, i) => promised(run, given, i))
