import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { receiveState } from '@zhuguan/contract/features/orders/orders.record.ts'
import { promiseState } from '@zhuguan/contract/features/promises/promises.record.ts'
import { questionState } from '@zhuguan/contract/features/questions/questions.record.ts'

import { shanghaiTime } from '../../kit/shanghai.ts'
import { epoch } from '../../kit/statement.ts'
import { FEEDBACK_DUE } from './feedback-due.reads.ts'

const { correcting, open } = correctionStatus.code
const LIVING_PROMISE = `'${promiseState.code.open}', '${promiseState.code.extended}'`
const UUID = `'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`
const dayEnds = (day: string) => `((${day} + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')`
const CORRECTION = `(SELECT c.due_at FROM corrections c WHERE c.tenant_id = $1 AND c.id = k.id
    AND c.correction_status IN (${open}, ${correcting}))`

/**
 * SQL of the second until which there is time for a cause that somebody was told of, as its record says it now; none
 * where it has no clock, or where that has stopped. $1 is the tenant.
 */
export const dueOfCause = (kind: string, id: string): string => `(
  SELECT ${epoch(`CASE ${kind}
    WHEN 'alarm' THEN ${CORRECTION}
    WHEN 'correction' THEN ${CORRECTION}
    WHEN 'feedback' THEN (SELECT ${FEEDBACK_DUE} FROM feedback f WHERE f.tenant_id = $1 AND f.id = k.id)
    WHEN 'order' THEN (SELECT o.due_at FROM orders o
      WHERE o.tenant_id = $1 AND o.id = k.id AND o.receive_state = ${receiveState.code.waiting})
    WHEN 'question' THEN (SELECT ${dayEnds('q.needed_by')} FROM questions q
      WHERE q.tenant_id = $1 AND q.id = k.id AND q.state = '${questionState.code.open}')
    WHEN 'promise' THEN (SELECT ${dayEnds('p.due')} FROM promises p
      WHERE p.tenant_id = $1 AND p.id = k.id AND p.state IN (${LIVING_PROMISE}))
    END`)}
  FROM (SELECT CASE WHEN ${id} ~ ${UUID} THEN ${id}::uuid END AS id) k)`

/** A deadline in words, as they are read at `now`; both in seconds. */
export function dueWords(due: number | null, now: number): string {
  if (due === null) return ''
  // The end of a day is its last minute.
  return due < now ? '已超期' : `最迟 ${shanghaiTime(new Date((due - 1) * 1_000)).slice(5)}`
}
