import type { Tx } from '../../database/connect.ts'
import { date, row, uuid } from '../../kit/row.ts'

/**
 * Where people of several sites are expected on these days (`decide_posts`); answers the days of sites that expect
 * others now. Without names, of everybody whom nobody has decided about.
 */
export async function decidePosts(
  tx: Tx,
  tenant: string,
  days: readonly string[],
  workers: readonly string[] | null,
): Promise<{ tenant: string; day: string; site: string }[]> {
  const { rows } = await tx.query(
    'attendance.posts',
    row({ day: date, site: uuid }),
    'SELECT p.day, p.site FROM decide_posts($1, $2::date[], $3::uuid[], $4) p',
    [tenant, days, workers, workers === null],
  )
  return rows.map((r) => ({ tenant, ...r }))
}
