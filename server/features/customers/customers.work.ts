import { customerHeld } from '@zhuguan/contract/features/customers/customers.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { countWaiting } from '../../kit/count-waiting.ts'
import { row, uuid } from '../../kit/row.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import type { Tx } from '../../kit/tx.ts'
import { whoCan } from '../notifications/turns.service.ts'
import type { Leaver, OpenWork, Queue } from '../users/open-work.service.ts'
import { pickPeople } from '../users/users.reads.ts'
import { lockCustomer } from './customers.queries.ts'
import { giveTo } from './holding.service.ts'

const { assigned, pool } = customerHeld.code
const FOLLOW = 'customer:follow'
interface Theirs {
  id: string
  bc_id: string
  store_id: string | null
}

/** Customers that this person follows; `gone`: of these, those that they may not follow any more. */
async function theirs(tx: Tx, call: Call, of: Leaver, gone: boolean): Promise<Theirs[]> {
  const { tenant } = call.user
  const { rows } = await tx.query(
    'customers.theirs',
    row<Theirs>({ id: uuid, bc_id: uuid, store_id: uuid.null }),
    `SELECT k.id, k.bc_id, k.store_id
     FROM customers k
     WHERE k.tenant_id = $1 AND k.consultant_id = $2 AND k.held = '${assigned}'
     ORDER BY k.id`,
    [tenant, of.id],
  )
  if (!gone) return rows
  const still = new Map<string, boolean>()
  for (const k of rows) {
    const at = `${k.bc_id} ${k.store_id}`
    if (still.has(at)) continue
    const place = { bc_id: k.bc_id, store_id: k.store_id }
    const able = await whoCan(tx, {
      tenant,
      among: [of.id],
      except: [],
      label: FOLLOW,
      place,
      receiver: false,
    })
    still.set(at, able.near.length + able.wide.length > 0)
  }
  return rows.filter((k) => !still.get(`${k.bc_id} ${k.store_id}`))
}

/** A consultant goes: nobody is forgotten. */
export const customersWork: OpenWork = {
  kind: 'customers',
  lacks: '没有跟进客户的权限，或不在这些客户的门店',
  async open(tx, call, of, gone) {
    const customers = await theirs(tx, call, of, gone)
    if (customers.length === 0) return undefined
    const lists = []
    for (const k of new Map(customers.map((c) => [`${c.bc_id} ${c.store_id}`, c])).values()) {
      const place = { bc_id: k.bc_id, store_id: k.store_id }
      const able = await whoCan(tx, {
        tenant: call.user.tenant,
        among: null,
        except: [of.id],
        label: FOLLOW,
        place,
        receiver: false,
      })
      const people = await pickPeople(tx, call.user.scope, { bc: k.bc_id })
      lists.push(people.filter((p) => able.near.includes(p.id)))
    }
    const [first = [], ...rest] = lists
    return {
      count: customers.length,
      title: `${customers.length} 位跟进中的客户`,
      link: linkTo('CustomerList', { consultant_id: of.id, held: assigned }),
      people: first.filter((p) => rest.every((list) => list.some((o) => o.id === p.id))),
    }
  },
  async hand(tx, call, of, to) {
    const scope = wholeGroup(call.user.tenant)
    for (const { id } of await theirs(tx, call, of, true)) {
      const k = await lockCustomer(tx, scope, id)
      if (k)
        await giveTo(
          tx,
          call,
          k,
          { id: to.id, name: to.nickname },
          { why: `${of.nickname}不再负责`, actor: call.user.id },
        )
    }
  },
}

export const poolQueue: Queue = {
  right: 'customer:assign',
  title: '分配公海里的客户',
  waiting: countWaiting(
    'customers.inpool',
    `customers k WHERE k.tenant_id = $1 AND k.bc_id = $2 AND k.held = '${pool}'`,
  ),
}
