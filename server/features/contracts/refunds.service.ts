import { refundActions } from '@zhuguan/contract/features/contracts/contracts.actions.ts'
import type { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import {
  contractState,
  payMethod,
  refundKind,
  refundStatus,
  signingProgress,
} from '@zhuguan/contract/features/contracts/contracts.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { compare, isZero, minus } from '@zhuguan/contract/kit/money.ts'

import type { Tx } from '../../database/connect.ts'
import type { Examined, ExamineSource } from '../../kit/examined.ts'
import { hashOf } from '../../kit/hash.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, outside, refuse, unlessSeen } from '../../kit/refuse.ts'
import { int2, int4, row, type RowOf, text, there, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { TODAY } from '../../kit/statement.ts'
import { askExamine, withdrawExamine } from '../examine/examine.service.ts'
import { lockContract, type LockedContract } from './contracts.queries.ts'
import { keepFiles, lockSeen, numberOf, tellContract } from './contracts.service.ts'
import { settlePaid } from './owed-back.ts'
import { insertReceipt, refuseTooMuch } from './receipts.service.ts'

const { begun, deposit, signed } = signingProgress.code
const { approved, rejected, withdrawn } = refundStatus.code

type Refund = BodyOf<(typeof contractsApi)['refund']>
/** A deposit goes back whole, with what is kept of it said and proved; else no more than is there. */
function checkRefund(c: LockedContract, body: Refund): void {
  if (compare(body.amount, c.paid) > 0) throw invalid('amount', `已收 ${grouped(c.paid)} 元，不能退更多`)
  if (c.signingProgress === signed) {
    if (!isZero(body.kept)) throw invalid('kept', '只有退定可以留用')
    return
  }
  if (body.to_id !== null) throw invalid('to_id', '定金不能转到别的合同，请先退定')
  if (compare(body.amount, c.paid) < 0)
    throw invalid('amount', `退定要退全部已收 ${grouped(c.paid)} 元，不退的部分写在留用金额里`)
  if (compare(body.kept, body.amount) > 0) throw invalid('kept', '留用金额不能超过已收')
  if (isZero(body.kept)) return
  if (body.keptReason.length < 2) throw invalid('keptReason', '留用要写明原因（至少 2 个字）')
  if (body.proof === null) throw invalid('proof', '留用要上传客户签字的凭证')
}
/** The contract that money may be moved to: a live one in reach. */
async function targetOf(tx: Tx, call: Call, c: LockedContract, to: string): Promise<LockedContract> {
  if (to === c.id) throw invalid('to_id', '不能转到同一份合同')
  const target = found(await lockContract(tx, call.user.scope, to))
  if (target.bc_id !== c.bc_id) throw outside()
  refuse(
    target.state === contractState.code.live
      ? undefined
      : `合同 ${target.code} ${contractState.label(target.state)}，不能转入`,
  )
  return target
}

/** Asked for by the cashier; the examiner's word pays it. */
export async function askRefund(tx: Tx, call: Call, body: Refund): Promise<{ id: string; code: string }> {
  const { id: me, nickname, tenant } = call.user
  const c = await lockSeen(
    tx,
    call,
    body,
    (one) => (one.signingProgress === signed ? 'refund' : 'giveBack'),
    body.proof ? [body.proof] : [],
  )
  checkRefund(c, body)
  const { ending } = contractState.code
  if (c.state === ending && compare(minus(c.paid, body.amount), c.endValue ?? '0') < 0)
    refuse(`结算金额 ${grouped(c.endValue ?? '0')} 元、已收 ${grouped(c.paid)} 元，退款不能超过两者的差`)
  const target = body.to_id === null ? null : await targetOf(tx, call, c, body.to_id)
  if (target) await refuseTooMuch(tx, tenant, target, body.amount)
  const id = call.newId()
  const code = await numberOf(tx, call, 'refund', c.bc_id)
  const signedKind = target ? 'moved' : 'refund'
  const kind = refundKind.code[c.signingProgress === signed ? signedKind : 'deposit']
  const { amount, kept, keptReason, method, payee, reason } = body
  await tx.run(
    'contracts.refund',
    `INSERT INTO contract_refunds (tenant_id, id, contract_id, code, kind, amount, kept, kept_reason, method, payee,
       reason, to_id, user_id, user_name, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, :now)`,
    [tenant, id, c.id, code, kind, amount, kept, keptReason, method, payee, reason, body.to_id, me, nickname],
  )
  if (body.proof) await keepFiles(tx, call, c, 'kept', [body.proof])
  await settlePaid(tx, call, c.id)
  const told = target ? `转入 ${target.code}` : `退给 ${payee}`
  await askExamine(tx, call, {
    kind: 'refund',
    object_id: id,
    of_id: c.id,
    bc_id: c.bc_id,
    store_id: c.store_id,
    number: code,
    summary: `${c.code} ${c.customerName}：${refundKind.label(kind)}，${told}。${reason}`,
    amount: minus(amount, kept),
    change: isZero(kept) ? '' : `留用 ${grouped(kept)} 元：${keptReason}`,
    hash: hashOf(await lockRefund(tx, tenant, id)),
  })
  await call.log(tx, {
    action: `申请${refundKind.label(kind)}`,
    object: 'contract',
    objectId: c.id,
    after: {
      code: c.code,
      refund: code,
      amount,
      kept,
      method,
      payee,
      reason,
      ...(target ? { to: target.code } : {}),
    },
  })
  tellContract(tx, call, c)
  return { id, code }
}

const refundRow = row({
  id: uuid,
  contract_id: uuid,
  code: text,
  kind: text.of(refundKind),
  amount: text,
  kept: text,
  keptReason: text,
  method: text.of(payMethod),
  payee: text,
  reason: text,
  to_id: uuid.null,
  by_id: uuid,
  by: text,
})
const standing = row({ status: int2.of(refundStatus), version: int4 })
type RefundRow = RowOf<typeof refundRow>
/** What a refund says: never changed once it is written. */
async function lockRefund(tx: Tx, tenant: string, id: string): Promise<RefundRow> {
  const { rows } = await tx.query(
    'contracts.lockrefund',
    refundRow,
    `SELECT f.id, f.contract_id, f.code, f.kind, f.amount::text AS amount, f.kept::text AS kept,
       f.kept_reason AS "keptReason", f.method, f.payee, f.reason, f.to_id, f.user_id AS by_id, f.user_name AS by
     FROM contract_refunds f
     WHERE f.tenant_id = $1 AND f.id = $2
     FOR UPDATE`,
    [tenant, id],
  )
  return found(rows[0])
}
async function standingOf(tx: Tx, tenant: string, id: string): Promise<RowOf<typeof standing>> {
  const { rows } = await tx.query(
    'contracts.refundat',
    standing,
    'SELECT f.status, f.version FROM contract_refunds f WHERE f.tenant_id = $1 AND f.id = $2',
    [tenant, id],
  )
  return found(rows[0])
}
const setRefund = (tx: Tx, tenant: string, id: string, status: number, judged = '') =>
  tx.run(
    'contracts.refunded',
    `UPDATE contract_refunds f
     SET status = $3, judged = $4, version = f.version + 1,
       paid_on = CASE WHEN $3::smallint = ${approved} THEN ${TODAY} END
     WHERE f.tenant_id = $1 AND f.id = $2`,
    [tenant, id, status, judged],
  )
/** A refund of a contract in reach, both locked, the contract first. */
async function refundIn(tx: Tx, call: Call, id: string): Promise<{ c: LockedContract; refund: RefundRow }> {
  const { scope, tenant } = call.user
  const { rows } = await tx.query(
    'contracts.ofrefund',
    row({ contract_id: uuid }),
    'SELECT f.contract_id FROM contract_refunds f WHERE f.tenant_id = $1 AND f.id = $2',
    [tenant, id],
  )
  const c = found(await lockContract(tx, scope, found(rows[0]).contract_id))
  return { c, refund: await lockRefund(tx, tenant, id) }
}

export async function withdrawRefund(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof contractsApi)['withdrawRefund']>,
): Promise<void> {
  const { tenant } = call.user
  const { c, refund } = await refundIn(tx, call, body.id)
  const at = await standingOf(tx, tenant, body.id)
  unlessSeen(at, body.version, '张退款单')
  refuse(refundActions.refusal('withdraw', { ...refund, ...at }, actorAt(call.user, c)))
  await withdrawExamine(tx, call, { kind: 'refund', object_id: body.id })
  await setRefund(tx, tenant, body.id, withdrawn)
  await settlePaid(tx, call, c.id)
  await call.log(tx, {
    action: '撤回退款',
    object: 'contract',
    objectId: c.id,
    after: { code: c.code, refund: refund.code },
  })
  tellContract(tx, call, c)
}

/** What an approved refund does: the money leaves, what is kept of it or moved gets a receipt of its own. */
async function payOut(tx: Tx, call: Call, c: LockedContract, refund: RefundRow): Promise<void> {
  const { tenant } = call.user
  const today = shanghaiDay(call.now())
  const { kept, keptReason, payee, method, to_id } = refund
  const paper = {
    method,
    payer: payee,
    paidOn: today,
    refund: refund.id,
    user: { id: refund.by_id, nickname: refund.by },
  }
  if (!isZero(kept))
    await insertReceipt(tx, call, {
      ...paper,
      contract: c.id,
      code: await numberOf(tx, call, 'receipt', c.bc_id),
      kind: 'kept',
      amount: kept,
      remark: `${refund.code} 留用：${keptReason}`,
    })
  if (to_id !== null) {
    const target = found(await lockContract(tx, call.user.scope, to_id))
    await refuseTooMuch(tx, tenant, target, refund.amount)
    await insertReceipt(tx, call, {
      ...paper,
      contract: target.id,
      code: await numberOf(tx, call, 'receipt', target.bc_id),
      kind: 'moved',
      amount: refund.amount,
      remark: `从 ${c.code} 转入（${refund.code}）`,
    })
    await settlePaid(tx, call, target.id)
    if (target.signingProgress === begun)
      await tx.run(
        'contracts.moveddeposit',
        `UPDATE contracts c SET signing_progress = ${deposit} WHERE c.tenant_id = $1 AND c.id = $2`,
        [tenant, target.id],
      )
    tellContract(tx, call, target, `从 ${c.code} 转入收款`)
  }
  if (refund.kind === refundKind.code.deposit)
    await tx.run(
      'contracts.returned',
      `UPDATE contracts c SET signing_progress = ${begun}, deposit_version = NULL
       WHERE c.tenant_id = $1 AND c.id = $2`,
      [tenant, c.id],
    )
}

export const refundSource: ExamineSource = {
  async hashOf(tx, call, r) {
    return hashOf((await refundIn(tx, call, r.object_id)).refund)
  },
  /** Who took money of this contract does not say that it goes back. */
  async unless(tx: Tx, call: Call, r: Examined) {
    const { rows } = await tx.query(
      'contracts.tookmoney',
      there,
      `SELECT 1
       FROM contract_refunds f
       JOIN contract_receipts r ON r.tenant_id = $1 AND r.contract_id = f.contract_id AND r.user_id = $3
       WHERE f.tenant_id = $1 AND f.id = $2
       LIMIT 1`,
      [call.user.tenant, r.object_id, call.user.id],
    )
    return rows.length ? '您给这份合同收过款，不能审核它的退款' : undefined
  },
  async judged(tx, call, r, { approved: isApproved, reason }) {
    const { nickname, tenant } = call.user
    const { c, refund } = await refundIn(tx, call, r.object_id)
    await setRefund(
      tx,
      tenant,
      refund.id,
      isApproved ? approved : rejected,
      [nickname, reason].filter(Boolean).join('：'),
    )
    if (isApproved) {
      if (compare(refund.amount, c.paid) > 0) refuse(`已收只有 ${grouped(c.paid)} 元，不能退更多`)
      await payOut(tx, call, c, refund)
    }
    await settlePaid(tx, call, c.id)
    tellContract(tx, call, c, isApproved ? `${refundKind.label(refund.kind)} ${refund.code}` : undefined)
  },
}
