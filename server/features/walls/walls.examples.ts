import { wallsApi } from '@zhuguan/contract/features/walls/walls.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const wallsExamples = examplesOf(wallsApi, (r) => ({
  cameras: {
    query: {
      bc_id: [r.bc_id],
      site_id: [r.site],
      ids: [r.device],
      after: `0:${r.site}:${r.device}`,
    },
  },
}))
