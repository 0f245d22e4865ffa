import { feedbackKind } from '@zhuguan/contract/features/feedback/feedback.record.ts'

import type { Tx } from '../../database/connect.ts'
import { SYSTEM_NAME } from '../../kit/nobody.ts'
import { row, type RowOf, text, uuid } from '../../kit/row.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { resumed } from './clocks.ts'
import { nameOf, namedIn, noticeOf, tellAct } from './feedback-telling.ts'
import { changed } from './feedback.queries.ts'

const due = row({
  id: uuid,
  no: text,
  kind: text.of(feedbackKind),
  bc_id: uuid,
  site_id: uuid,
  siteName: text,
  about_id: uuid.null,
  ...changed,
})

/** One whose day has come goes on from that moment, whenever it is noticed; its version stays, nobody did anything. */
async function end(tx: Tx, tenant: string, f: RowOf<typeof due>): Promise<void> {
  const to = await resumed(tx, { tenant, bc: f.bc_id }, f, f.paused_until!)
  await tx.run(
    'feedback.goeson',
    `UPDATE feedback
     SET close_warn_at = $3, close_due_at = $4, paused_s = $5, paused_at = NULL, paused_until = NULL,
       pause_for = NULL, pause_text = ''
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, f.id, to.close_warn_at, to.close_due_at, to.paused_s],
  )
  await tellAct(tx, { tenant, nickname: SYSTEM_NAME }, f, {
    act: 'resume',
    words: '等待的日子到了',
    quiet: true,
  })
  await passTurn(tx, 'feedback', 'resume', {
    ...noticeOf(f),
    tenant,
    named: namedIn(f),
    title: `${nameOf(f)}等待的日子到了，恢复计时`,
  })
}

/** Ends the pauses whose day has come, of one feedback or of a whole group. */
export async function endPauses(tx: Tx, tenant: string, id: string | null = null): Promise<void> {
  const { rows } = await tx.query(
    'feedback.pauses',
    due,
    `SELECT f.id, f.no, f.kind, f.bc_id, f.site_id, w.ws_name AS "siteName", f.about_id,
       ${Object.keys(changed)
         .map((name) => `f.${name}`)
         .join(', ')}
     FROM feedback f
     JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
     WHERE f.tenant_id = $1 AND ($2::uuid IS NULL OR f.id = $2) AND f.paused_until <= :now
     ORDER BY f.id
     LIMIT 500
     FOR UPDATE OF f`,
    [tenant, id],
  )
  for (const f of rows) await end(tx, tenant, f)
}
