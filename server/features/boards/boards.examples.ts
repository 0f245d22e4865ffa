import { boardsApi } from '@zhuguan/contract/features/boards/boards.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const boardsExamples = examplesOf(boardsApi, (r) => ({ total: { query: { bc_id: [r.bc_id] } } }))
