import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const promisesExamples = examplesOf(promisesApi, (r) => {
  const query = { bc_id: [r.bc_id], site_id: r.site, author_id: r.person, responsible_id: r.steward }
  const one = { id: r.promise, version: 0 }
  const command = { body: { ...one, reason: '试试看' } }
  return {
    list: { query: { ...query, id: r.promise } },
    export: { query: { ...query, id: r.promise } },
    rates: { query },
    details: { query: { id: r.promise } },
    contradictions: { query: { site_id: r.site, subject: 'goods', due: '2028-06-01' } },
    add: {
      body: {
        site_id: r.site,
        subject: 'goods',
        content: '瓷砖送到',
        due: '2028-06-01',
        post: 1,
        answers: [{ id: r.promise, how: 'coexist', reason: '两批砖' }],
      },
    },
    keep: { body: { ...one, pictures: [r.upload], text: '' } },
    extend: { body: { ...one, due: '2028-07-01', reason: '试试看' } },
    object: { body: { ...command.body, channel: 'phone' } },
    uphold: command,
    dismiss: command,
    break: command,
    withdraw: command,
  }
})
