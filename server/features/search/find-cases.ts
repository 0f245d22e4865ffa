import { caseState } from '@zhuguan/contract/features/cases/cases.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { contains } from '../../kit/statement.ts'
import { EACH, type Hit } from './search.queries.ts'

/** Cases by their title, the site's name or its community; what was touched last first. */
export async function findCases(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const where = scoped(scope, 'k').add(
    (p) => `(k.title ILIKE ${p} OR w.ws_name ILIKE ${p} OR w.community ILIKE ${p})`,
    contains(keyword),
  )
  const { rows } = await tx.query(
    'search.cases',
    row({ id: uuid, title: text, site: text, state: text.of(caseState) }),
    `SELECT k.id, k.title, w.ws_name AS site, k.state
     FROM cases k
     JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
     WHERE ${where.text}
     ORDER BY k.changed_at DESC, k.id
     LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((r) => ({
    kind: 'case',
    id: r.id,
    title: r.title,
    detail: `${r.site} · ${caseState.label(r.state)}`,
    link: linkTo('CaseList', { id: r.id }),
  }))
}
