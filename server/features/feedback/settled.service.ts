import { feedbackKind, feedbackStatus } from '@zhuguan/contract/features/feedback/feedback.record.ts'

import type { Tx } from '../../database/connect.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { SETTLED } from '../../kit/settled-site.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { nameOf, namedIn, noticeOf, SYSTEM_NAME, tellAct } from './feedback-telling.ts'
import { OPEN } from './feedback.reads.ts'

const WORDS = '工地已终止、合同已结清，系统结案'

/** On a home that was terminated it goes on until the contract is settled; then nobody waits for it any more. */
export async function closeSettled(tx: Tx, tenant: string): Promise<void> {
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
