import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import type { LogRow } from '@zhuguan/contract/features/userlogs/userlogs.record.ts'
import { type Change, changesOf, idsOf } from '@zhuguan/contract/kit/logged.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { whole } from '../../kit/scoped.ts'
import { terminalOf } from '../../kit/terminal.ts'
import { word } from '../exports/exports.service.ts'
import { type Beside, logOf, together } from './personal.ts'

/** The part of a line that is put into words. */
export interface KeptLine {
  object: string
  objectId: string
  before: unknown
  after: unknown
  /** The part of it that stands beside the line. */
  beside: Beside | null
  agent: string
}
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
/** The name of a kind of thing; nothing for an address that was refused. */
export const titleOf = (object: string): string => logOf(object)?.title ?? ''

/** Names of whatever the group has by these numbers; what is gone has none. */
async function namesOf(tx: Tx, tenant: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await tx.query(
    'userlogs.names',
    row({ id: uuid, name: text }),
    // As JSON: of an array's length the planner would think anew each time.
    `WITH k AS MATERIALIZED (SELECT v::uuid AS id FROM json_array_elements_text($2::json) v)
     SELECT u.id, u.nickname AS name FROM k JOIN users u ON u.tenant_id = $1 AND u.id = k.id
     UNION ALL SELECT c.bc_id, c.bc_name FROM k JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.id
     UNION ALL SELECT t.id, t.name FROM k JOIN stores t ON t.tenant_id = $1 AND t.id = k.id
     UNION ALL SELECT w.id, w.ws_name FROM k JOIN sites w ON w.tenant_id = $1 AND w.id = k.id
     UNION ALL SELECT p.id, p.w_name FROM k JOIN workers p ON p.tenant_id = $1 AND p.id = k.id
     UNION ALL SELECT r.id, r.name FROM k JOIN roles r ON r.tenant_id = $1 AND r.id = k.id
     UNION ALL SELECT d.id, d.sn FROM k JOIN devices d ON d.tenant_id = $1 AND d.id = k.id
     UNION ALL SELECT g.id, g.name FROM k JOIN pages g ON g.tenant_id = $1 AND g.id = k.id
     UNION ALL SELECT a.id, ${word('a.type', alarmType)} || ' · ' || w.ws_name
       FROM k
       JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id
       JOIN sites w ON w.tenant_id = $1 AND w.id = a.site_id`,
    [tenant, JSON.stringify(ids)],
  )
  return new Map(rows.map((r) => [r.id, r.name]))
}

/** An export's number is its name; a file's and a vanished thing's say nothing. */
const nameless = ({ object, objectId }: Pick<KeptLine, 'object' | 'objectId'>) =>
  object === 'export' ? objectId : ''
const valuesOf = (value: unknown) => (value ?? {}) as Readonly<Record<string, unknown>>
const momentOf = (at: unknown, seconds = false): string =>
  new Date(typeof at === 'number' ? at * 1_000 : String(at)).toLocaleString('sv-SE', {
    timeZone: 'Asia/Shanghai',
    dateStyle: 'short',
    timeStyle: seconds ? 'medium' : 'short',
  })

/** The answer to a refused call. */
const refused = (after: unknown): Change[] => [
  { title: '被拒绝', before: '', after: String(valuesOf(after).msg ?? '') },
]

/** Where a home is, in the lines of its own: for who is told it in all of their reach (docs/decisions/0676). */
const PLACE = ['address', 'lng', 'lat']
const HIDDEN = '（按权限不显示）'
function withoutPlace(object: string, changes: readonly Change[]): Change[] {
  const fields: Readonly<Record<string, unknown>> = logOf(object)?.fields ?? {}
  const titles = PLACE.flatMap((name) => {
    const field = fields[name]
    return Array.isArray(field) && field[1] === 'personal' ? [field[0]] : []
  })
  const shown = (words: string) => words && HIDDEN
  return changes.map((c) =>
    titles.includes(c.title) ? { ...c, before: shown(c.before), after: shown(c.after) } : c,
  )
}

/** Lines in words: numbers by their names, codes by their labels. */
export async function inWords<L extends KeptLine>(
  tx: Tx,
  { addresses, tenant }: Scope,
  kept: readonly L[],
): Promise<(Omit<L, 'before' | 'after' | 'beside'> & Pick<LogRow, 'objectName' | 'changes' | 'terminal'>)[]> {
  const isTold = addresses?.homes && whole(addresses.homes)
  const lines = kept.map((line) => ({
    line,
    object: line.object,
    objectId: line.objectId,
    before: together(line.before, line.beside),
    after: together(line.after, line.beside),
  }))
  const ids = lines.flatMap((l) => {
    const fields = logOf(l.object)?.fields ?? {}
    return [l.objectId, ...idsOf(fields, l.before), ...idsOf(fields, l.after)]
  })
  const names = await namesOf(tx, tenant, [...new Set(ids.filter((id) => UUID.test(id)))])
  return lines.map(
    ({ before, after, line: { before: _before, after: _after, beside: _beside, ...line } }) => {
      const log = logOf(line.object)
      const field = log?.fields[log.named as keyof typeof log.fields]
      const own = valuesOf(after)[log?.named ?? ''] ?? valuesOf(before)[log?.named ?? '']
      const named = typeof own === 'string' ? own : ''
      const kept = typeof field === 'object' ? (names.get(named) ?? '') : named
      const changes = log
        ? changesOf(log.fields, before, after, (id) => names.get(id), momentOf)
        : refused(after)
      return {
        ...line,
        objectName: names.get(line.objectId) ?? (kept || nameless(line)),
        changes: isTold ? changes : withoutPlace(line.object, changes),
        terminal: terminalOf(line.agent),
      }
    },
  )
}
