import { previewsApi } from '@zhuguan/contract/features/shares/previews.api.ts'
import { sharesApi } from '@zhuguan/contract/features/shares/shares.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const sharesExamples = examplesOf(sharesApi, (r) => {
  const filters = {
    bc_id: [r.bc_id],
    maker_id: r.person,
    customer_id: r.customer,
    screen_id: r.screen,
    id: r.share,
  }
  return {
    list: { query: filters },
    export: { query: filters },
    openings: { query: { id: r.share } },
  }
})

export const previewsExamples = examplesOf(previewsApi, (r) => {
  const one = { id: r.preview, version: 0 }
  const facts = {
    title: '给您的方案',
    words: '',
    items: [{ kind: 'quotation' as const, target_id: r.quotationVersion }],
  }
  // What cannot be sent is said by its kind, whoever else may have it.
  const answers = { ['items.0.target_id']: 400 } as const
  return {
    list: { query: { customer_id: r.customer } },
    details: { query: { id: r.preview } },
    choices: { query: { customer_id: r.customer, kind: 'quotation' } },
    shown: { query: { id: r.preview } },
    add: { body: { ...facts, customer_id: r.customer }, answers },
    save: { body: { ...facts, ...one }, answers },
    end: { body: { ...one, reason: '试试看' } },
  }
})
