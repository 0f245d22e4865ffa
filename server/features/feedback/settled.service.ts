import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { feedbackKind, feedbackStatus } from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Tx } from '../../database/connect.ts'
import { SYSTEM_NAME } from '../../kit/nobody.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { lapseWhere } from '../promises/settled-promises.service.ts'
import { nameOf, namedIn, noticeOf, tellAct } from './feedback-telling.ts'
import { OPEN } from './feedback.reads.ts'

const WHY = '工地已终止、合同已结清'
const WORDS = `${WHY}，系统结案`
const { ending, finishing, live } = contractState.code
/** Site `w` was terminated and no contract of it runs or is being settled. */
const SETTLED = `w.status = ${siteStatus.code.terminated} AND NOT EXISTS (SELECT FROM contracts t
         WHERE t.tenant_id = $1 AND t.site_id = w.id AND t.state IN ('${live}', '${ending}', '${finishing}'))`

/**
 * On a home that was terminated feedback and promises go on until the contract is settled; then nobody waits for them.
 */
export async function closeSettled(tx: Tx, tenant: string): Promise<void> {
  await lapseWhere(tx, tenant, SETTLED, WHY)
  const { rows } = await tx.query(
    'feedback.settled',
    row({
      id: uuid,
      no: text,
      kind: text.of(feedbackKind),
      bc_id: uuid,
      site_id: uuid,
      siteName: text,
      hidden_from: uuid.null,
      about_id: uuid.null,
      assignee_id: uuid.null,
    }),
    `SELECT f.id, f.no, f.kind, f.bc_id, f.site_id, w.ws_name AS "siteName", f.hidden_from, f.about_id, f.assignee_id
     FROM feedback f
     JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
     WHERE f.tenant_id = $1 AND ${OPEN} AND ${SETTLED}
     ORDER BY f.id
     LIMIT 500
     FOR UPDATE OF f SKIP LOCKED`,
    [tenant],
  )
  for (const f of rows) {
    await tx.run(
      'feedback.closesettled',
      `UPDATE feedback
       SET status = ${feedbackStatus.code.closed}, closed_at = :now, result = $3, changed_by = $4, changed_at = :now,
         close_due_at = coalesce(close_due_at, :now), paused_s = paused_s
           + coalesce(floor(extract(epoch FROM least(:now, paused_until) - paused_at))::int, 0),
         paused_at = NULL, paused_until = NULL, pause_for = NULL, pause_text = '', version = version + 1
       WHERE tenant_id = $1 AND id = $2`,
      [tenant, f.id, WORDS, SYSTEM_NAME],
    )
    await tellAct(tx, { tenant, nickname: SYSTEM_NAME }, f, { act: 'close', words: WORDS })
    await passTurn(tx, 'feedback', 'close', {
      ...noticeOf(f),
      tenant,
      named: namedIn(f),
      title: `${nameOf(f)}${WORDS}`,
    })
  }
}
