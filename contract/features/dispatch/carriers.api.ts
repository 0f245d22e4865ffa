import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { typed } from '../../kit/fields.ts'
import { uuid } from '../../kit/paging.ts'
import { carrierAnswer, carrierRow } from './carriers.record.ts'

const secretTold = z.object({ id: z.string(), account: z.string(), secret: z.string() })

export const carriersApi = defineApi({
  list: {
    method: 'POST',
    path: '/dsmcore/api/carrier/list',
    title: '承运商接口',
    access: ['carrier:edit'],
    data: z.array(carrierRow),
  },
  /** The only time that the secret is told. */
  add: {
    method: 'POST',
    path: '/dsmcore/api/carrier/add',
    title: '新建承运商接口',
    access: ['carrier:edit'],
    body: z.object({ name: typed().min(2, { error: '请填承运商名称' }).max(40).meta({ title: '承运商' }) }),
    data: secretTold,
  },
  /** Another secret for the same account; the former one ends with it. */
  renew: {
    method: 'POST',
    path: '/dsmcore/api/carrier/renew',
    title: '更换承运商密钥',
    access: ['carrier:edit'],
    body: z.object({ id: uuid.meta({ title: '承运商' }) }),
    data: secretTold,
  },
  stop: {
    method: 'POST',
    path: '/dsmcore/api/carrier/stop',
    title: '停用承运商接口',
    access: ['carrier:edit'],
    body: z.object({ id: uuid.meta({ title: '承运商' }) }),
    data: nothing,
  },
})
/** The carriers' door, signed as devices sign (docs/device-protocol.md). */
export const carrierDoorApi = defineApi({
  events: {
    method: 'POST',
    path: '/open/logistics/events',
    title: '承运商节点',
    access: 'device',
    data: carrierAnswer,
    raw: true,
  },
})
