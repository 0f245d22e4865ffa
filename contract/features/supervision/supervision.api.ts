import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { seen, typed } from '../../kit/fields.ts'
import { commaList, day, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { patrolKind } from '../patrols/patrols.record.ts'
import { principalPost } from '../users/users.record.ts'
import {
  evidenceRow,
  figure,
  inspection,
  mapFigures,
  supervised,
  supervision,
  unled,
  visitResult,
} from './supervision.record.ts'

const days = {
  from: optional(day).meta({ title: '开始日期' }),
  to: optional(day).meta({ title: '结束日期' }),
}
/** One branch at a time: people are compared with their branch. */
const bc_id = optional(uuid).meta({ title: '分公司' })
const person = optional(uuid).meta({ title: '管理人员' })
const people = listQuery(
  ['nickname', 'oldestAt', 'open', 'sites', 'missed', 'late', 'complaints', 'perTen', 'rank'],
  { keyword, bc_id, post: optional(principalPost.schema).meta({ title: '岗位' }), ...days },
)
const records = listQuery(['at', 'since', 'took'], {
  id: person,
  bc_id,
  figure: figure.schema.default('open').meta({ title: '监督指标' }),
  ...days,
})
const visits = listQuery(['at', 'problems'], {
  id: person,
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  kind: commaList(patrolKind.schema).meta({ title: '类型' }),
  result: commaList(visitResult.schema).meta({ title: '结果' }),
  ...days,
})
const SUPERVISE = ['page:ManageSupervise']
const EXPORT = ['manage:export']

/**
 * How managers and stewards keep what is theirs. Who has `manage:supervise` and all of a branch in reach sees its
 * people; everybody else sees themselves, whoever is asked for.
 */
export const supervisionApi = defineApi({
  people: {
    method: 'POST',
    path: '/dsmcore/api/manage/supervise',
    title: '管理监督',
    work: 'heavy',
    access: ['manage:supervise'],
    query: people,
    data: paged(supervised).extend({ asOf: z.string(), unled }),
  },
  /** Without `id`: of oneself. */
  person: {
    method: 'POST',
    path: '/dsmcore/api/manage/person',
    title: '一个人的管理监督',
    work: 'heavy',
    access: SUPERVISE,
    query: z.object({ id: person, bc_id, ...days }),
    data: supervision,
  },
  /** The records behind a figure, as many as it says. */
  records: {
    method: 'POST',
    path: '/dsmcore/api/manage/records',
    title: '监督指标的记录',
    work: 'heavy',
    access: SUPERVISE,
    query: records,
    data: paged(evidenceRow),
  },
  visits: {
    method: 'POST',
    path: '/dsmcore/api/manage/visits',
    title: '管理巡查',
    work: 'heavy',
    access: ['page:ManageInspect'],
    query: visits,
    data: paged(inspection),
  },
  map: {
    method: 'POST',
    path: '/dsmcore/api/manage/map',
    title: '管理地图',
    work: 'heavy',
    access: ['page:ManageMap'],
    query: z.object({
      id: person,
      bc_id,
      days: optional(
        z.coerce
          .number({ error: '天数应为数字' })
          .int({ error: '天数应为整数' })
          .min(1, { error: '至少 1 天' })
          .max(90, { error: '最多 90 天' }),
      ).meta({ title: '没有到访的天数' }),
    }),
    data: mapFigures,
  },
  /** To a figure of one's own. */
  remark: {
    method: 'POST',
    path: '/dsmcore/api/manage/remark',
    title: '写监督说明',
    access: ['manage:remark'],
    body: z.object({
      bc_id: uuid.meta({ title: '分公司' }),
      figure: figure.schema.meta({ title: '监督指标' }),
      from: day.meta({ title: '开始日期' }),
      to: day.meta({ title: '结束日期' }),
      words: typed()
        .min(2, { error: '请写明说明（至少 2 个字）' })
        .max(300, { error: '说明最多 300 个字' })
        .meta({ title: '说明' }),
    }),
    data: z.object({ id: z.string() }),
  },
  unsay: {
    method: 'POST',
    path: '/dsmcore/api/manage/unsay',
    title: '收回监督说明',
    access: ['manage:remark'],
    body: z.object(seen('说明')),
    data: nothing,
  },
  peopleExport: {
    method: 'POST',
    path: '/dsmcore/api/manage/superviseexport',
    title: '导出管理监督',
    access: ['manage:supervise'],
    query: people,
    data: nothing,
    raw: true,
  },
  recordsExport: {
    method: 'POST',
    path: '/dsmcore/api/manage/recordsexport',
    title: '导出监督指标的记录',
    access: EXPORT,
    query: records,
    data: nothing,
    raw: true,
  },
  visitsExport: {
    method: 'POST',
    path: '/dsmcore/api/manage/visitsexport',
    title: '导出管理巡查',
    access: EXPORT,
    query: visits,
    data: nothing,
    raw: true,
  },
})
