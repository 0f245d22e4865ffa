import type { SettingKey } from '@zhuguan/contract/features/settings/settings.record.ts'

import type { Tx } from '../../database/connect.ts'
import { float8, row, text, uuid } from '../../kit/row.ts'
import { addDays, shanghaiDay, shanghaiTime } from '../../kit/shanghai.ts'
import { settingOf, settingSql } from '../settings/settings.reads.ts'

const HOUR_MS = 3_600_000

/** An end outside the branch's working hours waits for their next beginning. */
function inWorkingHours(due: Date, opens: string, closes: string): Date {
  const clock = shanghaiTime(due).slice(11, 16)
  if (clock >= opens && clock <= closes) return due
  const day = shanghaiDay(due)
  return new Date(`${clock < opens ? day : addDays(day, 1)}T${opens}:00+08:00`)
}

/** When a clock that starts at `from` and runs for the branch's hours of `key` ends. */
export async function dueAfter(
  tx: Tx,
  tenant: string,
  bc: string,
  key: SettingKey,
  from: Date,
): Promise<Date> {
  const hours = await settingOf<number>(tx, tenant, bc, key)
  const opens = await settingOf<string>(tx, tenant, bc, 'workStart')
  const closes = await settingOf<string>(tx, tenant, bc, 'workEnd')
  return inWorkingHours(new Date(from.getTime() + hours * HOUR_MS), opens, closes)
}

const setting = (key: SettingKey) => `${settingSql(key, 'k.tenant', 'k.bc')} #>> '{}'`

/** The answer clocks of new alarms, of all their branches in one question. */
export async function answerClocks(tx: Tx, places: readonly { tenant: string; bc: string }[]) {
  const branches = [...new Map(places.map((p) => [p.bc, p])).values()]
  const { rows } = await tx.query(
    'alarms.clocks',
    row({ tenant: uuid, bc: uuid, hours: float8, opens: text, closes: text }),
    `SELECT k.tenant, k.bc, (${setting('answerHours')})::float8 AS hours, ${setting('workStart')} AS opens,
       ${setting('workEnd')} AS closes
     FROM unnest($1::uuid[], $2::uuid[]) AS k(tenant, bc)`,
    [branches.map((b) => b.tenant), branches.map((b) => b.bc)],
  )
  const clocks = new Map(rows.map((r) => [`${r.tenant}|${r.bc}`, r]))
  return {
    due(tenant: string, bc: string, from: Date): Date {
      const { hours, opens, closes } = clocks.get(`${tenant}|${bc}`)!
      return inWorkingHours(new Date(from.getTime() + hours * HOUR_MS), opens, closes)
    },
  }
}
