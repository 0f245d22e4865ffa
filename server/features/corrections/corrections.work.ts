import { correctionStatus, correctionStep } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { countWaiting } from '../../kit/count-waiting.ts'
import { int2, row, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import type { Tx } from '../../kit/tx.ts'
import type { OpenWork, Queue } from '../users/open-work.service.ts'
import { pickPeople } from '../users/users.reads.ts'
import { lockCorrecting, type LockedCorrection } from './corrections.queries.ts'
import { canCorrect, correctPower, leadersOf } from './correctors.ts'
import { handTo } from './hand-over.service.ts'

const { correcting, open } = correctionStatus.code

/** Nobody has this id. */
const NO_ONE = '00000000-0000-0000-0000-000000000000'

/** Sites that go on and that this person leads, by their post there: who takes them comes to see them. */
async function ledBy(tx: Tx, tenant: string, of: string): Promise<Map<string, number>> {
  const { manager, steward } = principalPost.code
  const { rows } = await tx.query(
    'corrections.led',
    row({ id: uuid, post: int2 }),
    `SELECT w.id, (CASE WHEN w.manager_id = $2 THEN ${manager} ELSE ${steward} END)::smallint AS post
     FROM sites w
     WHERE w.tenant_id = $1 AND $2 IN (w.manager_id, w.steward_id) AND w.deleted_at IS NULL
       AND w.status IN (${siteStatus.code.building}, ${siteStatus.code.notStarted})`,
    [tenant, of],
  )
  return new Map(rows.map((r) => [r.id, r.post]))
}
/**
 * Everybody who can correct all of these, who leads their sites first; also who cannot see a site yet that this person
 * leads, and would by taking its post; `next`: who takes it, where that is decided.
 */
async function ableToAll(tx: Tx, call: Call, of: string, all: readonly LockedCorrection[], next?: string) {
  const about = new Set(all.map((c) => c.about_id))
  const places = [...new Map(all.map((c) => [`${c.site_id} ${correctPower(c.source)}`, c])).values()]
  const led = await ledBy(tx, call.user.tenant, of)
  const lists = []
  for (const c of places) {
    const asked = { siteId: c.site_id, power: correctPower(c.source) }
    const able = await pickPeople(tx, call.user.scope, asked)
    const post = led.get(c.site_id)
    const then = { ...asked, post, id: next, leading: true }
    const others = post ? await pickPeople(tx, call.user.scope, then) : []
    lists.push([...able, ...others.filter((p) => able.every((a) => a.id !== p.id))])
  }
  const [first = [], ...rest] = lists
  const people = first.filter(
    (p) => !about.has(p.id) && rest.every((list) => list.some((o) => o.id === p.id)),
  )
  const leaders = new Set((await Promise.all(places.map((c) => leadersOf(tx, call, c.site_id)))).flat())
  return [...people.filter((p) => leaders.has(p.id)), ...people.filter((p) => !leaders.has(p.id))]
}

export const correctionsWork: OpenWork = {
  kind: 'corrections',
  lacks: '没有整改的权限，看不到这些工地（同一个人也接手负责的工地，就能一起接手），或整改的反馈说的就是他',
  async open(tx, call, of, gone, taken) {
    const all = await lockCorrecting(tx, call.user.scope, null, of.id, gone)
    const theirs: LockedCorrection[] = []
    for (const c of all) if (!gone || !(await canCorrect(tx, call, c, of.id))) theirs.push(c)
    if (theirs.length === 0) return undefined
    const page = theirs.every((c) => c.source === 'alarm') ? 'AlarmEvent' : 'Correction'
    return {
      count: theirs.length,
      title: `${theirs.length} 条正在整改的问题`,
      link: linkTo(page, { assignee_id: of.id, correctionStatus: correcting }),
      people: await ableToAll(tx, call, of.id, theirs, taken && (taken.get('sites') ?? NO_ONE)),
    }
  },
  async hand(tx, call, of, to, taken) {
    for (const c of await lockCorrecting(tx, call.user.scope, null, of.id)) {
      if (await canCorrect(tx, call, c, of.id)) continue
      // Who takes the site in the same step takes over with it what they do not see before (`handOver`).
      if (taken.get('sites') === to.id && !(await canCorrect(tx, call, c, to.id))) continue
      await handTo(tx, call, c, to, `${of.nickname}不再负责`)
    }
  },
}

const ofAlarm = (alarms: boolean) => `(k.source = 'alarm') = ${alarms}`
/** What nobody has, or whoever has it says is not theirs. */
const unassigned = (alarms: boolean) =>
  countWaiting(
    'corrections.unassigned',
    `corrections k WHERE k.tenant_id = $1 AND k.bc_id = $2 AND ${ofAlarm(alarms)}
       AND (k.correction_status = ${open} OR k.correction_status = ${correcting} AND k.disputed)`,
  )
/** Photos that were handed in. */
const unverified = (alarms: boolean) =>
  countWaiting(
    'corrections.unverified',
    `corrections k WHERE k.tenant_id = $1 AND k.bc_id = $2 AND ${ofAlarm(alarms)}
       AND k.correction_status = ${correcting} AND k.step = '${correctionStep.code.submitted}'`,
  )
export const correctionQueues: readonly Queue[] = [
  { right: 'alarm:assign', title: '指派报警', waiting: unassigned(true) },
  { right: 'correction:assign', title: '指派整改', waiting: unassigned(false) },
  { right: 'alarm:review', title: '复核报警的整改', waiting: unverified(true) },
  { right: 'correction:review', title: '复核整改', waiting: unverified(false) },
]
