import { keepingApi } from '@zhuguan/contract/features/keeping/keeping.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const keepingExamples = examplesOf(keepingApi, (r) => ({
  kinds: { body: { bcId: r.bc_id } },
  foresee: { body: { bcId: r.bc_id, values: { recordingDays: 20 } } },
}))
