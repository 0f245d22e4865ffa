import type { SettingKey } from '@zhuguan/contract/features/settings/settings.record.ts'
import { endAfter, endOf, nextSpan, workingTime } from '@zhuguan/contract/kit/business-time.ts'

import type { Tx } from '../../database/connect.ts'
import { float8, jsonb, row, text, type RowOf, uuid } from '../../kit/row.ts'
import { restDaySql, settingSql } from './settings.reads.ts'

const clockRow = row({
  bc: uuid,
  hours: float8,
  opens: text,
  closes: text,
  restDays: jsonb<number[]>(),
  calendar: jsonb<{ day: string; rest: boolean }[]>(),
})
const setting = (key: SettingKey) => settingSql(key, '$1', 'k.bc')

async function clocksOfTenant(
  tx: Tx,
  key: SettingKey,
  tenant: string,
  branches: readonly string[],
): Promise<RowOf<typeof clockRow>[]> {
  const { rows } = await tx.query(
    'settings.clocks',
    clockRow,
    `SELECT k.bc, (${setting(key)} #>> '{}')::float8 AS hours, ${setting('workStart')} #>> '{}' AS opens,
       ${setting('workEnd')} #>> '{}' AS closes, ${setting('restDays')} AS "restDays",
       (SELECT coalesce(jsonb_agg(jsonb_build_object('day', x.day, 'rest', x.rest)), '[]'::jsonb)
        FROM (SELECT DISTINCT ON (c.day) c.day::text, c.rest
          FROM calendar_days c
          WHERE c.tenant_id = $1 AND (c.bc_id = k.bc OR c.bc_id IS NULL) AND c.day > :now - interval '2 years'
          ORDER BY c.day, c.bc_id NULLS LAST) x) AS calendar
     FROM unnest($2::uuid[]) AS k(bc)`,
    [tenant, branches],
  )
  return rows
}

/** Days off that a branch's calendar names, from one day to another; weekly days of rest are not among them. */
export async function daysOff(
  tx: Tx,
  { bc, from, tenant, to }: { tenant: string; bc: string; from: string; to: string },
): Promise<string[]> {
  const { rows } = await tx.query(
    'settings.daysoff',
    row({ day: text }),
    `SELECT x.day
     FROM (SELECT DISTINCT ON (c.day) c.day::text AS day, c.rest
       FROM calendar_days c
       WHERE c.tenant_id = $1 AND (c.bc_id = $2 OR c.bc_id IS NULL) AND c.day BETWEEN $3::date AND $4::date
       ORDER BY c.day, c.bc_id NULLS LAST) x
     WHERE x.rest
     ORDER BY x.day`,
    [tenant, bc, from, to],
  )
  return rows.map(({ day }) => day)
}

/** The clocks of one setting of hours, of all their branches at once. */
export async function clocksOf(tx: Tx, key: SettingKey, places: readonly { tenant: string; bc: string }[]) {
  const branches = new Map<string, Set<string>>()
  for (const { tenant, bc } of places) branches.set(tenant, (branches.get(tenant) ?? new Set()).add(bc))
  const rows = await Promise.all(
    [...branches].map(([tenant, bcs]) => clocksOfTenant(tx, key, tenant, [...bcs])),
  )
  const clocks = new Map(rows.flat().map((clock) => [clock.bc, clock]))
  return {
    /** So much working time lies between two moments there. */
    between(bc: string, from: Date, to: Date): number {
      return workingTime(clocks.get(bc)!, from, to)
    },
    /** The working time that goes on there at a moment, or else the next that comes. */
    span(bc: string, at: Date): { from: Date; to: Date } {
      return nextSpan(clocks.get(bc)!, at)
    },
    /** When a clock that starts at `from` has run for so many milliseconds there. */
    after(bc: string, from: Date, ms: number): Date {
      return endAfter(clocks.get(bc)!, from, ms)
    },
    /** When a clock that starts at `from` ends there. */
    due(bc: string, from: Date): Date {
      const clock = clocks.get(bc)!
      return endOf(clock, from, clock.hours)
    },
  }
}

/** When a clock that starts at `from` and runs for the branch's working hours of `key` ends. */
export const dueAfter = async (
  tx: Tx,
  tenant: string,
  bc: string,
  key: SettingKey,
  from: Date,
): Promise<Date> => (await clocksOf(tx, key, [{ tenant, bc }])).due(bc, from)

/** The last of so many working days of a branch after a moment's day; nothing where it never works. */
export async function workDayAfter(
  tx: Tx,
  { bc, days, from, tenant }: { tenant: string; bc: string; from: Date; days: number },
): Promise<string | undefined> {
  const { rows } = await tx.query(
    'settings.workday',
    row({ day: text }),
    `SELECT d::date::text AS day
     FROM generate_series(($3::timestamptz AT TIME ZONE 'Asia/Shanghai')::date + 1,
       ($3::timestamptz AT TIME ZONE 'Asia/Shanghai')::date + 800, interval '1 day') d
     WHERE NOT ${restDaySql('$1', '$2::uuid', 'd::date')}
     ORDER BY d
     OFFSET $4::int - 1
     LIMIT 1`,
    [tenant, bc, from, days],
  )
  return rows[0]?.day
}

/** Whether all of the branches work at that instant. */
export async function areAtWork(tx: Tx, tenant: string, bcs: readonly string[], at: Date): Promise<boolean> {
  const clocks = bcs.length ? await clocksOfTenant(tx, 'answerHours', tenant, bcs) : []
  return clocks.every((clock) => workingTime(clock, at, new Date(at.getTime() + 1)) > 0)
}
export const isWorkTime = (tx: Tx, tenant: string, bc: string, at: Date): Promise<boolean> =>
  areAtWork(tx, tenant, [bc], at)
