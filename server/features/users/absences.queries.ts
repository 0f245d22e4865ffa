import { KEPT_DAYS } from '@zhuguan/contract/features/keeping/keeping.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { type AbsenceRow, absenceState } from '@zhuguan/contract/features/users/absences.record.ts'
import { EVERY_PERMISSION } from '@zhuguan/contract/kit/permits.ts'
import { NAMED_RIGHTS } from '@zhuguan/contract/turns.ts'

import type { Tx } from '../../database/connect.ts'
import { personReaches } from '../../kit/person-reach.ts'
import { bool, float8, int4, row, type RowOf, text, there, uuid } from '../../kit/row.ts'
import type { SessionUser } from '../../kit/serve.ts'
import { contains, epoch, TODAY } from '../../kit/statement.ts'
import { accountScope } from './accounts.queries.ts'

const { finished, terminated } = siteStatus.code
const { away, back, called, coming, over } = absenceState.code
/** The first moment of a day in Asia/Shanghai. */
const BEGINS = `(a.from_day::timestamp AT TIME ZONE 'Asia/Shanghai')`
const STATE = `CASE
  WHEN a.ended_at < ${BEGINS} THEN '${called}'
  WHEN a.ended_at IS NOT NULL THEN '${back}'
  WHEN a.to_day < ${TODAY} THEN '${over}'
  WHEN a.from_day > ${TODAY} THEN '${coming}'
  ELSE '${away}' END`

const absence = row<AbsenceRow>({
  id: uuid,
  user_id: uuid,
  nickname: text,
  deputy_id: uuid,
  deputyName: text,
  from: text,
  to: text,
  state: text.of(absenceState),
  enteredBy: text,
  enteredAt: float8,
  endedBy: text,
  endedAt: float8.null,
  version: int4,
})
const COLUMNS = `a.id, a.user_id, u.nickname, a.deputy_id,
  d.nickname || CASE WHEN d.status = 1 AND d.deleted_at IS NULL THEN '' ELSE '（账号已停用）' END AS "deputyName",
  a.from_day::text AS "from", a.to_day::text AS "to", ${STATE} AS state, a.entered_by AS "enteredBy",
  ${epoch('a.entered_at')} AS "enteredAt",
  a.ended_by AS "endedBy", ${epoch('a.ended_at')} AS "endedAt", a.version`
const FROM = `absences a
  JOIN users u ON u.tenant_id = $1 AND u.id = a.user_id
  JOIN users d ON d.tenant_id = $1 AND d.id = a.deputy_id`

/** Somebody's absences, what comes and what is now before what was. */
export async function absencesOf(tx: Tx, tenant: string, person: string): Promise<AbsenceRow[]> {
  const { rows } = await tx.query(
    'absences.of',
    absence,
    `SELECT ${COLUMNS} FROM ${FROM}
     WHERE a.tenant_id = $1 AND a.user_id = $2
     ORDER BY a.to_day DESC, a.id DESC
     LIMIT 50`,
    [tenant, person],
  )
  return rows
}

/** One absence, its row locked: one's own, or, for who edits accounts, of a person inside their reach. */
export async function lockAbsence(
  tx: Tx,
  user: SessionUser,
  id: string,
  whose: 'own' | 'others',
): Promise<AbsenceRow | undefined> {
  const where =
    whose === 'own'
      ? { text: 'a.tenant_id = $1 AND a.user_id = $2', values: [user.tenant, user.id] }
      : accountScope(user)
  const { rows } = await tx.query(
    `absences.lock${whose}`,
    absence,
    `SELECT ${COLUMNS} FROM ${FROM}
     WHERE ${where.text} AND a.tenant_id = $1 AND a.id = $${where.values.length + 1}
     FOR UPDATE OF a`,
    [...where.values, id],
  )
  return rows[0]
}

/** Of the same branch, or of the whole group, as seen from the person `u`: `d` may stand in. */
const COLLEAGUE = `d.tenant_id = $1 AND d.deleted_at IS NULL AND (d.bc_id IS NULL OR d.bc_id = u.bc_id OR EXISTS (
       SELECT 1 FROM user_branches b WHERE b.tenant_id = $1 AND b.user_id = d.id AND b.bc_id = u.bc_id))`
const POST = `coalesce((SELECT string_agg(r.name, '、' ORDER BY r.name) FROM user_roles ur
         JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id
         WHERE ur.tenant_id = $1 AND ur.user_id = d.id), '')`

/** Sites that the person `u` keeps and that go on; of those the ones that `d` sees, too. */
const KEPT = `sites w
       WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND w.status NOT IN (${finished}, ${terminated})
         AND u.id IN (w.manager_id, w.steward_id)`
const SEEN = `EXISTS (SELECT 1 FROM user_roles xr
         JOIN roles r ON r.tenant_id = $1 AND r.id = xr.role_id AND r.status = 1
         WHERE xr.tenant_id = $1 AND xr.user_id = d.id AND ${personReaches('$1', 'd', 'r', 'w')})`
