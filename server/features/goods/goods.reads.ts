import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { goodsChangeState } from '@zhuguan/contract/features/goods/goods.record.ts'

/** A sheet `d` on which something is to be judged. */
export const TO_JUDGE = `(d.check_state IN (0, 1) AND EXISTS (SELECT 1 FROM pieces x
         WHERE x.tenant_id = $1 AND x.note_id = d.id AND x.place = 'waiting'))`
/** A change `g` of which something is left to do. */
export const AT_WORK = `g.state = '${goodsChangeState.code.open}'`
/** Its receiver has not answered in time, and nobody has judged it without. */
export const UNANSWERED = `(${AT_WORK} AND g.answer = '' AND g.examine_state = 0 AND g.answer_due < :now)`
/**
 * What went back of a change `g` is to be reduced from its contract, and is not yet; a contract that has ended is
 * reduced no more.
 */
export const TO_REDUCE = `EXISTS (SELECT 1 FROM change_pieces x
         JOIN pieces p ON p.tenant_id = $1 AND p.id = x.piece_id AND p.place = 'back' AND p.free AND p.counts
         JOIN contracts c ON c.tenant_id = $1 AND c.id = p.contract_id
           AND c.state IN ('${contractState.code.live}', '${contractState.code.finishing}')
         WHERE x.tenant_id = $1 AND x.change_id = g.id)`
