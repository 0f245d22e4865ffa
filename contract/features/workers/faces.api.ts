import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen } from '../../kit/fields.ts'
import { uuid } from '../../kit/paging.ts'
import { consentAnswer, consentFields, consentRow } from '../consents/consents.record.ts'
import { told } from '../consents/notices.record.ts'
import { faceRemoval } from './faces.record.ts'

export const facesApi = defineApi({
  /** A worker's answers about their face, the newest first. */
  consents: {
    method: 'POST',
    path: '/osmcore/api/worker/consents',
    title: '人脸同意记录',
    access: ['page:WorkerInfo'],
    query: z.object({ worker_id: uuid.meta({ title: '工人' }) }),
    data: z.array(consentRow),
  },
  /** Agreed, a face may be taken; refused, one that is kept is destroyed. */
  answer: {
    method: 'POST',
    path: '/osmcore/api/worker/recordconsent',
    title: '登记人脸同意',
    access: ['worker:face'],
    body: z.object({
      ...seen('工人'),
      answer: consentAnswer.schema.meta({ title: '本人答复' }),
      ...consentFields,
      told,
    }),
    data: nothing,
  },
  /** The person takes their consent back: the face is destroyed with it. */
  withdraw: {
    method: 'POST',
    path: '/osmcore/api/worker/withdrawconsent',
    title: '撤回人脸同意',
    access: ['worker:face'],
    body: z.object({ ...seen('工人'), reason }),
    data: nothing,
  },
  /** Faces that terminals must forget. */
  removals: {
    method: 'POST',
    path: '/osmcore/api/worker/faceremovals',
    title: '待从终端删除的人脸',
    access: ['page:DeviceList'],
    data: z.array(faceRemoval),
  },
  removed: {
    method: 'POST',
    path: '/osmcore/api/worker/faceremoved',
    title: '登记人脸已从终端删除',
    access: ['device:bind'],
    body: z.object(seen('待删除的人脸')),
    data: nothing,
  },
})
