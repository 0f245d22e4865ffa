import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { uuid } from '../../kit/paging.ts'
import { viewPurpose } from '../video/purposes.record.ts'
import { lookingOf, MOST_LOOKED_AT, OFFER_CHARS, openStream, still, STREAMS_EACH } from './streams.record.ts'

const views = z.array(uuid).min(1).max(STREAMS_EACH).meta({ title: '查看' })

export const streamsApi = defineApi({
  /**
   * A camera's picture now: a stream where the gateway gives one, and the newest still. Each is a line of the log.
   */
  open: {
    method: 'POST',
    path: '/osmcore/api/stream/open',
    title: '实时预览',
    access: ['device:live'],
    body: z.object({
      device_id: uuid.meta({ title: '摄像头' }),
      purpose: viewPurpose.schema.meta({ title: '查看目的' }),
      /** The purpose, where no purpose of the list says it. */
      words: z.string().trim().max(100).default('').meta({ title: '目的说明' }),
      /** The person said it; otherwise it is what the page is usually opened for. */
      said: z.boolean().default(false),
    }),
    data: openStream,
  },
  /** Why nobody looks through a camera at this moment, of those in reach; nothing of who may look. */
  looking: {
    method: 'POST',
    path: '/osmcore/api/stream/looking',
    title: '能不能看现场',
    access: ['device:live'],
    body: z.object({ devices: z.array(uuid).min(1).max(MOST_LOOKED_AT).meta({ title: '摄像头' }) }),
    data: z.array(lookingOf),
  },
  /** Somebody still looks; answers the newest stills, and which views are over. */
  keep: {
    method: 'POST',
    path: '/osmcore/api/stream/keep',
    title: '继续查看直播',
    access: 'signedIn',
    body: z.object({ views }),
    data: z.object({
      ended: z.array(z.string()),
      stills: z.array(still.extend({ view: z.string() })),
    }),
  },
  /** WebRTC: the browser's offer goes to the gateway and its answer comes back; the picture takes the direct way. */
  offer: {
    method: 'POST',
    path: '/osmcore/api/stream/offer',
    title: '连接直播',
    access: ['device:live'],
    work: 'stream',
    body: z.object({
      view: uuid.meta({ title: '查看' }),
      sdp: z.string().min(1).max(OFFER_CHARS).meta({ title: '连接参数' }),
    }),
    data: z.object({ sdp: z.string() }),
  },
  close: {
    method: 'POST',
    path: '/osmcore/api/stream/close',
    title: '结束查看直播',
    access: 'signedIn',
    body: z.object({ views }),
    data: nothing,
  },
  /** A playlist, a segment or an FLV stream. The address says for whom and what, and is asked again each time. */
  play: {
    method: 'GET',
    path: '/osmcore/api/stream/play',
    title: '播放直播',
    access: 'public',
    work: 'stream',
    raw: true,
    query: z.object({ key: z.string().max(2_000).default('') }),
    data: nothing,
  },
})
