import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const linksExamples = examplesOf(linksApi, (r) => ({
  create: { body: { kind: 'driver', target_id: r.note } },
  list: { query: { kind: 'driver', target_id: r.note } },
  revoke: { body: { id: r.link } },
}))
