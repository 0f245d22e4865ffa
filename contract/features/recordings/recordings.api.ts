import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason } from '../../kit/fields.ts'
import { day, uuid } from '../../kit/paging.ts'
import { viewPurpose } from '../video/purposes.record.ts'
import { heldFilm, lastRecorded, recordingCamera, recordingDay } from './recordings.record.ts'

const complaint = uuid.meta({ title: '投诉' })
const camera = uuid.meta({ title: '摄像头' })
const why = {
  purpose: viewPurpose.schema.meta({ title: '查看目的' }),
  /** The purpose, where no purpose of the list says it. */
  words: z.string().trim().max(100).default('').meta({ title: '目的说明' }),
  /** The person said it; otherwise it is what the page is usually opened for. */
  said: z.boolean().default(false),
}
const second = z.number({ error: '时间应为秒数' }).int().min(0)

export const recordingsApi = defineApi({
  /** Cameras of a site with what they recorded there, also those that stand elsewhere by now. */
  cameras: {
    method: 'POST',
    path: '/osmcore/api/recording/cameras',
    title: '工地的录像',
    access: ['page:videoRecord'],
    body: z.object({ site_id: uuid.meta({ title: '工地' }) }),
    data: z.array(recordingCamera),
  },
  /** The cameras of the reach that recorded last, newest first. */
  latest: {
    method: 'GET',
    path: '/osmcore/api/recording/latest',
    title: '最近的录像',
    access: ['page:videoRecord'],
    data: z.array(lastRecorded),
  },
  day: {
    method: 'POST',
    path: '/osmcore/api/recording/day',
    title: '一天的录像',
    access: ['page:videoRecord'],
    body: z.object({ device_id: camera, day: day.meta({ title: '日期' }) }),
    data: recordingDay,
  },
  /** An address for one recording and this session (docs/decisions/0240). Every one is a line of the view log. */
  open: {
    method: 'POST',
    path: '/osmcore/api/recording/open',
    title: '查看录像',
    access: ['page:videoRecord'],
    body: z.object({
      id: uuid.meta({ title: '录像' }),
      ...why,
    }),
    data: z.object({
      address: z.string(),
      /** Until when it opens. */
      until: z.number().int(),
      from: z.number().int(),
      to: z.number().int(),
    }),
  },
  /** Recordings around an open complaint, for who sees no other recordings (docs/decisions/0505). */
  held: {
    method: 'POST',
    path: '/osmcore/api/recording/held',
    title: '投诉留存的录像',
    access: ['feedback:film'],
    body: z.object({ feedback_id: complaint }),
    data: z.array(heldFilm),
  },
  /** An address for one of them, good while the complaint is open. Every one is a line of the view log. */
  openHeld: {
    method: 'POST',
    path: '/osmcore/api/recording/openheld',
    title: '查看投诉留存的录像',
    access: ['feedback:film'],
    body: z.object({ feedback_id: complaint, id: uuid.meta({ title: '录像' }) }),
    data: z.object({ address: z.string(), until: z.number().int() }),
  },
  /** The file as it came, to be taken away where browsers do not play it. */
  original: {
    method: 'POST',
    path: '/osmcore/api/recording/original',
    title: '下载录像原文件',
    access: ['recording:clip'],
    body: z.object({ id: uuid.meta({ title: '录像' }), ...why }),
    data: z.object({
      address: z.string(),
      name: z.string(),
    }),
  },
  /** The bytes, whole or by ranges. The address says for whom and what, and is asked again at every request. */
  play: {
    method: 'GET',
    path: '/osmcore/api/recording/play',
    title: '播放录像',
    access: 'public',
    raw: true,
    query: z.object({ key: z.string().max(400).default('') }),
    data: nothing,
  },
  /** The pieces of a clip that the browser cuts and signs with the viewer's name (docs/decisions/0255). */
  clip: {
    method: 'POST',
    path: '/osmcore/api/recording/clip',
    title: '下载录像片段',
    access: ['recording:clip'],
    body: z.object({
      device_id: camera,
      from: second.meta({ title: '开始时间' }),
      to: second.meta({ title: '结束时间' }),
      ...why,
    }),
    data: z.object({
      deviceSn: z.string(),
      /** In order, without what nobody recorded; `begins` and `ends` are those of the file. */
      pieces: z.array(
        z.object({
          address: z.string(),
          from: z.number().int(),
          to: z.number().int(),
          begins: z.number().int(),
          ends: z.number().int(),
        }),
      ),
      /** The person who takes it away, and when: to be seen on each picture. */
      viewer: z.string(),
      at: z.number().int(),
    }),
  },
  hold: {
    method: 'POST',
    path: '/osmcore/api/recording/hold',
    title: '留存录像',
    access: ['recording:hold'],
    body: z.object({
      device_id: camera,
      from: second.meta({ title: '开始时间' }),
      to: second.meta({ title: '结束时间' }),
      until: day.meta({ title: '留存到' }),
      reason,
    }),
    /** What was recorded of it, and what was not: something may still come late, and is held then. */
    data: z.object({ seconds: z.number().int(), missing: z.number().int() }),
  },
  release: {
    method: 'POST',
    path: '/osmcore/api/recording/release',
    title: '解除留存',
    access: ['recording:hold'],
    body: z.object({ id: uuid.meta({ title: '留存' }), reason }),
    data: nothing,
  },
})
