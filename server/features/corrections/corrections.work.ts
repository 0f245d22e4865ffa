import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'

import { int4, row } from '../../kit/row.ts'
import type { Tx } from '../../kit/tx.ts'
import type { OpenWork, Queue } from '../users/open-work.service.ts'
import { pickPeople } from '../users/users.reads.ts'
import { lockCorrecting, type LockedCorrection } from './corrections.queries.ts'
import { canCorrect, correctPower, leadersOf } from './correctors.ts'
import { handTo } from './hand-over.service.ts'

const { correcting, open } = correctionStatus.code

/** Everybody who can correct all of these, who leads their sites first. */
async function ableToAll(tx: Tx, call: Parameters<OpenWork['open']>[1], all: readonly LockedCorrection[]) {
  const places = [...new Map(all.map((c) => [`${c.site_id} ${correctPower(c.source)}`, c])).values()]
  const lists = await Promise.all(
    places.map((c) => pickPeople(tx, call.user.scope, { siteId: c.site_id, power: correctPower(c.source) })),
  )
  const [first = [], ...rest] = lists
  const people = first.filter((p) => rest.every((list) => list.some((o) => o.id === p.id)))
  const leaders = new Set((await Promise.all(places.map((c) => leadersOf(tx, call, c.site_id)))).flat())
  return [...people.filter((p) => leaders.has(p.id)), ...people.filter((p) => !leaders.has(p.id))]
}

export const correctionsWork: OpenWork = {
  kind: 'corrections',
  async open(tx, call, of, gone) {
    const all = await lockCorrecting(tx, call.user.scope, null, of.id, gone)
    const theirs: LockedCorrection[] = []
    for (const c of all) if (!gone || !(await canCorrect(tx, call, c, of.id))) theirs.push(c)
    if (theirs.length === 0) return undefined
    const page = theirs.every((c) => c.source === 'alarm') ? '/image/AlarmEvent' : '/patrol/Correction'
    return {
      count: theirs.length,
      title: `${theirs.length} 条正在整改的问题`,
      link: `${page}?assignee_id=${of.id}&correctionStatus=${correcting}`,
      people: await ableToAll(tx, call, theirs),
    }
  },
  async hand(tx, call, of, to) {
    for (const c of await lockCorrecting(tx, call.user.scope, null, of.id))
      if (!(await canCorrect(tx, call, c, of.id))) await handTo(tx, call, c, to, `${of.nickname}不再负责`)
  },
}

const unassigned = async (tx: Tx, tenant: string, bc: string, alarms: boolean): Promise<number> => {
  const { rows } = await tx.query(
    'corrections.unassigned',
    row({ n: int4 }),
    `SELECT count(*)::int AS n FROM corrections k
     WHERE k.tenant_id = $1 AND k.bc_id = $2 AND k.correction_status = ${open} AND (k.source = 'alarm') = $3`,
    [tenant, bc, alarms],
  )
  return rows[0]!.n
}
export const alarmsQueue: Queue = {
  right: 'alarm:assign',
  title: '指派报警',
  waiting: (tx, tenant, bc) => unassigned(tx, tenant, bc, true),
}
export const correctionsQueue: Queue = {
  right: 'correction:assign',
  title: '指派整改',
  waiting: (tx, tenant, bc) => unassigned(tx, tenant, bc, false),
}
