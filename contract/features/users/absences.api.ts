import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { seen } from '../../kit/fields.ts'
import { day, keyword, uuid } from '../../kit/paging.ts'
import { absenceRow } from './absences.record.ts'

const when = {
  from: day.meta({ title: '从' }),
  to: day.meta({ title: '到' }),
  deputy_id: uuid.meta({ title: '代班人' }),
}
/** `warning`: what of the person's sites the deputy does not see; empty where they see all. */
const made = z.object({ id: z.string(), warning: z.string() })
const all = z.array(absenceRow)
const deputies = z.array(z.object({ id: z.string(), nickname: z.string(), post: z.string() }))
const person = { user_id: uuid.meta({ title: '用户' }) }

/** Each once for oneself, and once for who may edit the account. */
export const absencesApi = defineApi({
  mine: {
    method: 'POST',
    path: '/dsmcore/api/user/myabsences',
    title: '我的不在',
    access: 'signedIn',
    data: all,
  },
  /** Candidates: colleagues of one's branch, and of the whole group, the likely ones first. */
  myDeputies: {
    method: 'POST',
    path: '/dsmcore/api/user/mydeputies',
    title: '我的代班人',
    access: 'signedIn',
    query: z.object({ keyword }),
    data: deputies,
  },
  away: {
    method: 'POST',
    path: '/dsmcore/api/user/away',
    title: '登记我不在',
    access: 'signedIn',
    body: z.object(when),
    data: made,
  },
  back: {
    method: 'POST',
    path: '/dsmcore/api/user/back',
    title: '我回来了',
    access: 'signedIn',
    body: z.object(seen('不在')),
    data: nothing,
  },
  list: {
    method: 'POST',
    path: '/dsmcore/api/user/absences',
    title: '用户的不在',
    access: ['user:edit'],
    query: z.object(person),
    data: all,
  },
  deputies: {
    method: 'POST',
    path: '/dsmcore/api/user/deputies',
    title: '用户的代班人',
    access: ['user:edit'],
    query: z.object({ ...person, keyword }),
    data: deputies,
  },
  set: {
    method: 'POST',
    path: '/dsmcore/api/user/setaway',
    title: '登记用户不在',
    access: ['user:edit'],
    body: z.object({ ...person, ...when }),
    data: made,
  },
  end: {
    method: 'POST',
    path: '/dsmcore/api/user/setback',
    title: '用户回来了',
    access: ['user:edit'],
    body: z.object(seen('不在')),
    data: nothing,
  },
})
