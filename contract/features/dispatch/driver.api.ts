import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { optionalReason, reason, uploaded, words, wordsOnALine } from '../../kit/fields.ts'
import { uuid } from '../../kit/paging.ts'
import { bearer } from '../links/links.record.ts'
import { noteParts, proofFacts } from './dispatch.record.ts'
import { doorWord, driverState } from './driver.record.ts'

/** What is done without an account: `act` is the page's own number of it, done once however often it is sent. */
const act = {
  ...bearer,
  act: uuid.meta({ title: '操作编号' }),
  note_id: uuid.meta({ title: '发货单' }),
  /** When it was done, in seconds, by the telephone's clock; it may have waited for a network. */
  at: z.number().int().min(0).meta({ title: '时间' }),
}

/** The calls behind a driver's link. */
export const driverApi = defineApi({
  state: {
    method: 'POST',
    path: '/open/driver/state',
    title: '司机：查看',
    access: 'public',
    body: z.object(bearer),
    data: driverState,
  },
  node: {
    method: 'POST',
    path: '/open/driver/node',
    title: '司机：到哪了',
    access: 'public',
    body: z.object({
      ...act,
      place: wordsOnALine('地点', 60),
      lng: z.number().min(-180).max(180).nullable().default(null).meta({ title: '经度' }),
      lat: z.number().min(-90).max(90).nullable().default(null).meta({ title: '纬度' }),
    }),
    data: nothing,
  },
  /** Without lines: everything that the note still carries. */
  handOver: {
    method: 'POST',
    path: '/open/driver/handover',
    title: '司机：交货',
    access: 'public',
    body: proofFacts.extend({
      ...act,
      lines: noteParts.nullable().default(null).meta({ title: '交货内容' }),
      /** The reason why the rest was not handed over; asked where there is one. */
      reason: optionalReason.meta({ title: '没交完的原因' }),
      /** Damage on the way, in words and with a picture; it is judged at the acceptance. */
      damage: words('损坏情况', 200),
      damagePhoto: uploaded.nullable().default(null).meta({ title: '损坏照片' }),
    }),
    /** The number under which it has arrived. */
    data: z.object({ code: z.string() }),
  },
  /** Refused, lost, or nobody there to take it. */
  say: {
    method: 'POST',
    path: '/open/driver/say',
    title: '司机：门口情况',
    access: 'public',
    body: z.object({
      ...act,
      word: doorWord.schema.meta({ title: '情况' }),
      reason,
      photo: uploaded.nullable().default(null).meta({ title: '照片' }),
      place: wordsOnALine('地点', 60),
      lng: z.number().min(-180).max(180).nullable().default(null).meta({ title: '经度' }),
      lat: z.number().min(-90).max(90).nullable().default(null).meta({ title: '纬度' }),
    }),
    data: nothing,
  },
  /** Bytes of a picture, at most 1 MiB; the headers `x-link`, `x-link-pass` and `x-link-device` say whose. */
  photo: {
    method: 'POST',
    path: '/open/driver/photo',
    title: '司机：上传照片',
    work: 'upload',
    access: 'public',
    raw: true,
    data: z.object({ key: z.string() }),
  },
})
