import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { countWaiting } from '../../kit/count-waiting.ts'
import { row, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import type { Tx } from '../../kit/tx.ts'
import { whoCan } from '../notifications/turns.service.ts'
import type { Leaver, OpenWork, Queue } from '../users/open-work.service.ts'
import { pickPeople } from '../users/users.reads.ts'
import { handPromise } from './promise-posts.service.ts'
import { lockOpen, type LockedPromise } from './promises.queries.ts'

const KEEP = 'promise:keep'
const { building, notStarted } = siteStatus.code

/** Of these the sites that this person leads and that go on: whoever takes the site takes what is promised there. */
async function ledBy(tx: Tx, call: Call, of: Leaver): Promise<Set<string>> {
  const { rows } = await tx.query(
    'promises.led',
    row({ id: uuid }),
    `SELECT w.id
     FROM sites w
     WHERE w.tenant_id = $1 AND $2 IN (w.manager_id, w.steward_id) AND w.deleted_at IS NULL
       AND w.status IN (${building}, ${notStarted})`,
    [call.user.tenant, of.id],
  )
  return new Set(rows.map((r) => r.id))
}
/** What does not go along with a site; `gone`: what they cannot keep any more. */
async function theirs(tx: Tx, call: Call, of: Leaver, gone: boolean): Promise<LockedPromise[]> {
  const all = await lockOpen(tx, call.user.scope, { responsible: of.id }, gone)
  if (!gone) {
    const led = await ledBy(tx, call, of)
    return all.filter((p) => !led.has(p.site_id))
  }
  const left: LockedPromise[] = []
  for (const p of all) {
    const place = { bc_id: p.bc_id, site_id: p.site_id }
    const asked = { among: [of.id], except: [], label: KEEP, place, receiver: false }
    const still = await whoCan(tx, { tenant: call.user.tenant, ...asked })
    if (!still.near.length && !still.wide.length) left.push(p)
  }
  return left
}

/** Asked after the sites: what is promised on a site goes with its post. */
export const promisesWork: OpenWork = {
  kind: 'promises',
  lacks: '没有兑现承诺的权限，或看不到这些工地',
  async open(tx, call, of, gone) {
    const promises = await theirs(tx, call, of, gone)
    if (promises.length === 0) return undefined
    const lists = []
    for (const siteId of new Set(promises.map((p) => p.site_id)))
      lists.push(await pickPeople(tx, call.user.scope, { siteId, power: KEEP }))
    const [first = [], ...rest] = lists
    return {
      count: promises.length,
      title: `${promises.length} 条没有兑现的承诺`,
      link: linkTo('PromiseList', { responsible_id: of.id, state: 'open,extended' }),
      people: first.filter((p) => rest.every((list) => list.some((o) => o.id === p.id))),
    }
  },
  async hand(tx, call, of, to) {
    for (const p of await theirs(tx, call, of, true))
      await handPromise(tx, call, p, { id: to.id }, `${of.nickname}不再负责`)
  },
}

export const objectionsQueue: Queue = {
  right: 'promise:supervise',
  title: '裁定业主对承诺的异议',
  waiting: countWaiting(
    'promises.objected',
    'promises p WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.objected',
  ),
}
