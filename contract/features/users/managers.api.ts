import { z } from 'zod'

import { defineApi } from '../../kit/api.ts'
import { commaList, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { principalPost } from './users.record.ts'

/** Stewards and managers with what they are in charge of; order clerks and dispatchers look them up. */
export const managersApi = defineApi({
  list: {
    method: 'POST',
    path: '/dsmcore/api/worker/manager',
    title: '项目管家与经理',
    access: ['page:SiteList', 'page:UserList'],
    query: listQuery(['nickname', 'sites'], {
      keyword,
      bc_id: commaList(uuid).meta({ title: '分公司' }),
      post: optional(principalPost.schema).meta({ title: '岗位' }),
    }),
    data: paged(
      z.object({
        id: z.string(),
        nickname: z.string(),
        phone: z.string(),
        bc_id: z.string().nullable(),
        bc_name: z.string(),
        post: principalPost.schema,
        sites: z.number().int(),
      }),
    ),
  },
})
