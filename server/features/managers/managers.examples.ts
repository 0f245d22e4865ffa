import { managersApi } from '@zhuguan/contract/features/managers/managers.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const managersExamples = examplesOf(managersApi, (r) => ({
  list: { query: { bc_id: [r.bc_id] } },
  export: { query: { bc_id: [r.bc_id] } },
}))
