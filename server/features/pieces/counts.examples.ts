import { countsApi } from '@zhuguan/contract/features/pieces/counts.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const countsExamples = examplesOf(countsApi, (r) => {
  const of = { query: { bc_id: r.bc_id } }
  return { dcountbc: of, dcountwboss: of, dcountbchistory: of, dcountwbosshistory: of, board: of }
})
