import type { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { compare, isZero, minus } from '@zhuguan/contract/kit/money.ts'

import type { Tx } from '../../database/connect.ts'
import { invalid, refuse, Refused } from '../../kit/refuse.ts'
import { row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { passBill } from './bill-turns.ts'
import { dropDrafts, refuseOpenChange } from './changes.service.ts'
import type { LockedContract } from './contracts.queries.ts'
import { keepFiles, lockSeen, planOf, tellContract, writePlan } from './contracts.service.ts'

const { finishing, settled } = contractState.code

/** Warranty money is taken out of the last shares and becomes the last instalment, due on its own day. */
async function holdBack(tx: Tx, call: Call, c: LockedContract, amount: string, day: string): Promise<void> {
  const { tenant } = call.user
  await tx.run(
    'contracts.carve',
    `UPDATE contract_instalments i
     SET amount = i.amount - greatest(0, least(i.amount, $3 - s.later))
     FROM (SELECT k.id, coalesce(sum(k.amount) OVER (ORDER BY k.sort DESC ROWS BETWEEN UNBOUNDED PRECEDING
           AND 1 PRECEDING), 0) AS later
       FROM contract_instalments k
       WHERE k.tenant_id = $1 AND k.contract_id = $2 AND k.percent IS NOT NULL) s
     WHERE i.tenant_id = $1 AND i.id = s.id`,
    [tenant, c.id, amount],
  )
  await tx.run(
    'contracts.warranty',
    `INSERT INTO contract_instalments (tenant_id, id, contract_id, sort, name, warranty, amount, due_on)
     VALUES ($1, $2, $3, 1000, '质保金', true, $4, $5)`,
    [tenant, call.newId(), c.id, amount, day],
  )
}

/** Written as often as it takes, until both have signed it. */
export async function billContract(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof contractsApi)['bill']>,
): Promise<void> {
  const { nickname, tenant } = call.user
  const c = await lockSeen(tx, call, body, 'bill')
  await refuseOpenChange(tx, tenant, c)
  const { remark, warranty } = body
  const holds = !isZero(warranty)
  const day = holds ? body.warrantyOn : null
  const left = minus(c.total, c.paid)
  if (holds && compare(warranty, left) > 0)
    throw invalid(
      'warranty',
      `客户没付的只有 ${grouped(compare(left, '0') > 0 ? left : '0')} 元，质保金不能超过它`,
    )
  if (holds && compare(warranty, c.base) > 0)
    throw invalid('warranty', `质保金不能超过签约金额 ${grouped(c.base)} 元`)
  if (holds && day === null) throw invalid('warrantyOn', '请填写质保金到期日')
  if (day !== null && day <= shanghaiDay(call.now())) throw invalid('warrantyOn', '质保金到期日应晚于今天')
  await writePlan(tx, call, c, await planOf(tx, tenant, c.id))
  if (day !== null) await holdBack(tx, call, c, warranty, day)
  await tx.run(
    'contracts.bill',
    `UPDATE contracts c
     SET warranty = $3, warranty_on = $4, bill_remark = $5, billed_at = :now, billed_by = $6, version = c.version + 1
     WHERE c.tenant_id = $1 AND c.id = $2`,
    [tenant, c.id, holds ? warranty : '0', day, remark, nickname],
  )
  await call.log(tx, {
    action: '竣工结算',
    object: 'contract',
    objectId: c.id,
    after: {
      code: c.code,
      total: c.total,
      warranty,
      ...(day === null ? {} : { warrantyOn: day }),
      balance: left,
    },
  })
  await passBill(tx, call, c, 'bill')
  tellContract(tx, call, c, `合同 ${c.code} 竣工结算`)
}

/** Both signatures, on paper: nothing of the contract is changed any more. */
export async function signBill(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof contractsApi)['signBill']>,
): Promise<void> {
  const c = await lockSeen(tx, call, body, 'signBill', body.files)
  await refuseOpenChange(tx, call.user.tenant, c)
  await refuseOpenReturn(tx, call.user.tenant, c)
  const { ours, signedOn, signer } = body
  if (signedOn > shanghaiDay(call.now())) throw invalid('signedOn', '签字日期不能晚于今天')
  const billed = await billedOn(tx, call.user.tenant, c.id)
  if (signedOn < billed) throw invalid('signedOn', `签字日期不能早于结算的日期 ${billed}`)
  await tx.run(
    'contracts.signbill',
    `UPDATE contracts c SET bill_signer = $3, bill_ours = $4, bill_signed_on = $5, version = c.version + 1
     WHERE c.tenant_id = $1 AND c.id = $2`,
    [call.user.tenant, c.id, signer, ours, signedOn],
  )
  await keepFiles(tx, call, c, 'final', body.files)
  await dropDrafts(tx, call, c, '竣工结算单已签字')
  await call.log(tx, {
    action: '竣工结算签字',
    object: 'contract',
    objectId: c.id,
    after: { code: c.code, signer, ours, signedOn },
  })
  tellContract(tx, call, c, `合同 ${c.code} 竣工结算单双方签字`)
}
async function billedOn(tx: Tx, tenant: string, id: string): Promise<string> {
  const { rows } = await tx.query(
    'contracts.billedon',
    row({ day: text }),
    `SELECT (c.billed_at AT TIME ZONE 'Asia/Shanghai')::date::text AS day
     FROM contracts c
     WHERE c.tenant_id = $1 AND c.id = $2`,
    [tenant, id],
  )
  return rows[0]!.day
}

/** What goes back and is to be reduced is on the bill before anybody signs it. */
async function refuseOpenReturn(tx: Tx, tenant: string, c: LockedContract): Promise<void> {
  const { rows } = await tx.query(
    'contracts.openreturn',
    row({ code: text }),
    `SELECT g.code
     FROM goods_changes g
     JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
     WHERE g.tenant_id = $1 AND o.contract_id = $2 AND g.state = 'open' AND g.outcome = 'reduce'
     ORDER BY g.code
     LIMIT 1`,
    [tenant, c.id],
  )
  refuse(rows[0] && `退货 ${rows[0].code} 还没有办完减项，办完再结算`)
}

/** Closed when nothing is owed either way but the warranty money, which is taken on its day. */
export async function settleFinished(tx: Tx, call: Call, c: LockedContract): Promise<void> {
  const { tenant } = call.user
  await refuseOpenChange(tx, tenant, c)
  await refuseOpenReturn(tx, tenant, c)
  const { rows } = await tx.query(
    'contracts.unpaid',
    row({ unpaid: text }),
    `SELECT (c.total - c.warranty - c.paid)::text AS unpaid FROM contracts c WHERE c.tenant_id = $1 AND c.id = $2`,
    [tenant, c.id],
  )
  const { unpaid } = rows[0]!
  if (compare(unpaid, '0') > 0) throw new Refused(`客户还欠 ${grouped(unpaid)} 元，收齐才能结清`)
  if (!isZero(c.back)) throw new Refused(`还要退给客户 ${grouped(c.back)} 元，退完才能结清`)
  await tx.run(
    'contracts.settle',
    `UPDATE contracts c SET state = '${settled}', closed_at = :now, version = c.version + 1
     WHERE c.tenant_id = $1 AND c.id = $2`,
    [tenant, c.id],
  )
  await call.log(tx, {
    action: '结清合同',
    object: 'contract',
    objectId: c.id,
    before: { state: finishing },
    after: { code: c.code, state: settled, total: c.total },
  })
  tellContract(tx, call, c, `合同 ${c.code} 结清`)
}
