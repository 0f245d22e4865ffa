import { isDeepStrictEqual } from 'node:util'

import { KEPT_SETTINGS } from '@zhuguan/contract/features/settings/keeping-settings.ts'
import type { Setting } from '@zhuguan/contract/features/settings/setting.ts'
import {
  SETTING_KEYS,
  type SettingKey,
  SETTING_RULES,
  SETTINGS,
  type settingsOfBranch,
} from '@zhuguan/contract/features/settings/settings.record.ts'
import { calendarText, type DatedDay } from '@zhuguan/contract/kit/calendar.ts'
import type { z } from 'zod'

import type { Tx } from '../../database/connect.ts'
import { LOCKS } from '../../database/locks.ts'
import type { CalendarChange, CalendarLife } from '../../kit/calendar-life.ts'
import { found, invalid, outside, Refused } from '../../kit/refuse.ts'
import { jsonb, row, text, timestamptz, uuid } from '../../kit/row.ts'
import { hasBranch, whole, wholeGroup } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import { inWords } from '../roles/roles.reads.ts'
import { NOT_HERE, standingOf, uselessRights } from '../users/standing.reads.ts'
import { clocksOf } from './business-time.reads.ts'
import { counting, settingOf } from './settings.reads.ts'

type Settings = z.output<typeof settingsOfBranch>
const GROUP = '集团'

/** The branch asked for, inside the caller's reach; the group's own values are read by everybody and changed by who sees the group. */
export async function branchOf(
  tx: Tx,
  call: Call,
  bc: string | undefined,
): Promise<{ bc_id: string; bc_name: string; mine: boolean }> {
  const { scope, tenant } = call.user
  if (!bc) return { bc_id: '', bc_name: GROUP, mine: whole(scope) }
  if (!hasBranch(scope, bc)) throw outside()
  const branch = found(
    (
      await tx.query(
        'settings.branch',
        row({ bc_name: text }),
        'SELECT bc_name FROM companies WHERE tenant_id = $1 AND bc_id = $2',
        [tenant, bc],
      )
    ).rows[0],
  )
  return { bc_id: bc, bc_name: branch.bc_name, mine: true }
}

/** The values of a branch and those of the group that it inherits; without a branch the group's alone. */
async function bothOf(tx: Tx, tenant: string, bc: string | undefined) {
  const { rows } = await tx.query(
    'settings.both',
    row({ key: text, bc_id: uuid.null, value: jsonb<unknown>(), name: text, at: timestamptz.null }),
    `SELECT s.key, s.bc_id, s.value, s.changed_by AS name, s.changed_at AS at
     FROM settings s
     WHERE s.tenant_id = $1 AND (s.bc_id IS NULL OR s.bc_id = $2)`,
    [tenant, bc ?? null],
  )
  const of = (place: string | null) =>
    new Map(rows.filter((r) => r.bc_id === place).map((r) => [r.key, r.value]))
  const set = (key: string) =>
    rows.find((r) => r.key === key && r.bc_id === (bc ?? null)) ?? rows.find((r) => r.key === key)
  return { own: of(bc ?? null), group: of(null), set }
}

export async function readSettingsOf(tx: Tx, call: Call, bc: string | undefined): Promise<Settings> {
  const { mine, ...branch } = await branchOf(tx, call, bc)
  const { own, group } = await bothOf(tx, call.user.tenant, bc)
  const named = [...own, ...group].flatMap(([key, id]) =>
    isPerson(key) && id ? [{ key, id: String(id) }] : [],
  )
  const people = await standingOf(tx, call.user.scope, { people: named.map((n) => n.id), bc: bc ?? null })
  // A role may have changed since somebody was named: the line says so before the first message is for nobody.
  const holes = new Map<string, string>()
  for (const { key, id } of named) {
    const hole = await whyUseless(tx, call.user.tenant, { key, id, bc })
    if (hole && !holes.has(id)) holes.set(id, hole)
  }
  return {
    ...branch,
    editable: mine,
    people: people.map((p) => ({ ...p, why: p.why ?? holes.get(p.id) ?? null })),
    settings: SETTING_KEYS.map((key) => {
      const shared = bc ? group.get(key) : undefined
      const inherited = counting(key, undefined, shared)
      const value = counting(key, own.get(key), shared)
      // Days of its own that are more than the group's by now do not count.
      if (own.has(key) && value === own.get(key))
        return { key, value, from: bc ? ('branch' as const) : ('group' as const), inherited }
      return {
        key,
        value,
        from: bc && group.has(key) ? ('group' as const) : ('product' as const),
        inherited,
      }
    }),
  }
}

