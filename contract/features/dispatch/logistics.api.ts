import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { seen, typed, words } from '../../kit/fields.ts'
import { commaList, day, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { logisticsProgress, logisticsStatus, logisticsType } from './dispatch.record.ts'
import { logisticsDetail, logisticsRow } from './logistics.record.ts'

const query = listQuery(['code', 'madeAt', 'nodeAt', 'expectedOn'], {
  keyword,
  bc_id: optional(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  receiver_id: optional(uuid).meta({ title: '商家' }),
  order_id: optional(uuid).meta({ title: '订单' }),
  type: commaList(logisticsType.schema).meta({ title: '类型' }),
  progress: commaList(logisticsProgress.schema).meta({ title: '进度' }),
  status: commaList(logisticsStatus.schema).meta({ title: '状态' }),
  from: optional(day).meta({ title: '日期从' }),
  to: optional(day).meta({ title: '日期至' }),
  late: flag.meta({ title: '是否逾期' }),
})
const one = seen('物流单')

export const logisticsApi = defineApi({
  list: {
    method: 'POST',
    path: '/dsmcore/api/logistics/list',
    title: '物流跟踪',
    access: ['page:LogisticsList'],
    query,
    data: paged(logisticsRow),
  },
  export: {
    method: 'POST',
    path: '/dsmcore/api/logistics/export',
    title: '导出物流',
    access: ['logistics:export'],
    query,
    data: nothing,
    raw: true,
  },
  details: {
    method: 'POST',
    path: '/dsmcore/api/logistics/details',
    title: '物流轨迹',
    access: ['page:LogisticsList'],
    query: z.object({ id: uuid.meta({ title: '物流单' }) }),
    data: logisticsDetail,
  },
  node: {
    method: 'POST',
    path: '/dsmcore/api/logistics/node',
    title: '更新节点',
    access: ['logistics:node'],
    body: z.object({
      ...one,
      title: typed().min(2, { error: '请写明到了哪一步' }).max(60).meta({ title: '节点' }),
      place: words('地点', 60),
      /** When it happened; now unless it is said. */
      at: z.number().int().min(0).nullable().default(null).meta({ title: '时间' }),
    }),
    data: nothing,
  },
  /** Goods that went back are there. */
  sign: {
    method: 'POST',
    path: '/dsmcore/api/logistics/sign',
    title: '签收',
    access: ['logistics:sign'],
    body: z.object(one),
    data: nothing,
  },
})
