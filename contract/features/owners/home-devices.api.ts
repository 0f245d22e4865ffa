import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason } from '../../kit/fields.ts'
import { uuid } from '../../kit/paging.ts'
import { homeDevice } from './home-devices.record.ts'

const id = uuid.meta({ title: '设备' })

/** The devices on which the contacts of a home read their page, seen by staff. */
export const homeDevicesApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/homedevice/list',
    title: '业主的设备',
    access: ['page:OwnerInfo'],
    query: z.object({ site_id: uuid.meta({ title: '工地' }) }),
    data: z.array(homeDevice.extend({ contact_id: z.string(), person: z.string() })),
  },
  allow: {
    method: 'POST',
    path: '/osmcore/api/homedevice/allow',
    title: '确认业主的设备',
    access: ['owner:link'],
    body: z.object({ id }),
    data: nothing,
  },
  remove: {
    method: 'POST',
    path: '/osmcore/api/homedevice/remove',
    title: '移除业主的设备',
    access: ['owner:link'],
    body: z.object({ id, reason }),
    data: nothing,
  },
})
