import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { seen, typed } from '../../kit/fields.ts'
import { commaList, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { arrangementDetail, arrangementRow, hours, MOST_SCENES, scene } from './arrangements.record.ts'
import { wallContent } from './walls-content.record.ts'

const PAGE = ['page:BoardSetting']
const id = uuid.meta({ title: '编排' })
const facts = {
  name: typed()
    .min(2, { error: '请填名称（至少 2 个字）' })
    .max(40, { error: '名称最多 40 个字' })
    .meta({ title: '名称' }),
  scenes: z
    .array(scene)
    .min(1, { error: '请至少放一个场景' })
    .max(MOST_SCENES, { error: `一个编排最多 ${MOST_SCENES} 个场景` })
    .meta({ title: '场景' }),
  ...hours,
}

export const arrangementsApi = defineApi({
  list: {
    method: 'POST',
    path: '/mkscore/api/arrangement/list',
    title: '看板设置',
    access: PAGE,
    query: listQuery(['name', 'changedAt'], {
      keyword,
      id: optional(uuid).meta({ title: '编排' }),
      bc_id: commaList(uuid).meta({ title: '分公司' }),
      store_id: optional(uuid).meta({ title: '门店' }),
    }),
    data: paged(arrangementRow),
  },
  details: {
    method: 'POST',
    path: '/mkscore/api/arrangement/details',
    title: '编排详情',
    access: PAGE,
    query: z.object({ id }),
    data: arrangementDetail,
  },
  add: {
    method: 'POST',
    path: '/mkscore/api/arrangement/add',
    title: '新建编排',
    access: ['board:arrange'],
    body: z.object({ store_id: uuid.meta({ title: '门店' }), ...facts }),
    data: z.object({ id: z.string() }),
  },
  edit: {
    method: 'POST',
    path: '/mkscore/api/arrangement/edit',
    title: '编辑编排',
    access: ['board:arrange'],
    body: z.object({ ...seen('编排'), ...facts }),
    data: nothing,
  },
  /** The one before; done twice it is the newer one again. */
  undo: {
    method: 'POST',
    path: '/mkscore/api/arrangement/undo',
    title: '恢复前一版',
    access: ['board:arrange'],
    body: z.object(seen('编排')),
    data: nothing,
  },
  del: {
    method: 'POST',
    path: '/mkscore/api/arrangement/delete',
    title: '删除编排',
    access: ['board:arrange'],
    body: z.object(seen('编排')),
    data: nothing,
  },
  /** To these screens; what they showed before is in the log. */
  send: {
    method: 'POST',
    path: '/mkscore/api/arrangement/send',
    title: '下发到屏幕',
    access: ['board:arrange'],
    body: z.object({
      ...seen('编排'),
      screens: z
        .array(uuid)
        .min(1, { error: '请至少选一块屏幕' })
        .max(200, { error: '一次最多 200 块屏幕' })
        .meta({ title: '屏幕' }),
    }),
    data: nothing,
  },
  /** Stores that go on, where something may be arranged or shown. */
  stores: {
    method: 'POST',
    path: '/mkscore/api/arrangement/stores',
    title: '可放屏幕的门店',
    access: PAGE,
    data: z.array(z.object({ id: z.string(), name: z.string(), bc_id: z.string(), bc_name: z.string() })),
  },
  /** A picture of a case, as a wall that shows this arrangement would show it. */
  picture: {
    method: 'POST',
    path: '/mkscore/api/arrangement/picture',
    title: '展厅看板的案例照片',
    access: ['page:ExhibitionBoard', 'page:BoardSetting'],
    body: z.object({
      id,
      case_id: uuid.meta({ title: '案例' }),
      key: z.string().max(60).meta({ title: '照片' }),
    }),
    data: nothing,
    raw: true,
  },
  /** A scene as a person sees it: scenes for the house by their own rights. */
  show: {
    method: 'POST',
    path: '/mkscore/api/arrangement/show',
    title: '展厅看板',
    access: ['page:ExhibitionBoard', 'page:BoardSetting'],
    query: z.object({ id: optional(uuid).meta({ title: '编排' }) }),
    data: z.object({
      list: z.array(z.object({ id: z.string(), name: z.string(), storeName: z.string() })),
      chosen: z.string().nullable(),
      bc_id: z.string().nullable(),
      content: wallContent.nullable(),
    }),
  },
})
