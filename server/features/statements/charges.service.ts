import type { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'
import {
  chargeKind,
  chargeSide,
  chargeState,
  statementState,
} from '@zhuguan/contract/features/statements/statements.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import type { Tx } from '../../database/connect.ts'
import type { ExamineSource } from '../../kit/examined.ts'
import { hashOf } from '../../kit/hash.ts'
import { found, invalid, outside, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import { row, text } from '../../kit/row.ts'
import { hasBranch } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { askExamine, withdrawExamine } from '../examine/examine.service.ts'
import { nextNumberIn } from '../numbers/numbers.service.ts'
import { tellByHand } from './owed.service.ts'
import { lockCharge, type LockedCharge, WHOLE_GROUP } from './statements.queries.ts'
import { actorOf, tellStatement } from './statements.service.ts'

type Body<K extends keyof typeof statementsApi> = BodyOf<(typeof statementsApi)[K]>
const { approved, rejected, waiting, withdrawn } = chargeState.code
const contentOf = (c: Pick<LockedCharge, 'id' | 'kind' | 'side' | 'amount' | 'reason' | 'receiver_id'>) =>
  hashOf([c.id, c.kind, c.side, c.amount, c.reason, c.receiver_id])
const setState = (tx: Tx, tenant: string, id: string, state: string) =>
  tx.run(
    'statements.setcharge',
    'UPDATE owed_charges c SET state = $3, version = c.version + 1 WHERE c.tenant_id = $1 AND c.id = $2',
    [tenant, id, state],
  )

/** Why nothing more can be written of a month: its statement, or a later one, is with the receiver or agreed to. */
async function frozen(
  tx: Tx,
  tenant: string,
  of: { receiver_id: string; bc_id: string; month: string },
): Promise<string | undefined> {
  const { rows } = await tx.query(
    'statements.frozen',
    row({ code: text, month: text, state: text.of(statementState) }),
    `SELECT s.code, to_char(s.month, 'YYYY-MM') AS month, s.state FROM statements s
     WHERE s.tenant_id = $1 AND s.receiver_id = $2 AND s.bc_id IN ($3, '${WHOLE_GROUP}') AND s.month >= $4::date
       AND s.state IN ('${statementState.code.sent}', '${statementState.code.agreed}')
     ORDER BY s.month
     LIMIT 1`,
    [tenant, of.receiver_id, of.bc_id, `${of.month}-01`],
  )
  const [s] = rows
  return s && `${s.month} 的对账单 ${s.code} ${statementState.label(s.state)}，请记入后面的月份`
}

/** A line by hand is asked for; it is owed once an examiner has approved it. */
export async function addCharge(
  tx: Tx,
  call: Call,
  body: Body<'charge'>,
): Promise<{ id: string; code: string }> {
  const { id: me, nickname, scope, tenant } = call.user
  if (!hasBranch(scope, body.bc_id)) throw outside()
  const { rows } = await tx.query(
    'statements.receiver',
    row({ name: text.null }),
    `SELECT max(o.receiver_name) AS name FROM orders o
     WHERE o.tenant_id = $1 AND o.receiver_id = $2 AND o.bc_id = $3`,
    [tenant, body.receiver_id, body.bc_id],
  )
  // Who never received an order of this branch is owed nothing by it; whether they exist is nobody's to learn here.
  const name = found(rows[0]?.name)
  if (!hasPermission(actorOf(call.user, { bc: body.bc_id, receiver_id: body.receiver_id }), 'statement:edit'))
    throw new Refused('您没有“加手工行”的权限')
  if (body.kind === chargeKind.code.fine && body.side !== chargeSide.code.take)
    throw invalid('side', '罚款只能从应付中扣除')
  const now = shanghaiDay(call.now()).slice(0, 7)
  if (body.month > now) throw invalid('month', '这个月还没有到')
  refuse(await frozen(tx, tenant, body))
  const id = call.newId()
  const code = await nextNumberIn(tx, { tenant, kind: 'charge', bc: body.bc_id })
  await tx.run(
    'statements.addcharge',
    `INSERT INTO owed_charges (tenant_id, id, code, bc_id, receiver_id, receiver_name, kind, side, amount, reason,
       month, made_by, made_name, made_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, :now)`,
    [
      tenant,
      id,
      code,
      body.bc_id,
      body.receiver_id,
      name,
      body.kind,
      body.side,
      body.amount,
      body.reason,
      `${body.month}-01`,
      me,
      nickname,
    ],
  )
  const c = found(await lockCharge(tx, scope, id))
  const sign = c.side === chargeSide.code.take ? '−' : '+'
  await askExamine(tx, call, {
    kind: 'charge',
    object_id: id,
    of_id: id,
    bc_id: c.bc_id,
    store_id: null,
    number: code,
    summary: `${name}：${chargeKind.label(c.kind)} ${sign}${grouped(c.amount)} 元，${c.reason}`,
    amount: c.side === chargeSide.code.take ? `-${c.amount}` : c.amount,
    hash: contentOf(c),
  })
  await call.log(tx, {
    action: '加手工行',
    object: 'statement',
    objectId: id,
    after: { code, receiver: name, kind: c.kind, side: c.side, amount: c.amount, reason: c.reason },
  })
  return { id, code }
}

export async function withdrawCharge(tx: Tx, call: Call, body: Body<'withdrawCharge'>): Promise<void> {
  const { scope, tenant } = call.user
  const c = found(await lockCharge(tx, scope, body.id))
  if (c.state !== waiting) throw new Refused(`手工行 ${c.code} ${chargeState.label(c.state)}，不能撤回`)
  unlessSeen(c, body.version, '条手工行')
  await withdrawExamine(tx, call, { kind: 'charge', object_id: c.id })
  await setState(tx, tenant, c.id, withdrawn)
  await call.log(tx, {
    action: '撤回手工行',
    object: 'statement',
    objectId: c.id,
    after: { code: c.code, receiver: c.receiverName, amount: c.amount, reason: body.reason },
  })
}

export const chargeSource: ExamineSource = {
  hashOf: async (tx, call, r) => contentOf(found(await lockCharge(tx, call.user.scope, r.object_id))),
  async judged(tx, call, r, { approved: isApproved }) {
    const c = found(await lockCharge(tx, call.user.scope, r.object_id))
    await setState(tx, call.user.tenant, c.id, isApproved ? approved : rejected)
    if (isApproved)
      await tellByHand(tx, call, {
        bc_id: c.bc_id,
        receiver_id: c.receiver_id,
        charge_id: c.id,
        kind: c.kind,
        amount: c.side === chargeSide.code.take ? `-${c.amount}` : c.amount,
        words: `${c.code} ${c.reason}`,
        // What was agreed to meanwhile is closed: it is a line of the running month.
        ...((await frozen(tx, call.user.tenant, c)) ? {} : { month: c.month }),
      })
    tellStatement(tx, call, { id: c.id, bc: c.bc_id, receiver_id: c.receiver_id })
  },
}