const isPerson = (key: string): key is SettingKey =>
  Object.hasOwn(SETTINGS, key) && SETTINGS[key as SettingKey].input === 'person'

/** The log's form of a value: dated days as the lines that people write, a person by name. */
async function told(tx: Tx, tenant: string, key: string, value: unknown): Promise<unknown> {
  if (key === 'calendar' && value !== null) return calendarText(value as DatedDay[]).replaceAll('\n', '；')
  if (!isPerson(key) || !value) return value
  const [person] = await standingOf(tx, wholeGroup(tenant), { people: [String(value)], bc: null })
  return person?.nickname ?? value
}

/** Why who is named there could not act on what they are told; nothing where they can. */
async function whyUseless(
  tx: Tx,
  tenant: string,
  { bc, id, key }: { key: SettingKey; id: string; bc: string | undefined },
): Promise<string | undefined> {
  const { powers = [] }: Setting = SETTINGS[key]
  const useless = await uselessRights(tx, tenant, { person: id, bc: bc ?? null, rights: powers })
  const lacking = useless.filter((r) => !r.held).map((r) => `“${inWords(r.label)}”`)
  if (lacking.length) return `没有${lacking.join('、')}权限`
  return useless.length ? '看不到这里的工地' : undefined
}

/** Somebody whom the caller may name there; that they are stopped or away is said, and it is saved all the same. */
async function personNamed(tx: Tx, call: Call, bc: string | undefined, key: SettingKey, id: string) {
  const { nickname, why } = found(
    (await standingOf(tx, call.user.scope, { people: [id], bc: bc ?? null }))[0],
  )
  if (why === NOT_HERE) throw invalid(key, `${nickname}${why}，请选本分公司的人`)
  const hole = await whyUseless(tx, call.user.tenant, { key, id, bc })
  if (hole) throw invalid(key, `${nickname}${hole}，请换一位`)
  return why ? [`${SETTINGS[key].title}：${nickname}${why}`] : []
}

const dropDays = (tx: Tx, tenant: string, bc: string | undefined) =>
  tx.run(
    'settings.dropdays',
    'DELETE FROM calendar_days WHERE tenant_id = $1 AND bc_id IS NOT DISTINCT FROM $2',
    [tenant, bc ?? null],
  )
/** Dated days beside the setting, where every clock looks them up (docs/decisions/0370). */
const keepDays = (tx: Tx, tenant: string, bc: string | undefined, days: readonly DatedDay[]) =>
  tx.run(
    'settings.keepdays',
    `INSERT INTO calendar_days (tenant_id, bc_id, day, rest)
     SELECT $1, $2, x.day, x.rest
     FROM unnest($3::date[], $4::boolean[]) AS x(day, rest)`,
    [tenant, bc ?? null, days.map((d) => d.day), days.map((d) => d.rest)],
  )

/** Of a branch, or of all of the group's: where running clocks end once the calendar is another one. */
async function runningClocks(tx: Tx, tenant: string, bc: string | undefined) {
  const { rows } = await tx.query(
    'settings.branches',
    row({ bc: uuid }),
    'SELECT bc_id AS bc FROM companies WHERE tenant_id = $1 AND ($2::uuid IS NULL OR bc_id = $2) ORDER BY bc_id',
    [tenant, bc ?? null],
  )
  const places = rows.map((b) => ({ tenant, bc: b.bc }))
  const was = await clocksOf(tx, 'answerHours', places)
  return async (): Promise<CalendarChange> => {
    const is = await clocksOf(tx, 'answerHours', places)
    return {
      bcs: rows.map((b) => b.bc),
      moved: (of, due) => {
        const left = was.between(of, tx.now, due)
        return left > 0 ? is.after(of, tx.now, left) : due
      },
    }
  }
}

