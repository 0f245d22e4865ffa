import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen } from '../../kit/fields.ts'
import { commaList, day, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { deliveryMethod } from '../orders/orders.record.ts'
import {
  dispatchState,
  noteDetail,
  noteKind,
  noteParts,
  noteRow,
  proofFacts,
  sendBackReason,
  shipFacts,
} from './dispatch.record.ts'

const query = listQuery(['code', 'madeAt', 'shippedAt', 'deliveredAt', 'plannedOn'], {
  keyword,
  bc_id: optional(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  receiver_id: optional(uuid).meta({ title: '商家' }),
  order_id: optional(uuid).meta({ title: '订单' }),
  trip_id: optional(uuid).meta({ title: '车次' }),
  state: commaList(dispatchState.schema).meta({ title: '发货状态' }),
  kind: commaList(noteKind.schema).meta({ title: '发货类型' }),
  method: commaList(deliveryMethod.schema).meta({ title: '交付方式' }),
  from: optional(day).meta({ title: '制单日期从' }),
  to: optional(day).meta({ title: '制单日期至' }),
  late: flag.meta({ title: '是否逾期' }),
})
const one = seen('发货单')
const made = z.object({ id: z.string(), code: z.string() })

export const dispatchApi = defineApi({
  list: {
    method: 'POST',
    path: '/dsmcore/api/dispatch/list',
    title: '发货单',
    access: ['page:DispatchList'],
    query,
    data: paged(noteRow),
  },
  export: {
    method: 'POST',
    path: '/dsmcore/api/dispatch/export',
    title: '导出发货单',
    access: ['dispatch:export'],
    query,
    data: nothing,
    raw: true,
  },
  details: {
    method: 'POST',
    path: '/dsmcore/api/dispatch/details',
    title: '发货单详情',
    access: ['page:DispatchList'],
    query: z.object({ id: uuid.meta({ title: '发货单' }) }),
    data: noteDetail,
  },
  /** Goods of an order that stand on no note. */
  prepare: {
    method: 'POST',
    path: '/dsmcore/api/dispatch/prepare',
    title: '新建发货单',
    access: ['dispatch:add'],
    body: z.object({ order_id: uuid.meta({ title: '订单' }), lines: noteParts.meta({ title: '发货内容' }) }),
    data: made,
  },
  /** What is not shipped with it stays on a note of its own, whose number is answered. */
  ship: {
    method: 'POST',
    path: '/dsmcore/api/dispatch/ship',
    title: '发货',
    access: ['dispatch:ship'],
    body: shipFacts.extend(one),
    data: z.object({ rest: made.nullable() }),
  },
  cancel: {
    method: 'POST',
    path: '/dsmcore/api/dispatch/cancel',
    title: '取消发货单',
    access: ['dispatch:cancel'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  deliver: {
    method: 'POST',
    path: '/dsmcore/api/dispatch/deliver',
    title: '确认送达',
    access: ['dispatch:deliver'],
    body: proofFacts.extend(one),
    data: nothing,
  },
  /** What was handed over stands on a note of its own from now on; the rest is still under way. */
  handOver: {
    method: 'POST',
    path: '/dsmcore/api/dispatch/handover',
    title: '部分交货',
    access: ['dispatch:deliver'],
    body: proofFacts.extend({ ...one, lines: noteParts.meta({ title: '交货内容' }), reason }),
    data: made,
  },
  sendBack: {
    method: 'POST',
    path: '/dsmcore/api/dispatch/sendback',
    title: '整单退回',
    access: ['dispatch:back'],
    body: z.object({ ...one, back: sendBackReason.schema.meta({ title: '退回原因' }), reason }),
    data: nothing,
  },
})
