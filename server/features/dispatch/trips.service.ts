import { dispatchState } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import type { tripsApi } from '@zhuguan/contract/features/dispatch/trips.api.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import type { AtParties } from '../../kit/parties.ts'
import { checkDay } from '../../kit/planned-day.ts'
import { found, overtaken, refuse, Refused } from '../../kit/refuse.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { whole } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { nextNumbers } from '../numbers/numbers.service.ts'
import { lockWithOrder, passNote, tellNote } from './dispatch.service.ts'

/** A trip of a receiver in reach: a driver and a day; notes join it as its stops. */
export async function addTrip(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof tripsApi)['add']>,
): Promise<{ id: string; code: string }> {
  const { id: me, scope, tenant } = call.user
  if (!whole(scope) && !scope.receivers?.includes(body.receiver_id)) found(undefined)
  const { rows } = await tx.query(
    'dispatch.receiver',
    row({ bc_id: uuid, code: text }),
    `SELECT b.bc_id, b.code
     FROM companies b
     WHERE b.tenant_id = $1 AND b.bc_id = coalesce(
       (SELECT s.bc_id FROM stores s WHERE s.tenant_id = $1 AND s.id = $2), $2)`,
    [tenant, body.receiver_id],
  )
  const of = found(rows[0])
  checkDay(call, 'day', '车次日期', body.day)
  const id = call.newId()
  const code = (await nextNumbers(tx, { tenant, kind: 'trip', of: { id: of.bc_id, code: of.code } }))[0]!
  await tx.run(
    'dispatch.addtrip',
    `INSERT INTO trips (tenant_id, id, code, bc_id, receiver_id, day, driver, driver_phone, plate, made_by, made_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, :now)`,
    [tenant, id, code, of.bc_id, body.receiver_id, body.day, body.driver, body.driverPhone, body.plate, me],
  )
  await call.log(tx, { action: '新建车次', object: 'dispatch', objectId: id, after: { trip: code } })
  return { id, code }
}

/** Goods come on another day: whoever says so gives a reason, and the other side is told. */
export async function replanNote(
  tx: Tx,
  at: AtParties,
  order: string,
  body: BodyOf<(typeof tripsApi)['replan']>,
): Promise<void> {
  const { call } = at
  const { tenant } = call.user
  const { n, o } = await lockWithOrder(tx, tenant, body.id, order)
  if (n.version !== body.version) throw overtaken('张发货单')
  const { shipped, waiting } = dispatchState.code
  refuse(
    n.state === waiting || n.state === shipped
      ? undefined
      : `当前为“${dispatchState.label(n.state)}”，不能改到货日期`,
  )
  checkDay(call, 'plannedOn', '预计到达', body.plannedOn)
  if (body.plannedOn === n.plannedOn) throw new Refused('到货日期没有变')
  await tx.run(
    'dispatch.replan',
    `UPDATE dispatches d SET planned_on = $3, moved_on = $3, version = d.version + 1
     WHERE d.tenant_id = $1 AND d.id = $2`,
    [tenant, n.id, body.plannedOn],
  )
  await tx.run(
    'dispatch.replanleg',
    `UPDATE logistics g SET expected_on = $3, version = g.version + 1
     WHERE g.tenant_id = $1 AND g.note_id = $2 AND g.type IN (1, 2, 3)`,
    [tenant, n.id, body.plannedOn],
  )
  await call.log(tx, {
    action: '改到货日期',
    object: 'dispatch',
    objectId: n.id,
    before: { plannedOn: n.plannedOn },
    after: { code: n.code, order: o.code, plannedOn: body.plannedOn, reason: body.reason },
  })
  tellNote(tx, call, n, `${n.code} 改到 ${body.plannedOn} 到货：${body.reason}`)
  await passNote(tx, call, { n, o }, 'replan', `${n.code} 改到 ${body.plannedOn} 到货：${body.reason}`)
}
