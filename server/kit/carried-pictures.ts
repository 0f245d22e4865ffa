/** Pictures of the messages that the record `id` was made of, in their order; the statement's tenant is $1. */
export const carriedPictures = (
  kind: 'feedback' | 'promise' | 'reception' | 'question',
  id: string,
): string =>
  `ARRAY(SELECT c.key
       FROM thread_outcomes o
       CROSS JOIN LATERAL unnest(o.pictures) WITH ORDINALITY AS c(key, place)
       WHERE o.tenant_id = $1 AND o.kind = '${kind}' AND o.record_id = ${id}
       ORDER BY o.at, o.message_id, c.place)`
