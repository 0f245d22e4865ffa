import { handoversApi } from '@zhuguan/contract/features/handovers/handovers.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const handoversExamples = examplesOf(handoversApi, (r) => {
  const of = { customer_id: r.customer }
  const sheet = { id: r.handover, version: 0 }
  return {
    brief: { query: of },
    write: { body: { ...of, version: 0, taste: '原木色', people: '老人一位', fears: '怕拖工期', given: '' } },
    promise: { body: { ...of, subject: 'goods', content: '瓷砖按样板', due: '2028-06-01', post: 1 } },
    withdraw: { body: { id: r.earlyPromise, version: 0, reason: '试试看' } },
    ofSite: { query: { site_id: r.site } },
    confirm: { body: sheet },
    ask: { body: { ...sheet, text: '窗帘盒要不要留' } },
    answer: { body: { ...sheet, text: '要留的' } },
  }
})
