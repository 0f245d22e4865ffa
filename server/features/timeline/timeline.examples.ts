import { timelineApi } from '@zhuguan/contract/features/timeline/timeline.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const timelineExamples = examplesOf(timelineApi, (r) => ({ list: { query: { site_id: r.site } } }))
