import type { GoingRow, KeptRow } from '@zhuguan/contract/features/keeping/keeping.record.ts'
import { type SettingKey, SETTINGS } from '@zhuguan/contract/features/settings/settings.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'

import type { Tx } from '../../database/connect.ts'
import type { Due } from '../../kit/due.ts'
import { invalid, outside } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { inWords } from '../roles/roles.reads.ts'
import { counting, daysOfBranches, settingOf } from '../settings/settings.reads.ts'
import { branchOf, unlessLonger } from '../settings/settings.service.ts'

/** A kind of record, its tables and files, who forgets it and all that is told of it. */
export interface KeptKind extends Omit<KeptRow, 'days' | 'seen' | 'setting'> {
  tables: readonly string[]
  files?: readonly string[]
  /** Of a row that stays: the column that does not. */
  column?: string
  jobs?: readonly string[]
  days: number | null
  setting?: SettingKey
  /** Labels of pages and powers. */
  seen: string[]
  /** A list in which everybody reads their own, which is no page. */
  own?: string
}
interface Ruled {
  words: string
  count: Due['count']
  /** The night may leave some of it. */
  atMost?: boolean
}
export interface Going {
  /** Rows that are older than this go in the coming night with so many days. */
  before: (now: Date, days: number) => Date
  of: Partial<Record<SettingKey, Ruled>>
}

const PAGE = /^page:/
const wordsOf = (label: string): string => inWords(label.replace(PAGE, ''))

/** Every kind with the days that count in a branch, or in the group. */
export async function kindsOf(
  tx: Tx,
  call: Call,
  bc: string | undefined,
  kinds: readonly KeptKind[],
): Promise<KeptRow[]> {
  await branchOf(tx, call, bc)
  const rows: KeptRow[] = []
  for (const { key, title, whose, until, starts, stops, purpose, ground, doors, ...kind } of kinds) {
    const { setting } = kind
    const days = setting ? await settingOf<number>(tx, call.user.tenant, bc ?? null, setting) : kind.days
    const told = { key, title, whose, until, starts, stops, purpose, ground, doors }
    // Two pages may bear one name.
    const seen = [...new Set([...(kind.own ? [kind.own] : []), ...kind.seen.map(wordsOf)])]
    rows.push({ ...told, days, setting: setting ?? null, seen })
  }
  return rows
}

/** So much is counted, then it is said that it is more. */
const MOST = 100_000
/**
 * The days that each branch would keep it: the one whose days they are, or all of the group's with theirs where
 * fewer.
 */
async function placesOf(
  tx: Tx,
  tenant: string,
  { bc, days, key }: { bc: string | undefined; days: number; key: SettingKey },
) {
  const branches = await daysOfBranches(tx, tenant, key)
  if (bc !== undefined) return branches.filter((b) => b.bc === bc).map((b) => ({ bc: b.bc, days }))
  return branches.map(({ bc: of, own }) => ({ bc: of, days: Number(counting(key, own ?? undefined, days)) }))
}
/** What a setting would be without the value set here. */
async function inherited(tx: Tx, tenant: string, bc: string | undefined, key: SettingKey): Promise<number> {
  return bc === undefined ? Number(SETTINGS[key].otherwise) : await settingOf<number>(tx, tenant, null, key)
}

/** What the coming night deletes once these days are saved, counted by the rule by which it deletes. */
export async function foresee(
  tx: Tx,
  call: Call,
  asked: { bcId?: string | undefined; values: Record<string, number | null> },
  going: Going,
): Promise<GoingRow[]> {
  const { tenant } = call.user
  const bc = asked.bcId
  const { mine } = await branchOf(tx, call, bc)
  if (!mine) throw outside()
  const rows: GoingRow[] = []
  for (const [name, value] of Object.entries(asked.values)) {
    const key = name as SettingKey
    const ruled = Object.hasOwn(going.of, name) ? going.of[key] : undefined
    if (!ruled) throw invalid(name, '这一项不是保存期限')
    const days = value ?? (await inherited(tx, tenant, bc, key))
    const checked = SETTINGS[key].value.safeParse(days)
    if (!checked.success) throw invalid(name, `${SETTINGS[key].title}：${checked.error.issues[0]!.message}`)
    await unlessLonger(tx, tenant, { bc, key, value: days })
    let n = 0
    for (const place of await placesOf(tx, tenant, { bc, days, key })) {
      if (n > MOST) break
      const before = going.before(call.now(), place.days)
      n += await ruled.count(tx, { tenant, bc: place.bc, before }, MOST + 1 - n)
    }
    const more = n > MOST
    rows.push({ key, n: Math.min(n, MOST), more, says: sentenceOf(ruled, Math.min(n, MOST), more) })
  }
  return rows
}
function sentenceOf({ words, atMost }: Ruled, n: number, more: boolean): string {
  if (n === 0) return `今晚没有要删除的${words.slice(1)}`
  const about = atMost ? '今晚最多将删除' : '今晚将删除'
  return `${about} ${grouped(String(n))} ${words.slice(0, 1)}${more ? '以上' : ''}${words.slice(1)}`
}
