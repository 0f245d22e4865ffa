import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { uuid } from '../../kit/paging.ts'
import { bearer } from '../links/links.record.ts'
import { personAsk, personState } from './persons.record.ts'

/** What somebody of a home asks about what is kept of them, behind their link. */
export const personPageApi = defineApi({
  requests: {
    method: 'POST',
    path: '/open/home/persons',
    title: '业主：个人信息请求',
    access: 'public',
    body: z.object(bearer),
    data: z.array(
      z.object({
        id: z.string(),
        no: z.string(),
        ask: personAsk.schema,
        state: personState.schema,
        due: z.string(),
        refusedFor: z.string(),
      }),
    ),
  },
  ask: {
    method: 'POST',
    path: '/open/home/personask',
    title: '业主：提出个人信息请求',
    access: 'public',
    body: z.object({
      ...bearer,
      act: uuid.meta({ title: '操作编号' }),
      ask: personAsk.schema.meta({ title: '请求' }),
    }),
    data: nothing,
  },
})
