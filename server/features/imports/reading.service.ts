import type { z } from 'zod'

import type { Tx } from '../../database/connect.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { whole } from '../../kit/scoped.ts'
import type { Scope } from '../../kit/tx.ts'
import type { CellError } from './imports.service.ts'

/** Branches by name and by code, as far as the caller reaches. */
export async function branchesOf(tx: Tx, scope: Scope): Promise<Map<string, string>> {
  const { rows } = await tx.query(
    'imports.branches',
    row({ bc_id: uuid, bc_name: text, code: text }),
    `SELECT bc_id, bc_name, code
     FROM companies
     WHERE tenant_id = $1 AND status = 1 AND ($2 OR bc_id = ANY ($3::uuid[]))`,
    [scope.tenant, whole(scope), scope.bcs],
  )
  return new Map(
    rows.flatMap((b) => [
      [b.bc_name, b.bc_id],
      [b.code, b.bc_id],
    ]),
  )
}
export const NO_BRANCH = '没有这个分公司，或不在您的数据范围内'

/** A code by its word; the empty cell is undefined. */
export function codeOf(
  codes: { options: { value: number | string; label: string }[] },
  text: string,
): number | string | undefined | { error: string } {
  if (text === '') return undefined
  return (
    codes.options.find((o) => o.label === text)?.value ?? {
      error: `应为：${codes.options.map((o) => o.label).join('、')}`,
    }
  )
}

/** 2026/3/1, 2026.3.1 and 2026年3月1日 are the same day; what is no day fails its check. */
export function dayText(text: string): string {
  const m = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?: 00:00(?::00)?)?$/.exec(text)
  if (!m) return text
  return `${m[1]}-${m[2]!.padStart(2, '0')}-${m[3]!.padStart(2, '0')}`
}

/** The schema's objections to a value, by column. */
export const issuesOf = (error: z.ZodError): CellError[] =>
  error.issues.map((i) => ({ column: String(i.path[0] ?? ''), text: i.message }))

const YES = '是'
const NO = '否'
/** Whether a row says that the notice was given. */
export const isTold = (said: string | undefined): boolean => said === YES
/** The fault of a row that says something else. */
export const wrongTold = (said: string | undefined): CellError[] =>
  !said || said === YES || said === NO ? [] : [{ column: 'told', text: '请填“是”或“否”，或不填' }]
