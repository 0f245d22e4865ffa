import type pg from 'pg'

/** Takes away the indexes of these tables that are not unique, and answers what makes them again. */
export async function dropIndexes(owner: pg.Client, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows } = await owner.query<{ name: string; text: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS text FROM pg_index
     WHERE indrelid = ANY ($1::regclass[]) AND NOT indisunique`,
    [tables],
  )
  for (const { name } of rows) await owner.query(`DROP INDEX ${name}`)
  return async () => {
    // Of a table with partitions it is made in each of them.
    for (const { text } of rows) await owner.query(text.replace(' ON ONLY ', ' ON '))
  }
}
