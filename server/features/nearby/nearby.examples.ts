import { nearbyApi } from '@zhuguan/contract/features/nearby/nearby.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const nearbyExamples = examplesOf(nearbyApi, () => ({
  places: { query: { keyword: '良渚' } },
  now: { query: { community: '良渚文化村', city: '杭州' } },
  cases: { query: {} },
  around: { query: { community: '良渚文化村', city: '杭州' } },
}))
