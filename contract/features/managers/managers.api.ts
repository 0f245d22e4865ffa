import { defineApi, nothing } from '../../kit/api.ts'
import { commaList, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { principalPost } from '../users/users.record.ts'
import { managerRow } from './managers.record.ts'

const query = listQuery(['nickname', 'sites', 'patrolsToday', 'patrolsMonth', 'onTime', 'complaints'], {
  keyword,
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  post: optional(principalPost.schema).meta({ title: '岗位' }),
})

/** Stewards and managers with what they are in charge of; order clerks and dispatchers look them up. */
export const managersApi = defineApi({
  list: {
    method: 'POST',
    path: '/dsmcore/api/worker/manager',
    title: '项目管家与经理',
    access: ['page:SiteList', 'page:UserList', 'page:ManagerList'],
    query,
    data: paged(managerRow),
  },
  export: {
    method: 'POST',
    path: '/dsmcore/api/worker/managerexport',
    title: '导出管理人员',
    access: ['manager:export'],
    query,
    data: nothing,
    raw: true,
  },
})
