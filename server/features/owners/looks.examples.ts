import { looksApi } from '@zhuguan/contract/features/owners/looks.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const looksExamples = examplesOf(looksApi, (r) => {
  const query = { query: { site_id: r.site } }
  return { looks: query, looksExport: query, views: query, viewsExport: query }
})
