import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import {
  evidence,
  type EvidenceRow,
  figure,
  MOVERS,
  type Supervised,
} from '@zhuguan/contract/features/supervision/supervision.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import { warningRule } from '@zhuguan/contract/features/warnings/warnings.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int2, int4, row, text, uuid } from '../../kit/row.ts'
import { contains, epoch, type PageOf, settled, Where } from '../../kit/statement.ts'
import { PROBLEM } from '../corrections/corrections.reads.ts'
import type { Told } from './evidence.ts'
import { moversOf, overview, stageThen } from './supervision.ranks.ts'
import { RECORDS, sources } from './supervision.sources.ts'

/** The values that every statement is asked with. */
export interface Asked {
  tenant: string
  bc: string
  from: string
  to: string
  reader: string
  told: Told
}
const asked = ({ tenant, bc, from, to, reader }: Asked): Where => {
  const where = new Where()
  where.values.push(tenant, bc, from, to, reader)
  return where
}

export function peoplePage(a: Asked, q: QueryOf<(typeof supervisionApi)['people']>): PageOf {
  return {
    name: 'supervision.people',
    alias: 'r',
    base: `(${overview(a.told)}) r`,
    columns: 'r.*',
    joins: '',
    where: settled(asked(a))
      .when(q.keyword && contains(q.keyword), (p) => `r.nickname ILIKE ${p}`)
      .when(q.post, (p) => `r.post = ${p}::smallint`),
    sort: q.sort,
    // Who lets something wait the longest comes first.
    otherwise: 'r."oldestAt" ASC NULLS LAST',
    tie: 'r.id',
    sortable: {
      nickname: 'r.nickname COLLATE "zh-x-icu"',
      oldestAt: 'r."oldestAt"',
      open: 'r.open',
      sites: 'r.sites',
      missed: 'r.missed',
      late: 'r.late',
      complaints: 'r.complaints',
      perTen: 'r."perTen"',
      rank: 'r.rank',
    },
    filled: ['nickname', 'open', 'sites'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const supervisedRow = row<Supervised>({
  id: uuid,
  nickname: text,
  post: int2.of(principalPost),
  bc_id: uuid,
  bc_name: text,
  isStopped: bool,
  oldestAt: float8.null,
  open: int4,
  sites: int4,
  homes: int4,
  planned: int4.null,
  patrolled: int4.null,
  missed: int4.null,
  answered: int4.null,
  answerP50: int4.null,
  answerP90: int4.null,
  responded: int4.null,
  responseP50: int4.null,
  responseP90: int4.null,
  corrected: int4.null,
  correctionP50: int4.null,
  correctionP90: int4.null,
  late: int4.null,
  complaints: int4.null,
  perTen: float8.null,
  firstDue: int4.null,
  firstBroken: int4.null,
  presentDue: int4.null,
  presentBroken: int4.null,
  done: int4.null,
  replanned: int4.null,
  byHand: int4.null,
  judged: int4,
  bad: int4,
  expected: float8,
  rank: int4.null,
  ranked: int4,
})
/** One of them: the same row as in the list of all. */
export async function supervisedOne(tx: Tx, a: Asked, person: string): Promise<Supervised | undefined> {
  const { rows } = await tx.query(
    'supervision.person',
    supervisedRow,
    `SELECT r.* FROM (${overview(a.told)}) r WHERE r.id = $6::uuid`,
    [...asked(a).values, person],
  )
  return rows[0]
}

const RULES = warningRule.options.map((o) => `WHEN '${o.value}' THEN '${o.label}'`).join(' ')
/** A record in a line. Words of a feedback stay on its own page. */
const TITLE = `CASE r.kind
  WHEN 'site' THEN w.ws_name
  WHEN 'task' THEN (SELECT l.name FROM patrol_tasks t
    JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id WHERE t.tenant_id = $1 AND t.id = r.id)
  WHEN 'correction' THEN (SELECT ${PROBLEM} FROM corrections k
    LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id WHERE k.tenant_id = $1 AND k.id = r.id)
  WHEN 'thread' THEN '业主留言'
  WHEN 'feedback' THEN (SELECT f.no FROM feedback f WHERE f.tenant_id = $1 AND f.id = r.id)
  WHEN 'promise' THEN (SELECT p.content FROM promises p WHERE p.tenant_id = $1 AND p.id = r.id)
  WHEN 'warning' THEN (SELECT CASE v.rule ${RULES} END FROM warnings v WHERE v.tenant_id = $1 AND v.id = r.id) END`
const evidenceOf = (reached: string) => `r.id, r.kind, r.site_id, w.ws_name AS "siteName",
  CASE WHEN ${reached} THEN coalesce(${TITLE}, '') ELSE '' END AS title, g.stage, ${epoch('r.since')} AS since,
  ${epoch('r.at')} AS at, r.took, r.bad, ${reached} AS "isReached"`
const EVIDENCE_JOINS = `JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id ${stageThen('r.site_id', 'r.at')}`
/** The site `w` is inside of what somebody reaches by their own roles, in words of a statement. */
export function reaches(where: Where, scope: Scope): string {
  const { bcs, sites } = scope
  if (!bcs && !sites) return 'true'
  return `(w.bc_id = ANY(${where.asked(bcs ?? [], 'uuid[]')}::uuid[])
      OR w.id = ANY(${where.asked(sites ?? [], 'uuid[]')}::uuid[]))`
}

export function recordsPage(
  a: Asked,
  q: QueryOf<(typeof supervisionApi)['records']>,
  person: string,
  own: Scope,
): PageOf {
  const where = settled(asked(a)).add((p) => `r.person = ${p}::uuid`, person)
  const reached = reaches(where, own)
  const from = RECORDS[q.figure]
  return {
    name: 'supervision.records',
    alias: 'r',
    base: `(${sources(a.told)} SELECT r.* FROM ${from}) r`,
    columns: evidenceOf(reached),
    joins: EVIDENCE_JOINS,
    where,
    sort: q.sort,
    // The longest wait of what waits, the newest of what is over; what was not as it should be first.
    otherwise: q.figure === figure.code.open ? 'r.since' : ['r.bad DESC', 'r.at DESC'],
    tie: 'r.id',
    sortable: { at: 'r.at', since: 'r.since', took: 'r.took' },
    filled: ['at'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const evidenceColumns = row<EvidenceRow>({
  id: uuid,
  kind: text.of(evidence),
  site_id: uuid,
  siteName: text,
  title: text,
  stage: text.of(siteStage).null,
  since: float8.null,
  at: float8,
  took: int4.null,
  bad: int4,
  isReached: bool,
})
/** Records that have waited the longest for somebody. */
export async function oldestOf(tx: Tx, a: Asked, person: string, own: Scope): Promise<EvidenceRow | null> {
  const where = settled(asked(a)).add((p) => `r.person = ${p}::uuid`, person)
  const reached = reaches(where, own)
  const { rows } = await tx.query(
    'supervision.oldest',
    evidenceColumns,
    `${sources(a.told)}
     SELECT ${evidenceOf(reached)}
     FROM (SELECT r.* FROM s_waiting r WHERE ${where.text} ORDER BY r.since, r.id LIMIT 1) r
     ${EVIDENCE_JOINS}`,
    where.values,
  )
  return rows[0] ?? null
}

/** The records that moved somebody's rank most. */
export async function movers(tx: Tx, a: Asked, person: string, own: Scope) {
  const where = settled(asked(a))
  where.values.push(person)
  const reached = reaches(where, own)
  const { rows } = await tx.query(
    'supervision.movers',
    row({ ...evidenceColumns, weight: float8 }),
    `SELECT ${evidenceOf(reached)}, round(r.weight, 2)::float8 AS weight
     FROM (${moversOf(a.told)} LIMIT ${MOVERS}) r
     ${EVIDENCE_JOINS}
     WHERE ${where.text}
     ORDER BY r.weight DESC, r.at DESC, r.id`,
    where.values,
  )
  return rows
}

/** How many complaints are kept from somebody and so in no figure of theirs. */
export async function keptCount(tx: Tx, a: Asked, person: string): Promise<number> {
  const { rows } = await tx.query(
    'supervision.kept',
    row({ n: int4 }),
    `${sources(a.told)} SELECT count(*)::int AS n FROM s_kept r WHERE r.person = $6::uuid`,
    [...asked(a).values, person],
  )
  return rows[0]!.n
}
