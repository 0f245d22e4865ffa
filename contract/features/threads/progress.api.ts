import { z } from 'zod'

import { defineApi } from '../../kit/api.ts'
import { typed } from '../../kit/fields.ts'
import { uuid } from '../../kit/paging.ts'
import { progressHome, progressProposal } from './progress.record.ts'
import { MOST_WORDS, said } from './thread-page.record.ts'

const REPLY = ['thread:reply']
const home = z.object({ site_id: uuid.meta({ title: '工地' }) })

/** 今日进度: what happened in a home today, told to whoever lives there. */
export const progressApi = defineApi({
  /** Homes in which something happened today: the caller's own, or of somebody who keeps none, those in reach. */
  homes: {
    method: 'POST',
    path: '/osmcore/api/ownerinteract/progress/homes',
    title: '今日进度：今天有进展的业主',
    access: REPLY,
    data: z.array(progressHome),
  },
  proposal: {
    method: 'POST',
    path: '/osmcore/api/ownerinteract/progress/proposal',
    title: '今日进度：可以发的内容',
    access: REPLY,
    query: home,
    data: progressProposal,
  },
  send: {
    method: 'POST',
    path: '/osmcore/api/ownerinteract/progress/send',
    title: '发送今日进度',
    access: REPLY,
    body: home.extend({
      /** The page's own number of it: done once, however often it is sent. */
      act: uuid.meta({ title: '操作编号' }),
      after: z.number({ error: '请刷新后再试' }).int().min(0).meta({ title: '已看到的最新一条' }),
      words: typed()
        .min(1, { error: '请写明今天的进度' })
        .max(MOST_WORDS, { error: `一条最多 ${MOST_WORDS} 个字` })
        .meta({ title: '内容' }),
      pictures: said.pictures,
    }),
    data: z.object({ id: z.string(), seq: z.number().int() }),
  },
})
