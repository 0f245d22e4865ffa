import { planStatus } from '@zhuguan/contract/features/patrols/plans.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { int4, row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import type { Tx } from '../../kit/tx.ts'
import { notify } from '../notifications/notifications.service.ts'
import { whoCan } from '../notifications/turns.service.ts'
import type { Leaver, OpenWork } from '../users/open-work.service.ts'
import { pickPeople } from '../users/users.reads.ts'
import { givePlan } from './plans.service.ts'

const { active } = planStatus.code
/** Plans that go on and name this person; `others`: how many of the plan's other people can still do it. */
async function plansOf(tx: Tx, call: Call, of: Leaver, gone: boolean) {
  const { tenant } = call.user
  const asked = gone ? 'plansgone' : 'plansof'
  const { rows } = await tx.query(
    `patrols.${asked}`,
    row({ id: uuid, bc_id: uuid, power: text, tasks: int4 }),
    `SELECT p.id, p.bc_id, CASE p.kind WHEN 'remote' THEN 'patrol:remote' ELSE 'patrol:do' END AS power,
       (SELECT count(*)::int FROM patrol_tasks t
         WHERE t.tenant_id = $1 AND t.plan_id = p.id AND t.outcome IS NULL AND t.lapses_at > :now
           AND $2 = ANY (t.user_ids)) AS tasks
     FROM patrol_plans p
     WHERE p.tenant_id = $1 AND p.status = ${active} AND $2 = ANY (p.user_ids)
     ORDER BY p.id
     ${gone ? 'FOR UPDATE OF p' : ''}`,
    [tenant, of.id],
  )
  if (!gone) return rows
  const left = []
  for (const plan of rows) {
    const label = plan.power
    const place = { bc_id: plan.bc_id }
    const still = await whoCan(tx, { tenant, among: [of.id], except: [], label, place, receiver: false })
    const own = label === 'patrol:do' && !still.near.length ? await onOwnSites(tx, tenant, of) : false
    if (!still.near.length && !still.wide.length && !own) left.push(plan)
  }
  return left
}
/** Who sees single sites may patrol them, though not the branch. */
async function onOwnSites(tx: Tx, tenant: string, of: Leaver): Promise<boolean> {
  const { rows } = await tx.query(
    'patrols.ownsites',
    row({ n: int4 }),
    `SELECT count(*)::int AS n
     FROM users u
     JOIN user_roles ur ON ur.tenant_id = $1 AND ur.user_id = u.id
     JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id AND r.status = 1 AND r.data_scope = 'ownSites'
     JOIN role_powers p ON p.tenant_id = $1 AND p.role_id = r.id AND p.label = 'patrol:do'
     JOIN sites w ON w.tenant_id = $1 AND u.id IN (w.manager_id, w.steward_id) AND w.status = 1
     WHERE u.tenant_id = $1 AND u.id = $2 AND u.status = 1 AND u.deleted_at IS NULL`,
    [tenant, of.id],
  )
  return rows[0]!.n > 0
}

export const patrolsWork: OpenWork = {
  kind: 'patrols',
  lacks: '没有巡检的权限，或不在这些计划的分公司',
  async open(tx, call, of, gone) {
    const plans = await plansOf(tx, call, of, gone)
    if (plans.length === 0) return undefined
    const tasks = plans.reduce((n, p) => n + p.tasks, 0)
    const lists = []
    for (const key of new Set(plans.map((p) => `${p.bc_id} ${p.power}`))) {
      const [bc = '', power = ''] = key.split(' ')
      const place = { bc_id: bc }
      const able = await whoCan(tx, {
        tenant: call.user.tenant,
        among: null,
        except: [of.id],
        label: power,
        place,
        receiver: false,
      })
      const people = await pickPeople(tx, call.user.scope, { bc })
      lists.push(people.filter((p) => able.near.includes(p.id)))
    }
    const [first = [], ...rest] = lists
    return {
      count: plans.length,
      title: `${plans.length} 个巡检计划（${tasks} 个待巡检）`,
      link: linkTo('PatrolPlan'),
      people: first.filter((p) => rest.every((list) => list.some((o) => o.id === p.id))),
    }
  },
  async hand(tx, call, of, to) {
    const plans = await plansOf(tx, call, of, true)
    for (const { id } of plans) await givePlan(tx, call, id, of, to)
    await notify(tx, {
      tenant: call.user.tenant,
      actor: call.user.id,
      user: to.id,
      title: `${of.nickname}不再负责：${plans.length} 个巡检计划转给您`,
      link: linkTo('PatrolPlan'),
    })
  },
}
