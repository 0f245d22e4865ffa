import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { uuid } from '../../kit/paging.ts'
import { bearer } from '../links/links.record.ts'
import { ownerQuestion } from './question-page.record.ts'
import { answerFacts } from './questions.api.ts'

/** The owner's decision behind their link; `act` is the page's own number of it, and it is done once. */
export const questionPageApi = defineApi({
  questions: {
    method: 'POST',
    path: '/open/home/questions',
    title: '业主：待我决定',
    access: 'public',
    body: z.object(bearer),
    data: z.array(ownerQuestion),
  },
  answer: {
    method: 'POST',
    path: '/open/home/answer',
    title: '业主：答复',
    access: 'public',
    body: z.object({
      ...bearer,
      act: uuid.meta({ title: '操作编号' }),
      id: uuid.meta({ title: '问题' }),
      ...answerFacts,
    }),
    data: nothing,
  },
})
