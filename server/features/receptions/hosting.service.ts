import { receptionActions } from '@zhuguan/contract/features/receptions/receptions.actions.ts'
import type { receptionsApi } from '@zhuguan/contract/features/receptions/receptions.api.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { passTurn, whoCan } from '../notifications/turns.service.ts'
import { assignable, pickPeople } from '../users/users.reads.ts'
import { leaderOf, type LockedReception, lockOpen, lockReception } from './receptions.queries.ts'
import { about, noteVisit, visitOf } from './receptions.service.ts'

const RECEIVE = 'reception:edit'

/** Somebody else receives them, or nobody until somebody is named; whoever was to is told too. */
export async function hostedBy(
  tx: Tx,
  call: Call,
  r: LockedReception,
  to: { id: string | null },
  why = '',
): Promise<void> {
  const { id: actor, nickname, tenant } = call.user
  await tx.run(
    'receptions.host',
    `UPDATE receptions r
     SET host_id = $3, changed_by = $4, changed_at = :now, version = r.version + 1
     WHERE r.tenant_id = $1 AND r.id = $2`,
    [tenant, r.id, to.id, nickname],
  )
  await noteVisit(tx, call, r, {
    action: '改接待人',
    before: { host_id: r.host_id },
    after: { host_id: to.id, ...(why ? { text: why } : {}) },
  })
  const what = visitOf(r)
  const said = { ...about(r), tenant, actor }
  const end = why ? `：${why}` : ''
  await passTurn(tx, 'reception', 'host', {
    ...said,
    named: { host: to.id },
    title: to.id ? `${what}请你接待${end}` : `${what}没有人接待，请改接待人${end}`,
  })
  await passTurn(tx, 'reception', 'relieved', {
    ...said,
    named: { relieved: r.host_id },
    title: `${what}不用你接待了${end}`,
  })
}

/** Another host, by whoever may receive there. */
export async function changeHost(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof receptionsApi)['host']>,
): Promise<void> {
  const { scope } = call.user
  const r = found(await lockReception(tx, scope, body.id))
  unlessSeen(r, body.version, '次到访')
  found((await pickPeople(tx, scope, { id: body.host_id }))[0])
  refuse(receptionActions.refusal('host', r, actorAt(call.user, r)))
  if (body.host_id === r.host_id) throw invalid('host_id', '已经由他接待')
  if (!(await assignable(tx, scope, { id: body.host_id, site: r.site_id, power: RECEIVE })))
    throw invalid('host_id', '这个人不能在这个工地接待，请换一位')
  await hostedBy(tx, call, r, { id: body.host_id })
}

/** Whether this person may receive there, whoever asks. */
export async function canReceive(
  tx: Tx,
  tenant: string,
  r: { bc_id: string; site_id: string },
  id: string,
): Promise<boolean> {
  const place = { bc_id: r.bc_id, site_id: r.site_id }
  const { near, wide } = await whoCan(tx, {
    tenant,
    place,
    among: [id],
    except: [],
    label: RECEIVE,
    receiver: false,
  })
  return near.length + wide.length > 0
}

/** A site's people have changed: whoever cannot receive there any more leaves it to its steward, or to nobody. */
export async function rehost(tx: Tx, call: Call, site: string, why: string): Promise<void> {
  const { tenant } = call.user
  const steward = await leaderOf(tx, tenant, site)
  for (const r of await lockOpen(tx, tenant, { site })) {
    if (r.host_id && (await canReceive(tx, tenant, r, r.host_id))) continue
    const next = steward && (await canReceive(tx, tenant, r, steward)) ? steward : null
    if (next !== r.host_id) await hostedBy(tx, call, r, { id: next }, why)
  }
}
