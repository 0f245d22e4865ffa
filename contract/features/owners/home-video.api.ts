import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { uuid } from '../../kit/paging.ts'
import { consentAnswer } from '../consents/consents.record.ts'
import { bearer } from '../links/links.record.ts'
import { OFFER_CHARS, openStream, still } from '../streams/streams.record.ts'
import { homeVideoState } from './home-video.record.ts'
import { LOOKS_EACH } from './looks.record.ts'

const act = { ...bearer, act: uuid.meta({ title: '操作编号' }) }
const views = z
  .array(uuid)
  .min(1)
  .max(2 * LOOKS_EACH)
  .meta({ title: '查看' })

/** The page of a home behind its link, on a device that was let in. */
export const homeVideoApi = defineApi({
  state: {
    method: 'POST',
    path: '/open/home/video',
    title: '业主：看现场',
    access: 'public',
    body: z.object(bearer),
    data: homeVideoState,
  },
  answer: {
    method: 'POST',
    path: '/open/home/consent',
    title: '业主：答复看现场',
    access: 'public',
    body: z.object({
      ...act,
      answer: consentAnswer.schema.meta({ title: '答复' }),
      /** The words that stood on the page. */
      wording: z.string().max(20).meta({ title: '说明版本' }),
    }),
    data: nothing,
  },
  withdraw: {
    method: 'POST',
    path: '/open/home/withdraw',
    title: '业主：撤回同意',
    access: 'public',
    body: z.object(act),
    data: nothing,
  },
  look: {
    method: 'POST',
    path: '/open/home/look',
    title: '业主：打开现场画面',
    access: 'public',
    body: z.object({ ...bearer, device_id: uuid.meta({ title: '摄像头' }) }),
    data: openStream,
  },
  /** Somebody still looks; answers what has ended and why, and the newest stills. */
  keep: {
    method: 'POST',
    path: '/open/home/keep',
    title: '业主：继续看现场',
    access: 'public',
    body: z.object({ ...bearer, views }),
    data: z.object({
      ended: z.array(z.object({ view: z.string(), why: z.string() })),
      stills: z.array(still.extend({ view: z.string() })),
    }),
  },
  offer: {
    method: 'POST',
    path: '/open/home/offer',
    title: '业主：连接现场画面',
    access: 'public',
    work: 'stream',
    body: z.object({
      ...bearer,
      view: uuid.meta({ title: '查看' }),
      sdp: z.string().min(1).max(OFFER_CHARS).meta({ title: '连接参数' }),
    }),
    data: z.object({ sdp: z.string() }),
  },
  leave: {
    method: 'POST',
    path: '/open/home/leave',
    title: '业主：关闭现场画面',
    access: 'public',
    body: z.object({ ...bearer, views }),
    data: nothing,
  },
})
