import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const homeExamples = examplesOf(homeApi, () => ({ saveCards: { body: { places: [] } } }))
