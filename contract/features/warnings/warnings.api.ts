import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen, typed } from '../../kit/fields.ts'
import { commaList, day, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import {
  warningBall,
  warningDetail,
  warningEnd,
  warningKind,
  warningLevel,
  warningRow,
  warningRule,
  warningState,
} from './warnings.record.ts'

const query = listQuery(['openedAt', 'deviation', 'level', 'closedAt'], {
  kind: commaList(warningKind.schema).meta({ title: '类型' }),
  rule: commaList(warningRule.schema).meta({ title: '规则' }),
  level: commaList(warningLevel.schema).meta({ title: '等级' }),
  state: commaList(warningState.schema).meta({ title: '状态' }),
  end: commaList(warningEnd.schema).meta({ title: '关闭方式' }),
  ball: commaList(warningBall.schema).meta({ title: '轮到谁' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  /** The person who leads its site, or led it when it was closed. */
  manager_id: optional(uuid).meta({ title: '项目经理' }),
  from: optional(day).meta({ title: '产生从' }),
  to: optional(day).meta({ title: '产生至' }),
  id: optional(uuid).meta({ title: '预警' }),
})
const one = seen('预警')
const PAGES = ['page:WarningList', 'page:OwnerProjectwarn', 'page:OwnerQualitywarn']

export const warningsApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/warning/list',
    title: '工期与质量预警',
    access: PAGES,
    query,
    data: paged(warningRow),
  },
  details: {
    method: 'POST',
    path: '/osmcore/api/warning/details',
    title: '预警详情',
    access: PAGES,
    query: z.object({ id: one.id }),
    data: warningDetail,
  },
  take: {
    method: 'POST',
    path: '/osmcore/api/warning/take',
    title: '处理预警',
    access: ['warning:take'],
    body: z.object({
      ...one,
      text: typed()
        .min(2, { error: '请写明怎样处理（至少 2 个字）' })
        .max(200, { error: '最多 200 个字' })
        .meta({ title: '怎样处理' }),
      until: day.meta({ title: '处理到' }),
    }),
    data: nothing,
  },
  close: {
    method: 'POST',
    path: '/osmcore/api/warning/close',
    title: '关闭预警',
    access: ['warning:close', 'warning:supervise'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  /** How many there would be now with this threshold: read before it is saved. Without a branch: of the group. */
  foresee: {
    method: 'POST',
    path: '/osmcore/api/warning/foresee',
    title: '现在会有几条预警',
    access: ['settings:edit'],
    query: z.object({
      bc_id: optional(uuid).meta({ title: '分公司' }),
      rule: warningRule.schema.meta({ title: '规则' }),
      threshold: z.coerce
        .number({ error: '应为数字' })
        .int({ error: '应为整数' })
        .min(1, { error: '至少 1' })
        .max(60, { error: '最多 60' })
        .meta({ title: '门槛' }),
    }),
    data: z.object({ n: z.number().int() }),
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/warning/export',
    title: '导出预警',
    access: ['warning:export'],
    query,
    data: nothing,
    raw: true,
  },
})
