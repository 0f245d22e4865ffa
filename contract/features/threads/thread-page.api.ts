import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { uuid } from '../../kit/paging.ts'
import { bearer } from '../links/links.record.ts'
import { ownThread, said } from './thread-page.record.ts'

const seq = z.number().int().min(0)

/** The thread as somebody of the home has it, behind their link. */
export const threadPageApi = defineApi({
  thread: {
    method: 'POST',
    path: '/open/home/thread',
    title: '业主：留言',
    access: 'public',
    /** `before`: what stands before this line; without it the newest. */
    body: z.object({ ...bearer, before: seq.nullable().default(null).meta({ title: '更早' }) }),
    data: ownThread,
  },
  say: {
    method: 'POST',
    path: '/open/home/say',
    title: '业主：发留言',
    access: 'public',
    /** `act`: the page's own number of it, done once however often it is sent. */
    body: z.object({ ...bearer, act: uuid.meta({ title: '操作编号' }), ...said }),
    data: nothing,
  },
  takeBack: {
    method: 'POST',
    path: '/open/home/takeback',
    title: '业主：撤回留言',
    access: 'public',
    body: z.object({ ...bearer, id: uuid.meta({ title: '留言' }) }),
    data: nothing,
  },
  /** The page has shown these lines. */
  saw: {
    method: 'POST',
    path: '/open/home/saw',
    title: '业主：已看留言',
    access: 'public',
    body: z.object({ ...bearer, seq: seq.meta({ title: '看到哪一条' }) }),
    data: nothing,
  },
  /** Bytes of a picture, at most 1 MiB; the headers `x-link`, `x-link-pass` and `x-link-device` say whose. */
  photo: {
    method: 'POST',
    path: '/open/home/photo',
    title: '业主：上传照片',
    work: 'upload',
    access: 'public',
    raw: true,
    data: z.object({ key: z.string() }),
  },
})
