import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const linksExamples = examplesOf(linksApi, (r) => ({
  create: [
    { body: { kind: 'driver', target_id: r.note } },
    {
      body: {
        kind: 'quotation',
        target_id: r.quotationVersion,
        customer_id: r.customer,
        password: 'abcd1234',
      },
    },
  ],
  copy: { body: { id: r.share } },
  renew: { body: { id: r.share } },
  list: { query: { kind: 'driver', target_id: r.note } },
  revoke: { body: { id: r.link } },
}))
