import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const settingsExamples = examplesOf(settingsApi, (r) => ({
  selectByBcId: { body: { bcId: r.bc_id } },
  update: { body: { bcId: r.bc_id, values: { offlineMinutes: 9 } } },
}))
