import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { optionalReason, reason, seen } from '../../kit/fields.ts'
import { day, optional, uuid } from '../../kit/paging.ts'
import { arrivalRow, MOST_STOPS, tripFacts, tripRow } from './trips.record.ts'

export const tripsApi = defineApi({
  /** Trips of a receiver from today on, that a note can join. */
  list: {
    method: 'POST',
    path: '/dsmcore/api/trip/list',
    title: '车次',
    access: ['page:DispatchList'],
    query: z.object({
      /** This one, whatever its day. */
      id: optional(uuid).meta({ title: '车次' }),
      receiver_id: optional(uuid).meta({ title: '商家' }),
      from: optional(day).meta({ title: '从' }),
    }),
    data: z.array(tripRow),
  },
  add: {
    method: 'POST',
    path: '/dsmcore/api/trip/add',
    title: '新建车次',
    access: ['dispatch:ship'],
    body: tripFacts,
    data: z.object({ id: z.string(), code: z.string() }),
  },
  /** A trip with its driver, its time and its stops in order; a driver who no longer drives it has no link to it. */
  edit: {
    method: 'POST',
    path: '/dsmcore/api/trip/edit',
    title: '改车次',
    access: ['dispatch:ship'],
    body: tripFacts.omit({ receiver_id: true }).extend({
      ...seen('车次'),
      /** The stops that are not handed over yet, in their order. */
      stops: z
        .array(uuid.meta({ title: '发货单' }))
        .max(MOST_STOPS, { error: `一个车次最多 ${MOST_STOPS} 站` })
        .meta({ title: '站' }),
      /** Asked where goods come on another day. */
      reason: optionalReason,
    }),
    /** Number of links of the former driver that were taken back. */
    data: z.object({ revoked: z.number().int() }),
  },
  /** Arrivals on the days of a calendar. */
  arrivals: {
    method: 'POST',
    path: '/dsmcore/api/dispatch/arrivals',
    title: '到货日历',
    access: ['page:ArrivalCalendar'],
    query: z.object({
      from: day.meta({ title: '从' }),
      to: day.meta({ title: '至' }),
      bc_id: optional(uuid).meta({ title: '分公司' }),
      site_id: optional(uuid).meta({ title: '工地' }),
    }),
    data: z.object({ at: z.number().int(), list: z.array(arrivalRow) }),
  },
  /** Another day, with a reason; the other side is told. */
  replan: {
    method: 'POST',
    path: '/dsmcore/api/dispatch/replan',
    title: '改到货日期',
    access: ['dispatch:plan'],
    body: z.object({ ...seen('发货单'), plannedOn: day.meta({ title: '预计到达' }), reason }),
    data: nothing,
  },
})
