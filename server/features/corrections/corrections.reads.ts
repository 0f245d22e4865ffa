import { type AlarmTodo, alarmTodo, alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'

import { correctionKept } from '../../kit/kept-from.ts'
import { reachOf } from '../../kit/reach.ts'
import { float8, row, text, texts } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import type { SessionUser } from '../../kit/serve.ts'
import { epoch, type Where } from '../../kit/statement.ts'
import type { Scope, Tx } from '../../kit/tx.ts'

const ALARM_NAMES = alarmType.options.map((o) => `WHEN '${o.value}' THEN '${o.label}'`).join(' ')
/** The subject of the correction `k` and its alarm `a`, if it is of one. */
export const PROBLEM = `CASE k.source WHEN 'alarm' THEN CASE a.type ${ALARM_NAMES} END ELSE k.problem END`

/** Corrections `k` that somebody may know of: in their reach, and of no feedback that is kept from them. */
export const knownCorrections = (scope: Scope): Where =>
  scoped(scope, 'k').add((p) => `NOT ${correctionKept('k', p)}`, scope.user)

/** Past its time and not closed; on a table that carries a correction's state. */
export const overdue = (alias: string) => `(${alias}.correction_status IN (1, 2) AND ${alias}.due_at < :now)`

const WAITS: Readonly<Record<AlarmTodo, (p: string, alias: string) => string>> = {
  correct: (p, alias) =>
    `(${alias}.correction_status = 2 AND ${alias}.assignee_id = ${p}::uuid
      AND ${alias}.step IN ('assigned', 'doing'))`,
  verify: (p, alias) =>
    `(${alias}.correction_status = 2 AND ${alias}.step = 'submitted' AND ${p}::uuid <> ALL (${alias}.corrector_ids))`,
  // Nobody has it, or whoever has it says that it is not theirs.
  assign: (p, alias) =>
    `(${alias}.correction_status = 1 OR ${alias}.correction_status = 2 AND ${alias}.step IS DISTINCT FROM 'submitted'
      AND (${alias}.assignee_id IS NULL OR ${alias}.disputed AND ${alias}.assignee_id <> ${p}::uuid))`,
}
/**
 * What waits for the person of `p`, likewise: handed to them and not yet submitted, submitted by somebody else, or
 * without anybody who corrects it (docs/states.md). Rows of `todoScope` only.
 */
export const waitsFor = (todo: AlarmTodo, p: string, alias: string): string => WAITS[todo](p, alias)

/** What is to be verified or handed on waits where its person may do that; the rest on all of the list. */
export const todoScope = (
  user: SessionUser,
  list: Scope,
  todo: AlarmTodo | undefined,
  sources: readonly ('alarm' | 'correction')[],
): Scope => {
  if (!todo || todo === alarmTodo.code.correct) return list
  const power = todo === alarmTodo.code.verify ? 'review' : 'assign'
  return reachOf(user, ...sources.map((s) => `${s}:${power}`)) ?? { ...list, bcs: [], sites: [] }
}

/** What was said and done about it, and the pictures that were given with it. */
export async function threadOf(tx: Tx, tenant: string, id: string) {
  const log = await tx.query(
    'corrections.logs',
    row({ at: float8, actor: text, action: text, text, pictures: texts }),
    `SELECT ${epoch('l.at')} AS at, l.actor, l.action, l.text, l.pictures
     FROM correction_logs l
     WHERE l.tenant_id = $1 AND l.correction_id = $2
     ORDER BY l.at, l.id`,
    [tenant, id],
  )
  const photos = await tx.query(
    'corrections.photos',
    row({ key: text, uploadedAt: float8, takenAt: float8.null }),
    `SELECT f.key, ${epoch('f.at')} AS "uploadedAt", ${epoch('f.taken_at')} AS "takenAt"
     FROM files f
     WHERE f.tenant_id = $1 AND f.key = ANY ($2)`,
    [tenant, log.rows.flatMap((l) => l.pictures)],
  )
  return { log: log.rows, photos: photos.rows }
}
