import { tripsApi } from '@zhuguan/contract/features/dispatch/trips.api.ts'

import { examplesOf } from '../../testing/example.ts'
import { dayAhead } from '../../testing/time.ts'

export const tripsExamples = examplesOf(tripsApi, (r) => ({
  list: { query: { id: r.trip, receiver_id: r.receiver } },
  add: { body: { receiver_id: r.receiver, day: dayAhead(30), driver: '老周' } },
  edit: {
    body: { id: r.trip, version: 0, day: dayAhead(30), driver: '老李', stops: [r.note], reason: '换车' },
  },
  arrivals: { query: { from: '2030-01-01', to: '2030-01-31', bc_id: r.bc_id, site_id: r.site } },
  replan: { body: { id: r.note, version: 0, plannedOn: dayAhead(31), reason: '业主改期' } },
}))
