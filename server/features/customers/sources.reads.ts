import { customerSource } from '@zhuguan/contract/features/customers/customers.record.ts'

import type { Tx } from '../../database/connect.ts'
import { invalid } from '../../kit/refuse.ts'
import { row, text } from '../../kit/row.ts'
import { settingOf } from '../settings/settings.reads.ts'

const OURS = customerSource.options
const isOurs = (source: string) => OURS.some((o) => o.value === source)
/** A name that is one of ours bears its code; the group's own word is its own. */
const codeOf = (name: string): string => OURS.find((o) => o.label === name)?.value ?? name

/** The sources that the group offers, in its order. */
export async function offeredSources(tx: Tx, tenant: string): Promise<{ value: string; label: string }[]> {
  const names = await settingOf<string[]>(tx, tenant, null, 'customerSources')
  return names.map((label) => ({ value: codeOf(label), label }))
}

/** Those, and after them the ones that are not offered any more: customers of before still bear them. */
export async function sourcesOf(tx: Tx, tenant: string) {
  const offered = await offeredSources(tx, tenant)
  const { rows } = await tx.query(
    'customers.sources',
    row({ source: text }),
    `SELECT DISTINCT k.source FROM customers k
     WHERE k.tenant_id = $1 AND k.source NOT IN (${OURS.map((o) => `'${o.value}'`).join(', ')})
     ORDER BY k.source`,
    [tenant],
  )
  const before = [...OURS.map((o) => o.value as string), ...rows.map((r) => r.source)].filter(
    (source) => !offered.some((o) => o.value === source),
  )
  return [
    ...offered.map((o) => ({ ...o, offered: true })),
    ...before.map((value) => ({ value, label: customerSource.label(value), offered: false })),
  ]
}

/** Refuses a source that the group does not offer; 其他 always is one, and a customer keeps theirs. */
export async function unlessOffered(tx: Tx, tenant: string, source: string, before?: string): Promise<void> {
  if (source === before || source === customerSource.code.other) return
  if ((await offeredSources(tx, tenant)).some((o) => o.value === source)) return
  throw invalid(
    'source',
    `来源“${isOurs(source) ? customerSource.label(source) : source}”不在集团的来源里，请重选`,
  )
}
