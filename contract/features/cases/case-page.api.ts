import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { uuid } from '../../kit/paging.ts'
import { consentAnswer } from '../consents/consents.record.ts'
import { bearer } from '../links/links.record.ts'
import { homeCase } from './cases.record.ts'

const act = { ...bearer, act: uuid.meta({ title: '操作编号' }), id: uuid.meta({ title: '案例' }) }

/** The question to the people of a home about showing it, behind their link, and their answers. */
export const casePageApi = defineApi({
  cases: {
    method: 'POST',
    path: '/open/home/cases',
    title: '业主：案例授权',
    access: 'public',
    body: z.object(bearer),
    data: z.array(homeCase),
  },
  answer: {
    method: 'POST',
    path: '/open/home/caseanswer',
    title: '业主：答复案例授权',
    access: 'public',
    body: z.object({
      ...act,
      answer: consentAnswer.schema.meta({ title: '答复' }),
      /** What stood on the page: anything else has to be looked at once more. */
      version: z.number().int().min(0).meta({ title: '版本' }),
      wording: z.string().max(20).meta({ title: '说明版本' }),
    }),
    data: nothing,
  },
  withdraw: {
    method: 'POST',
    path: '/open/home/casewithdraw',
    title: '业主：收回案例授权',
    access: 'public',
    body: z.object(act),
    data: nothing,
  },
})
