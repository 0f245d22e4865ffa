import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { commaList, day, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { subsystem } from '../session/session.record.ts'
import { logAbout, logChain, logOutcome, logPiece, logRow } from './userlogs.record.ts'

const query = listQuery(['at'], {
  /** In the action, the account and the address. */
  keyword,
  user_id: optional(uuid).meta({ title: '用户' }),
  /** Kinds of things (contract/logs.ts). */
  object: commaList(z.string().max(20)).meta({ title: '对象' }),
  action: commaList(z.string().max(40)).meta({ title: '动作' }),
  object_id: optional(z.string().max(80)).meta({ title: '对象编号' }),
  outcome: optional(logOutcome.schema).meta({ title: '结果' }),
  about: optional(logAbout.schema).meta({ title: '个人信息' }),
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
  /** Recent actions, for the filter. */
  actions: {
    method: 'POST',
    path: '/dsmcore/api/userLog/actions',
    title: '日志动作',
    access: ['page:UserLog'],
    data: z.array(z.string()),
  },
  chain: {
    method: 'POST',
    path: '/dsmcore/api/userLog/chain',
    title: '日志封存',
    access: ['log:verify'],
    data: logChain,
  },
  verify: {
    method: 'POST',
    path: '/dsmcore/api/userLog/verify',
    title: '校验日志',
    work: 'heavy',
    access: ['log:verify'],
    /** Goes on where the piece before ended; without it, from the first line. */
    body: z.object({ next: z.string().max(1_000).nullable().default(null) }),
    data: logPiece,
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
