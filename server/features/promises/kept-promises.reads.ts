import { promiseState } from '@zhuguan/contract/features/promises/promises.record.ts'

import { dayBegins, TODAY } from '../../kit/statement.ts'

const { kept, withdrawn } = promiseState.code
/** The day first named, or the one that stands now. */
export type PromiseDay = 'p.due' | 'p.first_due'

/** The moment of the last act of one kind of the promise `p`, and the day of a moment. */
export const lastAct = (act: 'keep' | 'withdraw'): string =>
  `(SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = '${act}')`
export const dayOf = (moment: string): string => `(${moment} AT TIME ZONE 'Asia/Shanghai')::date`

/** Who answered for a promise when one of its days was over: it goes by the post, and the post by people. */
export const whoseAt = (day: PromiseDay): string =>
  `(SELECT y.who
     FROM (SELECT h.from_id AS who, h.at, h.id FROM promise_events h
         WHERE h.tenant_id = $1 AND h.promise_id = p.id AND h.act = 'hand' AND h.at >= ${dayBegins(`(${day} + 1)`)}
       UNION ALL SELECT p.responsible_id, 'infinity'::timestamptz, p.id) y
     ORDER BY y.at, y.id
     LIMIT 1)`
/** `x`: on which day the promise `p` was kept, and taken back. */
export const ENDS = `CROSS JOIN LATERAL (SELECT
       CASE WHEN p.state = '${kept}' THEN ${dayOf(lastAct('keep'))} END AS kept_on,
       CASE WHEN p.state = '${withdrawn}' THEN ${dayOf(lastAct('withdraw'))} END AS withdrawn_on) x`
/** Its day is over: what was taken back before is in no rate, after it it was not kept. */
export const isOver = (day: PromiseDay): string =>
  `${day} < ${TODAY} AND (x.withdrawn_on IS NULL OR x.withdrawn_on > ${day})`
export const isKeptBy = (day: PromiseDay): string => `p.state = '${kept}' AND x.kept_on <= ${day}`
