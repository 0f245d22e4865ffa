import type { Database } from '../database/connect.ts'
import { countNoWork } from '../features/attendance/standstill.service.ts'
import { tellThreads } from '../features/corrections/opening.service.ts'
import { tellFeedback } from '../features/feedback/feedback-history.service.ts'
import { tellSites } from '../features/live/live.bulk.ts'
import { settle } from '../features/notifications/notifications.service.ts'
import { tellPatrols } from '../features/patrols/history.service.ts'
import { rankSites } from '../features/rankings/rankings.service.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { weighAll } from '../features/trusts/trusts.service.ts'
import { catchUp } from '../features/violations/violations.service.ts'
import { tellWarnings } from '../features/warnings/warning-history.service.ts'
import { uuidv7 } from '../kit/ids.ts'
import { float8, int4, row, text, uuid } from '../kit/row.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import { epoch } from '../kit/statement.ts'

const settled = row({
  tenant_id: uuid,
  id: uuid,
  at: float8,
  kind: text,
  hours: int4,
  manager: text,
  reviewer: text,
})

/** Some took days longer than they had. */
const LONG = '(h < 78 AND h % 13 = 5)'
const HOURS = `(CASE WHEN ${LONG} THEN 44 + h % 40 ELSE 1 + h % 30 END)`
/**
 * What the staff of the demo did with the alarms of a past day, so that statistics tell of work. Of the last fortnight
 * ten of a hundred are not done, three of them given to nobody; of what the camera was not sure there was nothing.
 */
const SETTLE = `WITH due AS (
    SELECT a.tenant_id, a.id, a.at, a.site_id,
      CASE WHEN a.confidence < 0.6 THEN 78 + abs(hashtext(a.id::text)) % 12
      WHEN a.at < :now - interval '14 days' THEN abs(hashtext(a.id::text)) % 90
      ELSE abs(hashtext(a.id::text)) % 100 END AS h
    FROM alarms a
    WHERE a.correction_status = 1
      AND a.at < $1::timestamptz - interval '1 day' * (abs(hashtext(a.id::text)) % 3) * $2)
  UPDATE alarms a SET correction_status = CASE WHEN h < 78 THEN 3 WHEN h < 90 THEN 4 ELSE 2 END, verdict = CASE WHEN h < 78 OR h >= 90 THEN 'real' ELSE 'wrong' END, step = CASE WHEN h < 78 THEN 'submitted' WHEN h < 90 THEN NULL ELSE 'assigned' END,
    assignee_id = CASE WHEN h < 78 OR h >= 90 THEN w.manager_id END, corrector_id = CASE WHEN h < 78 THEN w.manager_id END, due_at = CASE WHEN h < 78 OR h >= 90 THEN a.at + interval '24 hours' END,
    closed_at = CASE WHEN ${LONG} THEN least(a.at + interval '1 hour' * ${HOURS}, :now)
      WHEN h < 90 THEN least(a.at + interval '1 hour' * ${HOURS}, $1::timestamptz, :now) END,
    version = a.version + 1, changed_by = CASE WHEN h < 78 THEN s.nickname ELSE m.nickname END, changed_at = a.at + interval '1 hour'
  FROM due JOIN sites w ON w.tenant_id = due.tenant_id AND w.id = due.site_id JOIN users m ON m.tenant_id = w.tenant_id AND m.id = w.manager_id JOIN users s ON s.tenant_id = w.tenant_id AND s.id = w.steward_id
  WHERE a.tenant_id = due.tenant_id AND a.id = due.id AND h < 97
  RETURNING a.tenant_id, a.id, ${epoch('a.at')} AS at, CASE WHEN h < 78 THEN 'passed' WHEN h < 90 THEN 'wrong' ELSE 'assigned' END AS kind, (${HOURS})::int AS hours, m.nickname AS manager, s.nickname AS reviewer`

/** Closes a replayed day: alarms settled by the demo's staff, days without work counted. `last` leaves more of them open. */
export async function closeDemoDay(db: Database, day: string, last: boolean): Promise<void> {
  await db.tx(SYSTEM, async (tx) => {
    const end = new Date(Date.parse(`${addDays(day, 1)}T00:00:00Z`) - 8 * 3_600_000)
    const { rows } = await tx.query('demo.settle', settled, SETTLE, [end, last ? 1 : 0.5])
    const lines = rows.flatMap((r) => {
      const line = (actor: string, action: string, said: string, hours: number) => ({
        tenant_id: r.tenant_id,
        id: uuidv7(),
        correction_id: r.id,
        at: new Date(Math.min((r.at + hours * 3_600) * 1000, tx.now.getTime())),
        actor,
        action,
        text: said,
        pictures: [],
      })
      if (r.kind === 'wrong') return [line(r.manager, '取消报警', '误报：画面里没有人', 0.3)]
      const assigned = line(r.reviewer, '指派', r.manager, 0.2)
      return r.kind === 'assigned'
        ? [assigned]
        : [
            assigned,
            line(r.manager, '提交整改照片', '现场已提醒并整改', r.hours * 0.8),
            line(r.reviewer, '复核通过', '', r.hours),
          ]
    })
    if (lines.length) await tellThreads(tx, lines)
    // Somebody may have been reminded of them while the past was being told.
    const closed = Map.groupBy(
      rows.filter((r) => r.kind !== 'assigned'),
      (r) => r.tenant_id,
    )
    for (const [tenant, alarms] of closed)
      await settle(tx, tenant, ...alarms.map(({ id }) => ({ kind: 'alarm' as const, id })))
    await tx.run(
      'demo.open',
      `UPDATE sites w
       SET open_alarms = n.open
       FROM (SELECT k.tenant_id, k.id, count(a.id)::int AS open FROM sites k
           LEFT JOIN alarms a ON a.tenant_id = k.tenant_id AND a.site_id = k.id
           AND a.correction_status IN (1, 2) GROUP BY 1, 2) n
       WHERE w.tenant_id = n.tenant_id AND w.id = n.id AND w.open_alarms <> n.open`,
      [],
    )
    const tenants = await tx.query('demo.tenants', row({ id: uuid }), 'SELECT id FROM tenants', [])
    for (const { id } of tenants.rows) {
      await catchUp(tx, id)
      await weighAll(tx, id, end < tx.now ? end : tx.now)
      await tellSites(tx, await tellPatrols(tx, id, day))
    }
    if (last)
      for (const { id } of tenants.rows) {
        await tellFeedback(tx, id)
        await tellWarnings(tx, id)
      }
    // Today is not over: nobody can say yet that nobody came.
    if (day >= shanghaiDay(tx.now)) return
    for (const { id } of tenants.rows) {
      await countNoWork(tx, id, day, day)
      await rankSites(tx, id, addDays(day, 1), end)
    }
  })
}
