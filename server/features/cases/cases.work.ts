import { casePictureState, caseState } from '@zhuguan/contract/features/cases/cases.record.ts'

import { countWaiting } from '../../kit/count-waiting.ts'
import type { Queue } from '../users/open-work.service.ts'
import { LIVING } from './living.ts'

/** What waits for whoever shows a case and for whoever looks at its masks. */
export const caseQueues: readonly Queue[] = [
  {
    right: 'case:publish',
    title: '上架业主同意的案例',
    waiting: countWaiting(
      'cases.topublish',
      `cases k WHERE k.tenant_id = $1 AND k.bc_id = $2 AND k.state = '${caseState.code.consented}'`,
    ),
  },
  {
    right: 'case:release',
    title: '放行打好码的案例照片',
    waiting: countWaiting(
      'cases.torelease',
      `case_pictures p JOIN cases k ON k.tenant_id = $1 AND k.id = p.case_id
       WHERE p.tenant_id = $1 AND k.bc_id = $2 AND ${LIVING} AND p.state = '${casePictureState.code.masked}'`,
    ),
  },
]
