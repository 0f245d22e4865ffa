import { payMethod } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import type { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'
import { statementState } from '@zhuguan/contract/features/statements/statements.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { compare, isZero, minus, negated } from '@zhuguan/contract/kit/money.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import type { Tx } from '../../database/connect.ts'
import { found, invalid, Refused, unlessSeen } from '../../kit/refuse.ts'
import { int4, row, text, uuid } from '../../kit/row.ts'
import { scopedParties } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { nextNumberIn, nextNumbers } from '../numbers/numbers.service.ts'
import { lockStatement, type LockedStatement, WHOLE_GROUP } from './statements.queries.ts'
import { actorOf, nameOf, onStatement, passStatement, tellStatement } from './statements.service.ts'

type Body<K extends keyof typeof statementsApi> = BodyOf<(typeof statementsApi)[K]>

const touch = (tx: Tx, tenant: string, id: string) =>
  tx.run(
    'statements.touch',
    'UPDATE statements s SET version = s.version + 1 WHERE s.tenant_id = $1 AND s.id = $2',
    [tenant, id],
  )
const numberOf = async (tx: Tx, tenant: string, s: LockedStatement): Promise<string> =>
  s.bc === WHOLE_GROUP
    ? (await nextNumbers(tx, { tenant, kind: 'payment', of: { id: tenant, code: '' } }))[0]!
    : nextNumberIn(tx, { tenant, kind: 'payment', bc: s.bc })

/** Money goes to the receiver, or comes from one who owes; no more than is open of what both agreed to. */
export const payStatement = (call: Call, body: Body<'pay'>): Promise<{ id: string; code: string }> =>
  onStatement(call, body, 'pay', async (tx, both, s) => {
    const { id: me, nickname, tenant } = both.user
    const isOwedBack = compare(s.open, '0') < 0
    const open = isOwedBack ? negated(s.open) : s.open
    if (compare(body.amount, open) > 0)
      throw invalid(
        'amount',
        `${isOwedBack ? '对方' : ''}未付只有 ${grouped(open)} 元，不能${isOwedBack ? '收' : '付'}更多`,
      )
    if (body.paidOn > shanghaiDay(both.now())) throw invalid('paidOn', '付款日期不能晚于今天')
    if (body.paidOn < `${s.month}-01`) throw invalid('paidOn', `付款日期不能早于对账的月份（${s.month}）`)
    const id = both.newId()
    const code = await numberOf(tx, tenant, s)
    await tx.run(
      'statements.pay',
      `INSERT INTO owed_payments (tenant_id, id, code, statement_id, bc_id, receiver_id, amount, method, paid_on, payee,
         remark, made_by, made_name, at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, :now)`,
      [
        tenant,
        id,
        code,
        s.id,
        s.bc,
        s.receiver_id,
        isOwedBack ? negated(body.amount) : body.amount,
        body.method,
        body.paidOn,
        body.payee || s.receiverName,
        body.remark,
        me,
        nickname,
      ],
    )
    await touch(tx, tenant, s.id)
    await both.log(tx, {
      action: isOwedBack ? '登记收款' : '登记付款',
      object: 'statement',
      objectId: s.id,
      after: { code: s.code, payment: code, amount: body.amount, method: body.method, remark: body.remark },
    })
    const left = minus(open, body.amount)
    const how = `${grouped(body.amount)} 元（${payMethod.label(body.method)}）`
    const what = `${nameOf(s)} ${isOwedBack ? '下单方登记收到' : '已付'} ${how}`
    if (isZero(left)) await passStatement(tx, both, s, 'paid', `${what}，已付清`)
    else await passStatement(tx, both, s, 'pay', `${what}，还有 ${grouped(left)} 元`)
    tellStatement(tx, both, s)
    return { id, code }
  })

const payment = row({ id: uuid, code: text, statement_id: uuid, amount: text, version: int4, reversed: text })
/** A payment that was registered wrongly is taken back by a note on it; the statement is open for it again. */
export async function reversePayment(tx: Tx, call: Call, body: Body<'reverse'>): Promise<void> {
  const { nickname, scope, tenant } = call.user
  const { where, buyer } = scopedParties(scope, 'y', { site: false })
  where.plain(buyer).add((p) => `y.id = ${p}::uuid`, body.id)
  const find = async (lock: '' | 'FOR UPDATE') => {
    const asked = lock ? 'lockpayment' : 'findpayment'
    const { rows } = await tx.query(
      `statements.${asked}`,
      payment,
      `SELECT y.id, y.code, y.statement_id, y.amount::text AS amount, y.version, y.reversed_name AS reversed
       FROM owed_payments y
       WHERE ${where.text} ${lock}`,
      where.values,
    )
    return found(rows[0])
  }
  // The statement first, as where it is paid.
  const s = found(await lockStatement(tx, scope, (await find('')).statement_id))
  const y = await find('FOR UPDATE')
  if (!hasPermission(actorOf(call.user, s), 'statement:pay')) throw new Refused('您没有“冲销付款”的权限')
  if (y.reversed) throw new Refused(`这笔付款已由 ${y.reversed} 冲销`)
  unlessSeen(y, body.version, '笔付款')
  if (s.state !== statementState.code.agreed) throw new Refused('对账单没有确认，不能冲销')
  await tx.run(
    'statements.reverse',
    `UPDATE owed_payments y
     SET reversed_at = :now, reversed_name = $3, reverse_reason = $4, version = y.version + 1
     WHERE y.tenant_id = $1 AND y.id = $2`,
    [tenant, y.id, nickname, body.reason],
  )
  await touch(tx, tenant, s.id)
  await call.log(tx, {
    action: '冲销付款',
    object: 'statement',
    objectId: s.id,
    after: { code: s.code, payment: y.code, amount: y.amount, reason: body.reason },
  })
  const what = `一笔${y.amount.startsWith('-') ? '收款' : '付款'} ${grouped(y.amount.replace('-', ''))} 元`
  const said = `${nameOf(s)} 的${what}已冲销：${body.reason}`
  await passStatement(tx, call, s, 'reverse', said)
  tellStatement(tx, call, s)
}