/** The value in each branch that has something of its own in these, and in the group itself. */
async function valuesOf(tx: Tx, tenant: string, keys: readonly SettingKey[]) {
  const { rows } = await tx.query(
    'settings.ofall',
    row({ key: text, bc_id: uuid.null, name: text, value: jsonb<unknown>() }),
    `SELECT s.key, s.bc_id, coalesce(c.bc_name, '') AS name, s.value
     FROM settings s
     LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = s.bc_id
     WHERE s.tenant_id = $1 AND s.key = ANY ($2)
     ORDER BY c.sort, c.bc_name`,
    [tenant, keys],
  )
  const of = (bc: string | null) => new Map(rows.filter((r) => r.bc_id === bc).map((r) => [r.key, r.value]))
  const group = of(null)
  const places: { bc: string | null; name: string }[] = [
    { bc: null, name: GROUP },
    ...new Map(
      rows.filter((r) => r.bc_id !== null).map((r) => [r.bc_id, { bc: r.bc_id, name: r.name }]),
    ).values(),
  ]
  return places.map(({ bc, name }) => {
    const own = bc === null ? group : of(bc)
    const value = (key: SettingKey): unknown => {
      if (own.has(key)) return own.get(key)
      return group.has(key) ? group.get(key) : SETTINGS[key].otherwise
    }
    return { bc, name, value }
  })
}
/**
 * What is set must make sense with what it meets: a branch's value with what it inherits, the group's also with what
 * each branch has of its own, which is named.
 */
async function refuseTogether(
  tx: Tx,
  tenant: string,
  bc: string | undefined,
  changed: readonly string[],
): Promise<void> {
  for (const rule of SETTING_RULES) {
    const mine = rule.keys.filter((key) => changed.includes(key))
    if (mine.length === 0) continue
    const places = await valuesOf(tx, tenant, rule.keys)
    const broken = places.filter((p) => (bc === undefined || p.bc === bc) && !rule.holds(p.value))
    if (broken.length === 0) continue
    const at = mine.includes(rule.at) ? rule.at : mine[0]!
    const elsewhere = broken.filter((p) => p.bc !== (bc ?? null))
    // The value itself is wrong, or only together with what branches have of their own.
    const where = elsewhere.length === broken.length ? broken : []
    const named = where.map((p) => `${p.name}：${rule.says(p.value)}`).join('；')
    throw invalid(at, named ? `${named}；${rule.why}` : rule.why)
  }
}

/** A branch lets go of what is kept no later than the group does. */
export async function unlessLonger(
  tx: Tx,
  tenant: string,
  { bc, key, value }: { bc: string | undefined; key: SettingKey; value: unknown },
): Promise<void> {
  if (!bc || !KEPT_SETTINGS.includes(key)) return
  const most = await settingOf<number>(tx, tenant, null, key)
  if (Number(value) > most)
    throw invalid(key, `${SETTINGS[key].title}：集团保留 ${most} 天，分公司可以更短，不能更长`)
}

/** What only the group says is no branch's. */
function unlessWhole(bc: string | undefined, key: SettingKey): void {
  if (bc && 'whole' in SETTINGS[key]) throw invalid(key, `${SETTINGS[key].title}由集团统一设置`)
}

