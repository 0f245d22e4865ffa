import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen } from '../../kit/fields.ts'
import { keyword, optional, uuid } from '../../kit/paging.ts'
import { previewChoice, previewDetail, previewFacts, previewItemKind, previewRow } from './previews.record.ts'
import { sharePage } from './share-page.record.ts'

const one = seen('客户预览')
const customer_id = uuid.meta({ title: '客户' })
const PAGE = ['page:customPreview']

export const previewsApi = defineApi({
  /** The newest ones, of a customer or of all in reach. */
  list: {
    method: 'POST',
    path: '/mkscore/api/preview/list',
    title: '客户预览',
    access: PAGE,
    query: z.object({ customer_id: optional(uuid).meta({ title: '客户' }) }),
    data: z.array(previewRow),
  },
  details: {
    method: 'POST',
    path: '/mkscore/api/preview/details',
    title: '客户预览详情',
    access: PAGE,
    query: z.object({ id: one.id }),
    data: previewDetail,
  },
  /** Cases that could be put in, those near to the customer's home first. */
  choices: {
    method: 'POST',
    path: '/mkscore/api/preview/choices',
    title: '客户预览可选内容',
    access: ['preview:edit'],
    query: z.object({ customer_id, kind: previewItemKind.schema.meta({ title: '内容' }), keyword }),
    data: z.array(previewChoice),
  },
  /** As its customer would see it now. */
  shown: {
    method: 'POST',
    path: '/mkscore/api/preview/shown',
    title: '预览效果',
    access: PAGE,
    query: z.object({ id: one.id }),
    data: sharePage,
  },
  add: {
    method: 'POST',
    path: '/mkscore/api/preview/add',
    title: '新建客户预览',
    access: ['preview:edit'],
    body: previewFacts.extend({ customer_id }),
    data: z.object({ id: z.string() }),
  },
  save: {
    method: 'POST',
    path: '/mkscore/api/preview/save',
    title: '修改客户预览',
    access: ['preview:edit'],
    body: previewFacts.extend(one),
    data: nothing,
  },
  end: {
    method: 'POST',
    path: '/mkscore/api/preview/end',
    title: '结束客户预览',
    access: ['preview:edit'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
})
