import type { Scope, Tx } from '../../database/connect.ts'
import { row, text } from '../../kit/row.ts'
import { scopedBranches } from '../../kit/scoped.ts'
import { addDays, shanghaiDay, shanghaiTime } from '../../kit/shanghai.ts'
import { settingSql } from '../settings/settings.reads.ts'

/** What "now" means for figures: a day that is not over is never compared with one that is (docs/decisions/0140). */
export interface AsOf {
  now: Date
  today: string
  /** False until the first branch of the reach begins to work: today cannot speak of people yet. */
  begun: boolean
  /** The last branch of the reach has ended its work of today. */
  over: boolean
  /** The day that figures of people stand for: today once it has begun, else the last whole day. */
  day: string
  /** The time of a figure of `day`, in words: 截至 10:05, or 11-20 全天. */
  words: string
}

/** The same instant of another day: the running day is compared with what had happened by then. */
export const sameHour = (now: Date, days: number): Date => new Date(now.getTime() + days * 86_400_000)

/** The time of figures of records, which are counted up to this minute at any hour. */
export const upTo = (now: Date): string => `截至 ${shanghaiTime(now).slice(11, 16)}`

export async function asOf(tx: Tx, scope: Scope, now: Date): Promise<AsOf> {
  const where = scopedBranches(scope, 'c')
  const { rows } = await tx.query(
    'statistics.opens',
    row({ opens: text.null, closes: text.null }),
    `SELECT min(${settingSql('workStart', 'c.tenant_id', 'c.bc_id')} #>> '{}') AS opens,
       max(${settingSql('workEnd', 'c.tenant_id', 'c.bc_id')} #>> '{}') AS closes
     FROM companies c
     WHERE ${where.text}`,
    where.values,
  )
  const today = shanghaiDay(now)
  const clock = shanghaiTime(now).slice(11, 16)
  const begun = clock >= (rows[0]?.opens ?? '00:00')
  const over = clock > (rows[0]?.closes ?? '23:59')
  const day = begun ? today : addDays(today, -1)
  return { now, today, begun, over, day, words: begun ? upTo(now) : `${day.slice(5)} 全天` }
}
