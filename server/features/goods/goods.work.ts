import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'

import { countWaiting } from '../../kit/count-waiting.ts'
import type { Queue } from '../users/open-work.service.ts'
import { AT_WORK } from './goods.reads.ts'

/** A change that was asked for waits for the receiver's word. */
export const answeringQueue: Queue = {
  right: 'order:receive',
  title: '答复退换补',
  receiver: true,
  waiting: countWaiting(
    'goods.toanswer',
    `goods_changes g WHERE g.tenant_id = $1 AND g.receiver_id = $2 AND ${AT_WORK} AND g.answer = ''
       AND g.examine_state = ${examineState.code.waiting}`,
  ),
}
