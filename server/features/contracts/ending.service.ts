import type { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { contractState, signingProgress } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { compare, isZero, minus } from '@zhuguan/contract/kit/money.ts'

import type { Tx } from '../../database/connect.ts'
import type { ExamineSource } from '../../kit/examined.ts'
import { hashOf } from '../../kit/hash.ts'
import { found, refuse, Refused } from '../../kit/refuse.ts'
import { int2, int4, row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { TODAY } from '../../kit/statement.ts'
import { askExamine, withdrawExamine } from '../examine/examine.service.ts'
import { closeReduced } from '../goods/goods.service.ts'
import { MOVING_PIECES } from '../pieces/pieces.reads.ts'
import { releaseQuotation } from '../quotations/quotations.service.ts'
import { terminateSite } from '../sites/site-ending.service.ts'
import type { Life } from '../sites/site-life.service.ts'
import { dropDrafts, refuseOpenChange } from './changes.service.ts'
import { lockContract, type LockedContract } from './contracts.queries.ts'
import { lockSeen, tellContract } from './contracts.service.ts'
import { settleFinished } from './final-bill.service.ts'
import { tellOwedBack } from './owed-back.ts'

const { ended, ending, void: voided } = contractState.code
type Reasoned = BodyOf<(typeof contractsApi)['void']>
const WRONGLY = '误签'

/** Events on the site since: with any of it the contract was no slip of the pen. */
async function refuseBegun(tx: Tx, tenant: string, site: string): Promise<void> {
  // Nobody starts it meanwhile.
  const at = await tx.query(
    'contracts.sitestatus',
    row({ status: int2 }),
    'SELECT w.status FROM sites w WHERE w.tenant_id = $1 AND w.id = $2 FOR UPDATE',
    [tenant, site],
  )
  if (at.rows[0]?.status !== siteStatus.code.notStarted)
    refuse('工地已经不是“未开工”，合同不能作废；请终止合同')
  const { rows } = await tx.query(
    'contracts.begun',
    row({ devices: int4, punches: int4, orders: int4 }),
    `SELECT (SELECT count(*)::int FROM devices d
         WHERE d.tenant_id = $1 AND d.site_id = $2 AND d.deleted_at IS NULL) AS devices,
       (SELECT count(*)::int FROM attendance_events a WHERE a.tenant_id = $1 AND a.site_id = $2) AS punches,
       (SELECT count(DISTINCT p.order_id)::int FROM pieces p
         WHERE p.tenant_id = $1 AND p.site_id = $2 AND p.order_id IS NOT NULL) AS orders`,
    [tenant, site],
  )
  const { devices, orders, punches } = rows[0]!
  if (orders > 0) refuse(`工地还有 ${orders} 张订单，先撤回才能作废；已经发货的请终止合同`)
  if (devices > 0) refuse(`工地上还有 ${devices} 台设备，先解绑才能作废；已经施工的请终止合同`)
  if (punches > 0) refuse('工地上已经有人打过卡，不是误签，请终止合同')
}
async function makeVoid(tx: Tx, call: Call, c: LockedContract, reason: string): Promise<void> {
  await tx.run(
    'contracts.void',
    `UPDATE contracts c
     SET state = '${voided}', void_asked = false, void_reason = $3, voided_on = ${TODAY}, version = c.version + 1
     WHERE c.tenant_id = $1 AND c.id = $2`,
    [call.user.tenant, c.id, reason],
  )
  await dropDrafts(tx, call, c, '合同已作废')
  await releaseQuotation(tx, call, c.quotation_id)
  await tellOwedBack(tx, call, c.id)
}
const setAsked = (tx: Tx, call: Call, id: string, asked: boolean, reason: string) =>
  tx.run(
    'contracts.voidasked',
    `UPDATE contracts c SET void_asked = $3, void_reason = $4, version = c.version + 1
     WHERE c.tenant_id = $1 AND c.id = $2`,
    [call.user.tenant, id, asked, reason],
  )

/** What nobody signed is dropped at once; a contract that was signed by mistake waits for the examiner. */
export async function voidContract(tx: Tx, call: Call, body: Reasoned): Promise<void> {
  const { tenant } = call.user
  const c = await lockSeen(tx, call, body, 'void')
  if (c.signingProgress === signingProgress.code.begun) await makeVoid(tx, call, c, body.reason)
  else {
    await refuseBegun(tx, tenant, c.site_id!)
    await refuseOpenChange(tx, tenant, c)
    await setAsked(tx, call, c.id, true, body.reason)
    await askExamine(tx, call, {
      kind: 'void',
      object_id: c.id,
      bc_id: c.bc_id,
      store_id: c.store_id,
      number: c.code,
      summary: `${c.customerName} ${c.ws_name}：${body.reason}`,
      amount: c.total,
      change: isZero(c.paid) ? '' : `已收 ${grouped(c.paid)} 元，作废后要退款或转到正确的合同`,
      hash: hashOf({ id: c.id, total: c.total, reason: body.reason }),
    })
  }
  await call.log(tx, {
    action: c.signingProgress === signingProgress.code.begun ? '作废合同' : '申请作废合同',
    object: 'contract',
    objectId: c.id,
    after: { code: c.code, reason: body.reason },
  })
  tellContract(tx, call, c)
}
export async function keepContract(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof contractsApi)['keep']>,
): Promise<void> {
  const c = await lockSeen(tx, call, body, 'keep')
  await withdrawExamine(tx, call, { kind: 'void', object_id: c.id })
  await setAsked(tx, call, c.id, false, '')
  await call.log(tx, { action: '撤回作废', object: 'contract', objectId: c.id, after: { code: c.code } })
  tellContract(tx, call, c)
}

export const voidSource = (life: Life): ExamineSource => ({
  async hashOf(tx, call, r) {
    const c = found(await lockContract(tx, call.user.scope, r.object_id))
    return hashOf({ id: c.id, total: c.total, reason: await voidReasonOf(tx, call.user.tenant, c.id) })
  },
  async judged(tx, call, r, { approved }) {
    const { tenant } = call.user
    const c = found(await lockContract(tx, call.user.scope, r.object_id))
    if (approved) {
      await refuseBegun(tx, tenant, c.site_id!)
      await makeVoid(tx, call, c, await voidReasonOf(tx, tenant, c.id))
      await terminateSite(tx, call, life, { id: c.site_id!, reason: WRONGLY })
    } else await setAsked(tx, call, c.id, false, '')
    tellContract(tx, call, c, approved ? `合同 ${c.code} 作废：${WRONGLY}` : undefined)
  },
})
async function voidReasonOf(tx: Tx, tenant: string, id: string): Promise<string> {
  const { rows } = await tx.query(
    'contracts.voidreason',
    row({ reason: text }),
    'SELECT c.void_reason AS reason FROM contracts c WHERE c.tenant_id = $1 AND c.id = $2',
    [tenant, id],
  )
  return rows[0]!.reason
}

/** It ends together with its site; what is open then is listed, and closed one by one. */
export async function terminateContract(
  tx: Tx,
  call: Call,
  life: Life,
  body: BodyOf<(typeof contractsApi)['terminate']>,
): Promise<void> {
  const { nickname, tenant } = call.user
  const c = await lockSeen(tx, call, body, 'terminate')
  await refuseOpenChange(tx, tenant, c)
  if (compare(body.value, c.total) > 0) refuse(`结算金额不能超过合同额 ${grouped(c.total)} 元`)
  await tx.run(
    'contracts.end',
    `UPDATE contracts c
     SET state = '${ending}', end_reason = $3, end_value = $4, end_by = $5, end_at = :now, version = c.version + 1
     WHERE c.tenant_id = $1 AND c.id = $2`,
    [tenant, c.id, body.reason, body.value, nickname],
  )
  await dropDrafts(tx, call, c, '合同已终止')
  await terminateSite(tx, call, life, { id: c.site_id!, reason: body.reason })
  await closeReduced(tx, tenant, c.id)
  await tellOwedBack(tx, call, c.id)
  await call.log(tx, {
    action: '终止合同',
    object: 'contract',
    objectId: c.id,
    before: { state: c.state },
    after: { code: c.code, state: ending, value: body.value, reason: body.reason },
  })
  tellContract(tx, call, c, `终止合同 ${c.code}`)
}

/** Closed when nothing is open: the money is even, the devices are back. */
export async function closeContract(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof contractsApi)['close']>,
): Promise<void> {
  const { tenant } = call.user
  const c = await lockSeen(tx, call, body, 'close')
  if (c.state === contractState.code.finishing) return settleFinished(tx, call, c)
  const { rows } = await tx.query(
    'contracts.open',
    row({ id: uuid, value: text, devices: int4, pieces: int4 }),
    `SELECT c.id, c.end_value::text AS value, (SELECT count(*)::int FROM retrievals v
         WHERE v.tenant_id = $1 AND v.site_id = c.site_id AND v.closed_at IS NULL) AS devices,
       ${MOVING_PIECES} AS pieces
     FROM contracts c
     WHERE c.tenant_id = $1 AND c.id = $2`,
    [tenant, c.id],
  )
  const { devices, pieces, value } = rows[0]!
  const balance = minus(value, c.paid)
  if (compare(balance, '0') > 0) throw new Refused(`客户还欠 ${grouped(balance)} 元，收齐才能结清`)
  if (!isZero(balance)) throw new Refused(`还要退给客户 ${grouped(minus('0', balance))} 元，退完才能结清`)
  if (devices > 0) throw new Refused(`还有 ${devices} 台设备没有收回，收回才能结清`)
  if (pieces > 0) throw new Refused(`还有 ${pieces} 项商品在途、待验收或待退货，处理完才能结清`)
  await tx.run(
    'contracts.close',
    `UPDATE contracts c SET state = '${ended}', closed_at = :now, version = c.version + 1
     WHERE c.tenant_id = $1 AND c.id = $2`,
    [tenant, c.id],
  )
  await call.log(tx, {
    action: '结清合同',
    object: 'contract',
    objectId: c.id,
    before: { state: ending },
    after: { code: c.code, state: ended, value },
  })
  tellContract(tx, call, c, `合同 ${c.code} 结清`)
}