interface SettingsChange {
  bc: string | undefined
  values: Record<string, unknown>
  /** What stood there when they were read. */
  seen?: Record<string, unknown> | undefined
}
/** Nobody saves over what they have not seen; two who change different values are in nobody's way. */
async function unlessChanged(
  tx: Tx,
  tenant: string,
  { bc, seen = {} }: Pick<SettingsChange, 'bc' | 'seen'>,
): Promise<void> {
  const { group, own, set } = await bothOf(tx, tenant, bc)
  const now = (key: SettingKey) => counting(key, own.get(key), bc ? group.get(key) : undefined)
  const fields: Record<string, string> = {}
  for (const key of SETTING_KEYS.filter((k) => Object.hasOwn(seen, k))) {
    if (isDeepStrictEqual(now(key), seen[key])) continue
    const { at, name } = set(key) ?? {}
    fields[key] = at ? `${name} 于 ${shanghaiTime(at)} 改过` : '刚刚改过'
  }
  if (Object.keys(fields).length === 0) return
  const named = Object.entries(fields).map(([key, why]) => `${SETTINGS[key as SettingKey].title}（${why}）`)
  throw new Refused(`${named.join('、')}，请看过再保存`, 409, 200, { fields })
}

export async function updateSettings(
  tx: Tx,
  call: Call,
  { bc, seen, values }: SettingsChange,
  calendars: readonly CalendarLife[],
): Promise<{ warnings: string[] }> {
  const { tenant } = call.user
  const { mine, bc_name } = await branchOf(tx, call, bc)
  if (!mine) throw outside()
  if (Object.keys(values).length === 0) throw invalid('values', '没有要修改的设置')
  await tx.run('settings.turns', 'SELECT pg_advisory_xact_lock($1::int, hashtext($2))', [
    LOCKS.settings,
    tenant,
  ])
  await unlessChanged(tx, tenant, { bc, seen })
  const before: Record<string, unknown> = {}
  const after: Record<string, unknown> = {}
  const warnings: string[] = []
  const running = 'calendar' in values ? await runningClocks(tx, tenant, bc) : undefined
  for (const [key, value] of Object.entries(values)) {
    if (!Object.hasOwn(SETTINGS, key)) throw invalid(key, `没有设置 ${key}`)
    unlessWhole(bc, key as SettingKey)
    const { rows } = await tx.query(
      'settings.was',
      row({ value: jsonb<unknown>() }),
      'SELECT value FROM settings WHERE tenant_id = $1 AND key = $2 AND bc_id IS NOT DISTINCT FROM $3',
      [tenant, key, bc ?? null],
    )
    before[key] = await told(tx, tenant, key, rows[0]?.value ?? null)
    after[key] = null
    await tx.run(
      'settings.drop',
      'DELETE FROM settings WHERE tenant_id = $1 AND key = $2 AND bc_id IS NOT DISTINCT FROM $3',
      [tenant, key, bc ?? null],
    )
    if (key === 'calendar') await dropDays(tx, tenant, bc)
    if (value === null) continue
    const checked = SETTINGS[key as SettingKey].value.safeParse(value)
    if (!checked.success)
      throw invalid(key, `${SETTINGS[key as SettingKey].title}：${checked.error.issues[0]!.message}`)
    await unlessLonger(tx, tenant, { bc, key: key as SettingKey, value: checked.data })
    await tx.run(
      'settings.set',
      `INSERT INTO settings (tenant_id, bc_id, key, value, changed_by, changed_at)
       VALUES ($1, $2, $3, $4, $5, :now)`,
      [tenant, bc ?? null, key, JSON.stringify(checked.data), call.user.nickname],
    )
    after[key] = await told(tx, tenant, key, checked.data)
    if (isPerson(key) && checked.data)
      warnings.push(...(await personNamed(tx, call, bc, key, String(checked.data))))
    if (key === 'calendar') await keepDays(tx, tenant, bc, checked.data as DatedDay[])
  }
  if (running) {
    const change = await running()
    for (const { changed } of calendars) await changed(tx, call, change)
  }
  await refuseTogether(tx, tenant, bc, Object.keys(values))
  await call.log(tx, {
    action: '修改设置',
    object: 'setting',
    objectId: bc ?? '',
    before: { branch: bc_name, ...before },
    after: { branch: bc_name, ...after },
  })
  return { warnings }
}
