import type { Evidence } from '@zhuguan/contract/features/supervision/supervision.record.ts'
import { warningBall } from '@zhuguan/contract/features/warnings/warnings.record.ts'

import { correctionKept } from '../../kit/kept-from.ts'
import { dayBegins, TODAY } from '../../kit/statement.ts'
import { OPEN as FEEDBACK_OPEN } from '../feedback/feedback.reads.ts'
import { OPEN as PROMISE_OPEN } from '../promises/open-promises.reads.ts'
import { UNCLOSED } from '../warnings/warnings.reads.ts'
import { columns, known, only, type Told } from './evidence.ts'

/** A row of what waits now; `at` is the end of its time, where it has one. */
const waits = (kind: Evidence, id: string, person: string, site: string, since: string, due: string) =>
  columns(kind, {
    id,
    person,
    site,
    since,
    at: `coalesce(${due}, ${since})`,
    took: 'NULL',
    bad: `coalesce(${due} < :now, false)`,
  })
const KEEPER = 'coalesce(w.steward_id, w.manager_id)'
const CLOSE_BY = 'coalesce(f.close_due_at, f.answer_due_at)'
/**
 * What waits for each of them now, since when it is theirs. A patrol that was late already when its account was closed
 * is missed by whose it was, and waits for nobody who cannot sign in.
 */
export const waiting = (
  told: Told,
) => `${waits('correction', 'k.id', 't.user_id', 'k.site_id', 't.from_at', 't.due_at')}
     FROM people p
     JOIN correction_turns t ON t.tenant_id = $1 AND t.user_id = p.id AND t.to_at IS NULL
     JOIN corrections k ON k.tenant_id = $1 AND k.id = t.correction_id AND k.bc_id = $2
     WHERE NOT ${correctionKept('k', 't.user_id')} AND NOT ${correctionKept('k', '$5')} ${only(told.corrections)}
   UNION ALL ${waits('thread', 'h.site_id', KEEPER, 'h.site_id', 'h.waiting_since', 'h.due_at')}
     FROM threads h
     JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
     WHERE h.tenant_id = $1 AND h.bc_id = $2 AND h.waiting_since IS NOT NULL
       AND ${KEEPER} IS NOT NULL ${only(told.words)}
   UNION ALL ${waits('feedback', 'f.id', 'x.person', 'f.site_id', 'f.entered_at', CLOSE_BY)}
     FROM feedback f
     JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
     CROSS JOIN LATERAL (SELECT coalesce(f.assignee_id, w.steward_id) AS person) x
     WHERE f.tenant_id = $1 AND f.bc_id = $2 AND ${FEEDBACK_OPEN} AND x.person IS NOT NULL AND ${known('x.person')}
       ${only(told.feedback)}
   UNION ALL ${waits('promise', 'p.id', 'p.responsible_id', 'p.site_id', dayBegins('p.due'), dayBegins('(p.due + 1)'))}
     FROM promises p
     WHERE p.tenant_id = $1 AND p.bc_id = $2 AND ${PROMISE_OPEN} AND p.due <= ${TODAY}
       AND p.responsible_id IS NOT NULL ${only(told.promises)}
   UNION ALL ${waits('warning', 'v.id', 'w.manager_id', 'v.site_id', 'v.opened_at', 'NULL::timestamptz')}
     FROM warnings v
     JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
     WHERE v.tenant_id = $1 AND v.bc_id = $2 AND ${UNCLOSED} AND v.ball = '${warningBall.code.manager}'
       AND w.manager_id IS NOT NULL ${only(told.warnings)}
   UNION ALL ${waits('task', 't.id', 'x.person', 't.site_id', 't.opens_at', 't.closes_at')}
     FROM patrol_tasks t
     CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
     JOIN people p ON p.id = x.person AND NOT p.stopped
     WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.outcome IS NULL AND t.opens_at <= :now AND t.lapses_at > :now
       AND t.opens_at > :now - interval '90 days' ${only(told.tasks)}`
