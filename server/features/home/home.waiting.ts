import { type AlarmTodo, alarmTodo } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { homeWait, type Waiting } from '@zhuguan/contract/features/home/home.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import type { Tx } from '../../database/connect.ts'
import { reachOf } from '../../kit/reach.ts'
import { bool, float8, int4, row, text, uuid } from '../../kit/row.ts'
import type { SessionUser } from '../../kit/serve.ts'
import { epoch, type Where } from '../../kit/statement.ts'
import { knownCorrections, overdue, PROBLEM, todoScope, waitsFor } from '../corrections/corrections.reads.ts'

const FIRST = 4
const { assign, correct, verify } = alarmTodo.code
const CORRECT = ['alarm:correct', 'correction:correct']
const REVIEW = ['alarm:review', 'correction:review']
const ASSIGN = ['alarm:assign', 'correction:assign']
/** Each kind of waiting: the powers that make it one's own, and the filter of the list that says it. */
const WAITS: readonly { wait: Waiting['wait']; powers: readonly string[]; todo: AlarmTodo; late?: true }[] = [
  { wait: homeWait.code.overdue, powers: CORRECT, todo: correct, late: true },
  { wait: homeWait.code.correct, powers: CORRECT, todo: correct },
  { wait: homeWait.code.verify, powers: REVIEW, todo: verify },
  { wait: homeWait.code.assign, powers: ASSIGN, todo: assign },
]

/**
 * Work that waits for this person; nothing is said of a list that they cannot open or of work that is not theirs to
 * do.
 */
export async function waitingOf(tx: Tx, user: SessionUser): Promise<Waiting[]> {
  // Who has no page of corrections has the alarms among them.
  const all = reachOf(user, pageLabel('Correction'))
  const list = all ?? reachOf(user, pageLabel('AlarmEvent'))
  if (!list) return []
  const page = all ? 'Correction' : 'AlarmEvent'
  const theirs = WAITS.filter(({ powers }) => reachOf(user, ...powers))
  const each = theirs.map(async ({ wait, todo, late = false }): Promise<Waiting> => {
    const where = knownCorrections(todoScope(user, list, todo, ['alarm', 'correction']))
      .add((p) => waitsFor(todo, p, 'k'), user.id)
      .plain(late && overdue('k'))
      // Late work is counted and shown in its own place.
      .plain(wait === homeWait.code.correct && `NOT coalesce(${overdue('k')}, false)`)
      .plain(!all && `k.source = 'alarm'`)
    const { total, rows } = await firstOf(tx, where, todo)
    return {
      wait,
      total,
      link: linkTo(page, { todo, ...(todo === correct && { overdue: late }) }),
      rows: rows.map((c) => ({ ...c, link: linkTo(page, { id: c.id }) })),
    }
  })
  return Promise.all(each)
}

async function firstOf(tx: Tx, where: Where, todo: AlarmTodo) {
  const { rows } = await tx.query(
    'home.waiting',
    row({
      total: int4,
      id: uuid,
      problem: text,
      picture: text.null,
      siteName: text,
      dueAt: float8.null,
      late: bool,
      disputed: bool,
    }),
    `SELECT count(*) OVER ()::int AS total, k.id, ${PROBLEM} AS problem, coalesce(a.picture, k.pictures[1]) AS picture,
       w.ws_name AS "siteName", ${epoch('k.due_at')} AS "dueAt", coalesce(${overdue('k')}, false) AS late, k.disputed
     FROM corrections k
     JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
     LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id
     WHERE ${where.text}
     ORDER BY ${todo === correct ? 'late, ' : ''}k.due_at NULLS LAST, k.id
     LIMIT ${FIRST}`,
    where.values,
  )
  return { total: rows[0]?.total ?? 0, rows }
}
