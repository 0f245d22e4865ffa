import type pg from 'pg'

import { difference, type Row } from '../kit/row.ts'

/**
 * Asks as the owner of the tables, outside of a transaction of ours. Such statements are few and run once: what they
 * answer is always compared with what they declare.
 */
export async function ask<R>(
  client: pg.ClientBase,
  columns: Row<R>,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  const answer = await client.query(text, values)
  const wrong = difference(text, columns, answer)
  if (wrong) throw new Error(wrong)
  return answer.rows
}
