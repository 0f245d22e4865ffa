import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const alarmsExamples = examplesOf(alarmsApi, (r) => {
  const one = { id: r.alarm, version: 0 }
  const filters = {
    bc_id: [r.bc_id],
    site_id: r.site,
    device_id: r.device,
    assignee_id: r.person,
    id: r.alarm,
    ids: [r.alarm],
  }
  return {
    list: { query: filters },
    export: { query: filters },
    details: { query: { id: r.alarm } },
    assign: { body: { ...one, assignee_id: r.person } },
    assignMany: {
      body: { alarms: [one], assignee_id: r.person },
      answers: { alarms: 200, assignee_id: 200 },
    },
    start: { body: one },
    submit: { body: { ...one, pictures: [r.upload] }, answers: { pictures: 400 } },
    pass: { body: one },
    back: { body: { ...one, reason: '不行' } },
    dispute: { body: { ...one, reason: '不行' } },
    cancel: { body: { ...one, cause: 'wrong', reason: '误报' } },
    cancelMany: { body: { alarms: [one], cause: 'wrong', reason: '误报' }, answers: { alarms: 200 } },
    reopen: { body: { ...one, reason: '再看' } },
  }
})
