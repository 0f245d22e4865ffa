import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, typed, words } from '../../kit/fields.ts'
import { uuid } from '../../kit/paging.ts'
import { score } from '../../kit/score.ts'
import { feedbackKind } from '../feedback/feedback.record.ts'
import { bearer } from '../links/links.record.ts'
import { homeState } from './home-page.record.ts'

/** What is done is done once, however often it is sent: `act` is the page's own number of it. */
const act = { ...bearer, act: uuid.meta({ title: '操作编号' }) }
const id = uuid.meta({ title: '对象' })

/** The calls behind an owner's link, of a device that is bound. */
export const homePageApi = defineApi({
  /** The first call of a device that is not known asks to be let in. */
  state: {
    method: 'POST',
    path: '/open/home/state',
    title: '业主：查看',
    access: 'public',
    body: z.object(bearer),
    data: homeState,
  },
  /** Whether the page still may be shown; asked every ten seconds. */
  alive: {
    method: 'POST',
    path: '/open/home/alive',
    title: '业主：是否有效',
    access: 'public',
    body: z.object(bearer),
    data: nothing,
  },
  allow: {
    method: 'POST',
    path: '/open/home/allow',
    title: '业主：确认设备',
    access: 'public',
    body: z.object({ ...act, id }),
    data: nothing,
  },
  remove: {
    method: 'POST',
    path: '/open/home/remove',
    title: '业主：移除设备',
    access: 'public',
    body: z.object({ ...act, id }),
    data: nothing,
  },
  feedback: {
    method: 'POST',
    path: '/open/home/feedback',
    title: '业主：反馈',
    access: 'public',
    body: z.object({
      ...act,
      kind: feedbackKind.schema.meta({ title: '类型' }),
      words: typed()
        .min(2, { error: '请写清楚是什么事（至少 2 个字）' })
        .max(500, { error: '最多 500 个字' })
        .meta({ title: '内容' }),
      /** Water, electricity: it cannot wait until work begins. */
      urgent: z.boolean().default(false).meta({ title: '紧急' }),
      /** Of whoever keeps the home: they hear nothing of it until somebody releases it. */
      steward: z.boolean().default(false).meta({ title: '关于项目管家' }),
    }),
    data: z.object({ no: z.string() }),
  },
  score: {
    method: 'POST',
    path: '/open/home/score',
    title: '业主：满意度',
    access: 'public',
    body: z.object({ ...act, id, score }),
    data: nothing,
  },
  scoreVisit: {
    method: 'POST',
    path: '/open/home/scorevisit',
    title: '业主：到访满意度',
    access: 'public',
    body: z.object({ ...act, id, score, words: words('想说的话', 200) }),
    data: nothing,
  },
  reopen: {
    method: 'POST',
    path: '/open/home/reopen',
    title: '业主：没有解决',
    access: 'public',
    body: z.object({ ...act, id, reason }),
    data: nothing,
  },
  object: {
    method: 'POST',
    path: '/open/home/object',
    title: '业主：没有兑现',
    access: 'public',
    body: z.object({ ...act, id, reason }),
    data: nothing,
  },
})
