import { type AlarmTodo, alarmTodo, alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { homeWait, type Waiting } from '@zhuguan/contract/features/home/home.record.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { reachOf } from '../../kit/reach.ts'
import { bool, float8, int4, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import type { SessionUser } from '../../kit/serve.ts'
import { epoch } from '../../kit/statement.ts'
import { OVERDUE, todoScope, waitsFor } from '../alarms/alarms.reads.ts'

const FIRST = 4
const LIST = '/image/AlarmEvent'
const { correct, verify } = alarmTodo.code
/** Each kind of waiting: the power that makes it one's own, and the filter of the alarms' list that says it. */
const WAITS: readonly { wait: Waiting['wait']; power: string; todo: AlarmTodo; late?: true }[] = [
  { wait: homeWait.code.overdue, power: 'alarm:correct', todo: correct, late: true },
  { wait: homeWait.code.correct, power: 'alarm:correct', todo: correct },
  { wait: homeWait.code.verify, power: 'alarm:review', todo: verify },
]

/** What waits for this person; nothing is said of a list that they cannot open or of work that is not theirs to do. */
export async function waitingOf(tx: Tx, user: SessionUser): Promise<Waiting[]> {
  const list = reachOf(user, pageLabel('AlarmEvent'))
  if (!list) return []
  const answer: Waiting[] = []
  for (const { wait, power, todo, late = false } of WAITS) {
    if (!reachOf(user, power)) continue
    const { total, rows } = await firstOf(tx, todoScope(user, list, todo), user.id, todo, late)
    const filter = `todo=${todo}${late ? '&overdue=true' : ''}`
    // What is late of the work handed over is counted with it, and shown in its own place.
    const shown = wait === homeWait.code.correct ? rows.filter((a) => !a.late) : rows
    answer.push({ wait, total, link: `${LIST}?${filter}`, rows: shown })
  }
  return answer
}

async function firstOf(tx: Tx, scope: Scope, person: string, todo: AlarmTodo, late: boolean) {
  const where = scoped(scope, 'a')
    .add((p) => waitsFor(todo, p), person)
    .plain(late && OVERDUE)
  const { rows } = await tx.query(
    'home.waiting',
    row({
      total: int4,
      id: uuid,
      type: text.of(alarmType),
      picture: text.null,
      siteName: text,
      dueAt: float8.null,
      late: bool,
    }),
    `SELECT count(*) OVER ()::int AS total, a.id, a.type, a.picture, w.ws_name AS "siteName",
       ${epoch('a.due_at')} AS "dueAt", coalesce(${OVERDUE}, false) AS late
     FROM alarms a
     JOIN sites w ON w.tenant_id = $1 AND w.id = a.site_id
     WHERE ${where.text}
     ORDER BY ${todo === correct ? 'late, ' : ''}a.due_at NULLS LAST, a.id
     LIMIT ${FIRST}`,
    where.values,
  )
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.map((alarm) => ({ ...alarm, link: `${LIST}?id=${alarm.id}` })),
  }
}
