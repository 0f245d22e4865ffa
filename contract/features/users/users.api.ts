import { z } from 'zod'

import { defineApi } from '../../kit/api.ts'
import { keyword, optional, uuid } from '../../kit/paging.ts'
import { principalPost } from './users.record.ts'

export const usersApi = defineApi({
  /** People a site or an alarm can be given to, inside the caller's scope. */
  pick: {
    method: 'POST',
    path: '/osmcore/api/user/pick',
    title: '选择人员',
    access: 'signedIn',
    query: z.object({
      keyword,
      id: optional(uuid).meta({ title: '人员' }),
      post: optional(principalPost.schema).meta({ title: '岗位' }),
      site_id: optional(uuid).meta({ title: '工地' }),
      bc_id: optional(uuid).meta({ title: '分公司' }),
      /** The site at which somebody may correct or handle feedback; alarms unless said. */
      correct: optional(z.enum(['alarm', 'correction', 'feedback'])).meta({ title: '能整改' }),
    }),
    data: z.array(
      z.object({
        id: z.string(),
        nickname: z.string(),
        bc_name: z.string(),
        post: z.string(),
        /** The deputy and the last day of who is away today; else empty. */
        away: z.string(),
      }),
    ),
  },
})
