import { linkTo } from '@zhuguan/contract/links.ts'

import { int4, row, text, uuid } from '../../kit/row.ts'
import type { Tx } from '../../kit/tx.ts'
import { notify } from '../notifications/notifications.service.ts'
import { whoCan } from '../notifications/turns.service.ts'
import type { Leaver, OpenWork } from '../users/open-work.service.ts'
import { pickPeople } from '../users/users.reads.ts'

/** Sites from which this person is to bring devices back. */
async function retrievedBy(tx: Tx, tenant: string, of: Leaver) {
  const { rows } = await tx.query(
    'retrievals.of',
    row({ site: uuid, bc_id: uuid, n: int4, open: text }),
    `SELECT r.site_id AS site, r.bc_id, count(*)::int AS n,
       (SELECT u.status::text FROM users u WHERE u.tenant_id = $1 AND u.id = $2) AS open
     FROM retrievals r
     WHERE r.tenant_id = $1 AND r.person_id = $2 AND r.closed_at IS NULL
     GROUP BY r.site_id, r.bc_id`,
    [tenant, of.id],
  )
  return rows
}

/** Devices that are still to be brought back; who only may do less goes on bringing them. */
export const retrievalsWork: OpenWork = {
  kind: 'retrievals',
  lacks: '不在这些工地所属的分公司',
  async open(tx, call, of, gone) {
    const { tenant } = call.user
    const all = (await retrievedBy(tx, tenant, of)).filter((r) => !gone || r.open !== '1')
    if (all.length === 0) return undefined
    const count = all.reduce((n, r) => n + r.n, 0)
    const lists = []
    for (const bc of new Set(all.map((r) => r.bc_id))) {
      const asked = { tenant, among: null, except: [of.id], place: { bc_id: bc }, receiver: false }
      const keepers = await whoCan(tx, { ...asked, label: 'device:bind' })
      const people = await pickPeople(tx, call.user.scope, { bc })
      // Who keeps devices in the branch is likely meant; anybody of the branch may fetch them.
      lists.push([
        ...people.filter((p) => keepers.near.includes(p.id)),
        ...people.filter((p) => !keepers.near.includes(p.id)),
      ])
    }
    const [first = [], ...rest] = lists
    return {
      count,
      title: `${count} 台待收回的设备`,
      link: linkTo('DeviceList', { retrieval: true }),
      people: first.filter((p) => p.id !== of.id && rest.every((list) => list.some((o) => o.id === p.id))),
    }
  },
  async hand(tx, call, of, to) {
    const { tenant } = call.user
    const { rowCount } = await tx.run(
      'retrievals.give',
      'UPDATE retrievals r SET person_id = $3 WHERE r.tenant_id = $1 AND r.person_id = $2 AND r.closed_at IS NULL',
      [tenant, of.id, to.id],
    )
    await notify(tx, {
      tenant,
      actor: call.user.id,
      user: to.id,
      title: `${of.nickname}不再负责：${rowCount} 台待收回的设备转给您`,
      link: linkTo('DeviceList', { retrieval: true }),
    })
  },
}
