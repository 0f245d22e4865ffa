import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'

import { hourOf } from '../database/seed/stories.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import type { Speakers } from './demo-speakers.ts'
import type { Story } from './demo-timeline.ts'

/** Of each branch manager and steward had something to say to a figure of theirs. */
export async function* supervisedOf({ cast }: Speakers, bc_id: string, until: Date): Story {
  const today = shanghaiDay(until)
  const days = { bc_id, from: addDays(today, -30), to: addDays(today, -1) }
  yield hourOf(addDays(today, -1), 18)
  await cast.manager.call(supervisionApi.remark, {
    body: { ...days, figure: 'late', words: '有两条等班组返工，材料当天没到，已经和下单员约好时间。' },
  })
  await cast.steward.call(supervisionApi.remark, {
    body: { ...days, figure: 'complaints', words: '业主催的是橱柜到货，已经当面说明并重新约了日期。' },
  })
}
