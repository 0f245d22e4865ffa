import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { commaList, day, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { subsystem } from '../session/session.record.ts'
import { logObject, logOutcome, logRow, logVerdict } from './userlogs.record.ts'

const query = listQuery(['at'], {
  /** In the action, the account and the address. */
  keyword,
  user_id: optional(uuid).meta({ title: '用户' }),
  object: commaList(logObject.schema).meta({ title: '对象' }),
  object_id: optional(z.string().max(80)).meta({ title: '对象编号' }),
  outcome: optional(logOutcome.schema).meta({ title: '结果' }),
  system: optional(subsystem.schema).meta({ title: '子系统' }),
  from: optional(day).meta({ title: '开始日期' }),
  to: optional(day).meta({ title: '结束日期' }),
})
export const userlogsApi = defineApi({
  list: {
    method: 'POST',
    path: '/dsmcore/api/userLog/selectByUlBase',
    title: '操作日志',
    access: ['page:UserLog'],
    query,
    data: paged(logRow),
  },
  verify: {
    method: 'POST',
    path: '/dsmcore/api/userLog/verify',
    title: '校验日志',
    access: ['log:verify'],
    data: logVerdict,
  },
  export: {
    method: 'POST',
    path: '/dsmcore/api/userLog/export',
    title: '导出日志',
    access: ['log:export'],
    query,
    data: nothing,
    raw: true,
  },
})
