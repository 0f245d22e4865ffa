/**
 * Of a delivered note `d`: the day that was promised of what it carried, else the expected one; of several the first.
 * None of what comes instead of other goods.
 */
const DUE_ON = `(SELECT min(coalesce(pl.promised_on, po.expected_on))
    FROM carried pc
    JOIN order_lines pl ON pl.tenant_id = $1 AND pl.id = pc.line_id
    JOIN orders po ON po.tenant_id = $1 AND po.id = pl.order_id
    WHERE pc.tenant_id = $1 AND pc.note_id = d.id AND d.kind = 1)`
const CAME_ON = `(d.delivered_at AT TIME ZONE 'Asia/Shanghai')::date`
/** Whether a note kept its promise, as a lateral subquery: it had one, came late, came by a day it was moved to. */
export const PROMISE = `(
    SELECT p.due_on IS NOT NULL AS promised, p.came_on > p.due_on AND NOT p.by_moved AS late,
      p.came_on > p.due_on AND p.by_moved AS moved
    FROM (SELECT ${DUE_ON} AS due_on, ${CAME_ON} AS came_on,
      coalesce(${CAME_ON} <= d.moved_on, false) AS by_moved OFFSET 0) p)`
