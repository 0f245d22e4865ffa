import { receptionsApi } from '@zhuguan/contract/features/receptions/receptions.api.ts'

import { examplesOf } from '../../testing/example.ts'
import { dayAhead } from '../../testing/time.ts'

export const receptionsExamples = examplesOf(receptionsApi, (r) => {
  const query = { site_id: r.site }
  const command = { body: { id: r.reception, version: 0, reason: '试试看' } }
  const when = { day: dayAhead(40), time: '10:00' }
  return {
    list: { query },
    export: { query },
    beside: { query: { site_id: r.site, host_id: r.steward, ...when } },
    add: { body: { site_id: r.site, purpose: 'look', host_id: r.steward, ...when, remark: '' } },
    arrive: { body: { id: r.reception, version: 0 } },
    host: { body: { id: r.reception, version: 0, host_id: r.steward } },
    finish: command,
    miss: command,
    cancel: command,
    score: { body: { id: r.reception, version: 0, score: 4, words: '' } },
    callback: { body: { id: r.reception, version: 0, words: '已道歉' } },
    rates: { query },
  }
})
