import { usersApi } from '@zhuguan/contract/features/users/users.api.ts'

import { serve } from '../../kit/serve.ts'
import { pickPeople } from './users.reads.ts'

/** What somebody must be able to do on a site to be named for it. */
const POWERS = {
  alarm: 'alarm:correct',
  correction: 'correction:correct',
  feedback: 'feedback:handle',
} as const

export const usersFeature = serve(usersApi, {
  pick: ({ query }, call) =>
    call.read((tx) =>
      pickPeople(tx, call.user.scope, {
        keyword: query.keyword,
        post: query.post,
        siteId: query.site_id,
        id: query.id,
        bc: query.bc_id,
        // By post: who shall be in charge of the site, which they do not see before.
        power: query.site_id && !query.post ? POWERS[query.correct ?? 'alarm'] : undefined,
      }),
    ),
})
