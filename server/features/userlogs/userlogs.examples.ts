import { userlogsApi } from '@zhuguan/contract/features/userlogs/userlogs.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const userlogsExamples = examplesOf(userlogsApi, (r) => {
  const filters = { user_id: r.person, object_id: r.site }
  return { list: { query: filters }, export: { query: filters }, verify: { body: { next: null } } }
})
