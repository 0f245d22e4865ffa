import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { row, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import type { Tx } from '../../kit/tx.ts'
import type { OpenWork } from '../users/open-work.service.ts'
import { pickPeople } from '../users/users.reads.ts'
import { canReceive, hostedBy } from './hosting.service.ts'
import { lockOpen, type LockedReception } from './receptions.queries.ts'

/** Sites that this person keeps and that go on: whoever keeps them next receives there (`rehost`). */
async function keptBy(tx: Tx, tenant: string, of: string): Promise<Set<string>> {
  const { rows } = await tx.query(
    'receptions.kept',
    row({ id: uuid }),
    `SELECT w.id
     FROM sites w
     WHERE w.tenant_id = $1 AND w.steward_id = $2 AND w.deleted_at IS NULL
       AND w.status IN (${siteStatus.code.building}, ${siteStatus.code.notStarted})`,
    [tenant, of],
  )
  return new Set(rows.map((r) => r.id))
}
/** `gone`: what they cannot receive any more, whatever the site's new people have taken already. */
async function theirs(tx: Tx, call: Call, of: string, gone: boolean): Promise<LockedReception[]> {
  const { tenant } = call.user
  const all = await lockOpen(tx, tenant, { host: of }, gone)
  if (!gone) {
    const kept = await keptBy(tx, tenant, of)
    return all.filter((r) => !kept.has(r.site_id))
  }
  const left: LockedReception[] = []
  for (const r of all) if (!(await canReceive(tx, tenant, r, of))) left.push(r)
  return left
}

/** Visits that somebody was to receive. */
export const receptionsWork: OpenWork = {
  kind: 'receptions',
  lacks: '没有接待业主的权限，或看不到这些工地',
  async open(tx, call, of, gone) {
    const all = await theirs(tx, call, of.id, gone)
    if (all.length === 0) return undefined
    const lists = []
    for (const siteId of new Set(all.map((r) => r.site_id)))
      lists.push(await pickPeople(tx, call.user.scope, { siteId, power: 'reception:edit' }))
    const [first = [], ...rest] = lists
    return {
      count: all.length,
      title: `${all.length} 次没有结束的业主到访要接待`,
      link: linkTo('OwnerVisit', { site_id: all[0]!.site_id }),
      people: first.filter((p) => p.id !== of.id && rest.every((list) => list.some((o) => o.id === p.id))),
    }
  },
  async hand(tx, call, of, to) {
    for (const r of await theirs(tx, call, of.id, true))
      await hostedBy(tx, call, r, to, `${of.nickname}不再负责`)
  },
}
