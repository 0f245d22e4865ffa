/** The promise `p` to which the feedback objects. In a statement whose tenant is $1. */
const objectedBy = (feedback: string) => `FROM promise_events e
     JOIN promises p ON p.tenant_id = $1 AND p.id = e.promise_id
     WHERE e.tenant_id = $1 AND e.feedback_id = ${feedback}`
/** Columns of a feedback that is an objection: to which promise, who answers for it, whether nobody has judged yet. */
export const objectedColumns = (feedback: string) =>
  `(SELECT p.id ${objectedBy(feedback)}) AS promise_id,
  (SELECT p.responsible_id ${objectedBy(feedback)}) AS promisor_id,
  EXISTS (SELECT ${objectedBy(feedback)} AND p.objected
    AND NOT EXISTS (SELECT FROM promise_events j
      WHERE j.tenant_id = $1 AND j.promise_id = p.id AND j.act IN ('uphold', 'dismiss') AND j.at > e.at)) AS unjudged`
/** Whether an objection to the promise was dismissed: it stays kept, and nobody objects again. */
export const dismissed = (promise: string) =>
  `EXISTS (SELECT FROM promise_events d
         WHERE d.tenant_id = $1 AND d.promise_id = ${promise} AND d.act = 'dismiss')`
