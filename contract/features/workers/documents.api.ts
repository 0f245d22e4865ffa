import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen, uploaded } from '../../kit/fields.ts'
import { day, uuid } from '../../kit/paging.ts'
import { documentKind, documentRow } from './documents.record.ts'

const number = z
  .string()
  .trim()
  .regex(/^[\w-]{4,40}$/, { error: '号码应为 4 到 40 位字母、数字或短横线' })
  .meta({ title: '号码' })
const facts = {
  kind: documentKind.schema.meta({ title: '证件' }),
  /** Null for one without end. */
  validUntil: day.nullable().default(null).meta({ title: '有效期至' }),
  picture: uploaded.nullable().default(null),
}
const worker_id = uuid.meta({ title: '工人' })

export const documentsApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/worker/documents',
    title: '工人证件',
    access: ['page:WorkerInfo'],
    query: z.object({ worker_id }),
    data: z.array(documentRow),
  },
  add: {
    method: 'POST',
    path: '/osmcore/api/worker/adddocument',
    title: '登记证件',
    access: ['worker:document'],
    body: z.object({ worker_id, number, ...facts }),
    data: z.object({ id: z.string() }),
  },
  /** A number that is left out stays, as the picture does that is sent again by its key. */
  edit: {
    method: 'POST',
    path: '/osmcore/api/worker/updatedocument',
    title: '修改证件',
    access: ['worker:document'],
    body: z.object({ ...seen('证件'), number: number.optional(), ...facts }),
    data: nothing,
  },
  del: {
    method: 'POST',
    path: '/osmcore/api/worker/deldocument',
    title: '删除证件',
    access: ['worker:document'],
    body: z.object({ ...seen('证件'), reason }),
    data: nothing,
  },
  /** One number, for a reason; every look is in the log. */
  number: {
    method: 'POST',
    path: '/osmcore/api/worker/documentnumber',
    title: '查看证件号码',
    access: ['worker:document'],
    body: z.object({ id: uuid.meta({ title: '证件' }), reason }),
    data: z.object({ number: z.string() }),
  },
})
