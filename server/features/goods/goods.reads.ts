import { goodsChangeState } from '@zhuguan/contract/features/goods/goods.record.ts'

/** A sheet `d` on which something is to be judged. */
export const TO_JUDGE = `(d.check_state IN (0, 1) AND EXISTS (SELECT 1 FROM pieces x
         WHERE x.tenant_id = $1 AND x.note_id = d.id AND x.place = 'waiting'))`
/** A change `g` of which something is left to do. */
export const AT_WORK = `g.state = '${goodsChangeState.code.open}'`
/** Its receiver has not answered in time, and nobody has judged it without. */
export const UNANSWERED = `(${AT_WORK} AND g.answer = '' AND g.examine_state = 0 AND g.answer_due < :now)`
