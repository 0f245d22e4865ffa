import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { questionsApi } from '@zhuguan/contract/features/questions/questions.api.ts'

import { addDays } from '../kit/shanghai.ts'
import { momentOf, room, type Run } from './demo-promised.ts'
import type { Story } from './demo-timeline.ts'

type Part = keyof Run['cast']
/** The fate of a question, so many days from today. */
type End = { day: number; by: Part } & (
  | { act: 'record'; choice: number | null; words?: string }
  | { act: 'withdraw'; why: string }
)
interface Asked {
  /** One of the sites of the branch's steward. */
  home: number
  day: number
  needed: number
  by: Part
  words: string
  options?: readonly string[]
  /** The present stage waits for it. */
  waits?: true
  estimate?: string
  pictured?: true
  end?: End
  /** Asked once more, with what is left to choose. */
  anew?: { day: number; needed: number; options: readonly string[] }
}

/** Questions to a branch's owners lately, with every way that it can go. */
const ASKED: readonly Asked[] = [
  {
    home: 0,
    day: -7,
    needed: -2,
    by: 'steward',
    words: '客厅地砖选哪一款',
    options: ['浅灰 800×800', '米白 800×800', '木纹 200×1000'],
    waits: true,
    pictured: true,
  },
  {
    home: 1,
    day: -2,
    needed: 2,
    by: 'manager',
    words: '卫生间要不要改成壁挂马桶',
    options: ['改', '不改，按原来的'],
    estimate: '约 1,800 元',
  },
  { home: 2, day: -1, needed: 4, by: 'steward', words: '主卧插座加在哪面墙，请写明高度', waits: true },
  {
    home: 3,
    day: -9,
    needed: -5,
    by: 'steward',
    words: '木门颜色',
    options: ['胡桃木', '白色混油'],
    end: { day: -6, by: 'steward', act: 'record', choice: 2 },
  },
  {
    home: 4,
    day: -8,
    needed: -3,
    by: 'service',
    words: '阳台要不要封窗',
    options: ['封', '不封'],
    estimate: '约 4,500 元',
    end: { day: -4, by: 'service', act: 'record', choice: 1 },
  },
  {
    home: 5,
    day: -6,
    needed: -1,
    by: 'manager',
    words: '踢脚线用哪一种',
    options: ['瓷砖', '木质', '铝合金'],
    end: { day: -4, by: 'manager', act: 'withdraw', why: '木质的停产了，换一批再问' },
    anew: { day: -3, needed: 1, options: ['瓷砖', '铝合金'] },
  },
]

async function* questioned(run: Run, asked: Asked, i: number): Story {
  const { cast, sites, today } = run
  yield momentOf(today, asked.day, i)
  const site_id = sites[asked.home % sites.length]!
  const who = cast[asked.by]
  const { stages } = await who.call(questionsApi.foresee, { query: { site_id } })
  const { estimate = '', options = [], words } = asked
  const question = {
    site_id,
    words,
    options: [...options],
    neededBy: addDays(today, asked.needed),
    stage: asked.waits ? (stages[0] ?? null) : null,
    pictures: asked.pictured ? [await who.send(await room(run.first + 60 + i))] : [],
    costs: estimate !== '',
    estimate,
  }
  const { id } = await who.call(questionsApi.ask, { body: question })
  const { anew, end } = asked
  if (!end) return
  yield momentOf(today, end.day, i)
  const by = cast[end.by]
  const seen = async () => {
    const { version } = (await by.call(questionsApi.list, { query: { id } })).list[0]!
    return { id, version }
  }
  if (end.act === 'record') {
    const { contacts } = await by.call(ownersApi.details, { query: { site_id } })
    const pictures = [await by.send(await room(run.first + 80 + i))]
    await by.call(questionsApi.record, {
      body: {
        ...(await seen()),
        contact_id: contacts.find((c) => c.signatory && c.endedAt === null)!.id,
        choice: end.choice,
        words: end.words ?? '',
        pictures,
      },
    })
  } else await by.call(questionsApi.withdraw, { body: { ...(await seen()), reason: end.why } })
  if (!anew) return
  yield momentOf(today, anew.day, i)
  await who.call(questionsApi.ask, {
    body: {
      ...question,
      options: [...anew.options],
      neededBy: addDays(today, anew.needed),
      again: await seen(),
    },
  })
}

/** Questions to owners of a branch's sites, each by the person who keeps the home. */
export const questionsOf = (run: Run): Story[] => ASKED.map((asked, i) => questioned(run, asked, i))
