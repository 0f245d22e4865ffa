import type { caseAct } from '@zhuguan/contract/features/cases/cases.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import type { Caller } from '../../kit/serve.ts'
import { tell, tellChange } from '../live/live.service.ts'
import type { LockedCase } from './cases.queries.ts'

export type Act = (typeof caseAct.values)[number]
/** One line of a case's ledger. */
export const addLine = (tx: Tx, call: Caller, id: string, act: Act, text = '') =>
  tx.run(
    'cases.line',
    `INSERT INTO case_events (tenant_id, id, case_id, act, actor, text, at) VALUES ($1, $2, $3, $4, $5, $6, :now)`,
    [call.user.tenant, call.newId(), id, act, call.user.nickname, text],
  )

/** The part that every message about it has in common. */
export const noticeOf = (k: Pick<LockedCase, 'id' | 'bc_id' | 'site_id'>) => ({
  link: linkTo('CaseList', { id: k.id }),
  cause: { kind: 'case', id: k.id } as const,
  place: { bc_id: k.bc_id, site_id: k.site_id },
})

/**
 * Everybody who looks hears of it; `what`: a line on the site's timeline. A showroom shows homes of every branch, and
 * its pages and screens drop one that is not public any more: it is told to the whole group as well, by its number.
 */
export function tellCase(tx: Tx, call: Caller, k: LockedCase, what?: string): void {
  const { bc_id: bc, id, site_id: site } = k
  tell(tx, call, {
    topic: 'case',
    bc,
    site,
    id,
    ...(what ? { line: { kind: 'owner', title: `案例“${k.title}”${what}` } } : {}),
  })
  tellChange(tx, call.user.tenant, { topic: 'case', bc: null, site: null, id })
}
