import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const filesExamples = examplesOf(filesApi, (r) => ({ get: { query: { key: r.picture } } }))
