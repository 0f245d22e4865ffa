import { questionsApi } from '@zhuguan/contract/features/questions/questions.api.ts'

import { examplesOf } from '../../testing/example.ts'
import { dayAhead } from '../../testing/time.ts'

export const questionsExamples = examplesOf(questionsApi, (r) => {
  const query = { site_id: r.site, bc_id: [r.bc_id], id: r.question }
  const one = { id: r.question, version: 0 }
  return {
    list: { query },
    export: { query },
    foresee: { query: { site_id: r.site, neededBy: dayAhead(40) } },
    ask: {
      body: { site_id: r.site, words: '选客厅瓷砖', neededBy: dayAhead(40), again: one },
    },
    record: { body: { ...one, contact_id: r.contact, words: '用浅灰', pictures: [r.upload] } },
    withdraw: { body: { ...one, reason: '试试看' } },
  }
})