const REACH = `(SELECT count(*)::int FROM ${KEPT}) AS kept,
   (SELECT count(*)::int FROM ${KEPT} AND ${SEEN}) AS seen`

/** Colleagues with an open account who could stand in for this person: who sees most of what they keep comes first. */
export async function colleaguesOf(tx: Tx, tenant: string, person: string, keyword: string | undefined) {
  const { rows } = await tx.query(
    'absences.colleagues',
    row({ id: uuid, nickname: text, post: text, kept: int4, seen: int4 }),
    `SELECT d.id, d.nickname, ${POST} AS post, ${REACH}
     FROM users u
     JOIN users d ON ${COLLEAGUE}
     WHERE u.tenant_id = $1 AND u.id = $2 AND d.id <> u.id AND d.status = 1
       AND ($3::text IS NULL OR d.nickname ILIKE $3 OR d.user_name ILIKE $3)
     ORDER BY d.bc_id IS NULL, seen DESC, d.nickname, d.id
     LIMIT 300`,
    [tenant, person, keyword ? contains(keyword) : null],
  )
  return rows
}

const pair = row({ id: uuid, nickname: text, open: bool, colleague: bool, kept: int4, seen: int4 })
export type OfPair = RowOf<typeof pair>
/** The person and who shall stand in, both locked in one order, so that two who name each other take turns. */
export async function lockPair(tx: Tx, tenant: string, person: string, deputy: string): Promise<OfPair[]> {
  await tx.query(
    'absences.turns',
    there,
    'SELECT 1 FROM users WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE',
    [tenant, [person, deputy]],
  )
  const { rows } = await tx.query(
    'absences.pair',
    pair,
    `SELECT d.id, d.nickname, d.status = 1 AS open, ${COLLEAGUE} AS colleague, ${REACH}
     FROM users u
     JOIN users d ON d.tenant_id = $1 AND d.id IN ($2, $3) AND d.deleted_at IS NULL
     WHERE u.tenant_id = $1 AND u.id = $2`,
    [tenant, person, deputy],
  )
  return rows
}

/** Whom this person stands in for, today or in days to come. */
export async function deputyships(tx: Tx, tenant: string, deputy: string) {
  const { rows } = await tx.query(
    'absences.deputyships',
    row({ user_id: uuid, nickname: text, bc_id: uuid.null, from: text, to: text }),
    `SELECT a.user_id, u.nickname, u.bc_id, a.from_day::text AS "from", a.to_day::text AS "to"
     FROM absences a
     JOIN users u ON u.tenant_id = $1 AND u.id = a.user_id
     WHERE a.tenant_id = $1 AND a.deputy_id = $2 AND a.ended_at IS NULL AND a.to_day >= ${TODAY}
     ORDER BY a.from_day, u.nickname`,
    [tenant, deputy],
  )
  return rows
}

/** An absence of this person that shares a day with these. */
export async function absenceWithin(tx: Tx, tenant: string, person: string, from: string, to: string) {
  const { rows } = await tx.query(
    'absences.within',
    row({ from: text, to: text }),
    `SELECT a.from_day::text AS "from", a.to_day::text AS "to"
     FROM absences a
     WHERE a.tenant_id = $1 AND a.user_id = $2 AND a.ended_at IS NULL AND a.from_day <= $4 AND a.to_day >= $3
     ORDER BY a.from_day
     LIMIT 1`,
    [tenant, person, from, to],
  )
  return rows[0]
}

/** The holders of each of these rights by which records name people; `led`: by a role of one's own sites. */
export async function namedRightsOf(tx: Tx, tenant: string, people: readonly string[]) {
  const { rows } = await tx.query(
    'absences.rights',
    row({ user_id: uuid, label: text, led: bool }),
    `SELECT ur.user_id, x.label, bool_or(r.data_scope = 'ownSites') AS led
     FROM user_roles ur
     JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id AND r.status = 1
     JOIN role_powers p ON p.tenant_id = $1 AND p.role_id = r.id
     JOIN unnest($3::text[]) AS x(label) ON p.label IN (x.label, '${EVERY_PERMISSION}')
     WHERE ur.tenant_id = $1 AND ur.user_id = ANY ($2)
     GROUP BY ur.user_id, x.label
     ORDER BY x.label`,
    [tenant, people, NAMED_RIGHTS],
  )
  return rows
}

/** Who stood in for whom is kept as long as what they did then may be asked about. */
export const forgetAbsences = (tx: Tx, tenant: string) =>
  tx.run(
    'absences.forget',
    `DELETE FROM absences a WHERE a.tenant_id = $1 AND a.to_day < ${TODAY} - ${KEPT_DAYS.absences}`,
    [tenant],
  )
