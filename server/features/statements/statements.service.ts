import { statementActions } from '@zhuguan/contract/features/statements/statements.actions.ts'
import type { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'
import { statementState } from '@zhuguan/contract/features/statements/statements.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import type { TURNS } from '@zhuguan/contract/turns.ts'

import type { Tx } from '../../database/connect.ts'
import { LOCKS } from '../../database/locks.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, outside, overtaken, refuse, Refused } from '../../kit/refuse.ts'
import { row, text } from '../../kit/row.ts'
import { hasBranch, whole } from '../../kit/scoped.ts'
import type { Call, SessionUser } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { tell } from '../live/live.service.ts'
import type { Cause } from '../notifications/notifications.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { nextNumberIn, nextNumbers } from '../numbers/numbers.service.ts'
import { lastActor } from '../userlogs/userlogs.reads.ts'
import {
  letGo,
  type LockedStatement,
  lockStatement,
  statementDetail,
  takeUp,
  WHOLE_GROUP,
} from './statements.queries.ts'

type Body<K extends keyof typeof statementsApi> = BodyOf<(typeof statementsApi)[K]>
type Command = Parameters<typeof statementActions.refusal>[0]
const { draft, dropped, disputed, agreed, sent } = statementState.code
const causeOf = (id: string): Cause => ({ kind: 'statement', id })
export const linkOf = (id: string) => linkTo('StatementList', { id })
export const branchOf = (bc: string): string | null => (bc === WHOLE_GROUP ? null : bc)
export const nameOf = (s: { receiverName: string; bc_name: string; month: string }): string =>
  `${s.receiverName} ${s.month} 对账单（${s.bc_name}）`

/** The person as this statement sees them. */
export const actorOf = (user: SessionUser, s: { bc: string; receiver_id: string }) =>
  actorAt(user, { bc_id: branchOf(s.bc), receiver_id: s.receiver_id })
/** The same call where both parties of a statement stand. */
const onBoth = (call: Call, s: { bc: string; receiver_id: string }): Call =>
  call.within({
    tenant: call.user.tenant,
    user: call.user.id,
    bcs: s.bc === WHOLE_GROUP ? null : [s.bc],
    sites: null,
    receivers: [s.receiver_id],
  })

/** Works on a statement of which this version was seen, in the reach of both its parties. */
export async function onStatement<T>(
  call: Call,
  body: { id: string; version: number },
  action: Command,
  work: (tx: Tx, both: Call, s: LockedStatement) => Promise<T>,
): Promise<T> {
  const of = found(await call.read((tx) => lockedOf(tx, call, body.id)))
  const both = onBoth(call, of)
  return both.write(async (tx) => {
    const now = found(await lockStatement(tx, both.user.scope, body.id))
    const s = { ...now, buyer: of.buyer, receiver: of.receiver }
    if (s.version !== body.version)
      throw overtaken('张对账单', await lastActor(tx, call.user.tenant, 'statement', s.id))
    refuse(statementActions.refusal(action, s, actorOf(call.user, s)))
    return work(tx, both, s)
  })
}
/** The part of it that the caller may see, and as which of the two parties. */
async function lockedOf(tx: Tx, call: Call, id: string) {
  const s = await statementDetail(tx, call.user.scope, id)
  return s && { ...s, bc: s.bc_id || WHOLE_GROUP }
}

export function tellStatement(tx: Tx, call: Call, s: { bc: string; receiver_id: string; id: string }): void {
  tell(tx, call, {
    topic: 'statement',
    bc: branchOf(s.bc),
    site: null,
    receiver: s.receiver_id,
    id: s.id,
  })
}
type Change = keyof typeof TURNS.statement.on
/** Whose turn it is hears it; what was said of it before is over. */
export const passStatement = (
  tx: Tx,
  call: Call,
  s: LockedStatement,
  change: Change,
  title = '',
): Promise<string[]> =>
  passTurn(tx, 'statement', change, {
    tenant: call.user.tenant,
    place: { bc_id: branchOf(s.bc), receiver_id: s.receiver_id },
    actor: call.user.id,
    title,
    link: linkOf(s.id),
    cause: causeOf(s.id),
  })
const setState = (
  tx: Tx,
  tenant: string,
  id: string,
  state: string,
  { reason = '', round = 0 }: { reason?: string; round?: number } = {},
) =>
  tx.run(
    'statements.set',
    `UPDATE statements s SET state = $3, reason = $4, round = s.round + $5, version = s.version + 1
     WHERE s.tenant_id = $1 AND s.id = $2`,
    [tenant, id, state, reason, round],
  )

/** The parties: the branch's own statements, or the group's for who reaches all of it. */
async function partiesOf(tx: Tx, call: Call, body: Body<'add'>) {
  const { scope, tenant } = call.user
  if (body.bc_id === null ? !whole(scope) : !hasBranch(scope, body.bc_id)) throw outside()
  const { rows } = await tx.query(
    'statements.parties',
    row({ name: text.null, bc_name: text.null }),
    `SELECT (SELECT max(o.receiver_name) FROM orders o WHERE o.tenant_id = $1 AND o.receiver_id = $2) AS name,
       (SELECT b.bc_name FROM companies b WHERE b.tenant_id = $1 AND b.bc_id = $3) AS bc_name`,
    [tenant, body.receiver_id, body.bc_id],
  )
  const { name, bc_name } = rows[0]!
  return { name: found(name), bc_name: body.bc_id === null ? '全集团' : found(bc_name) }
}
/** Why this month of this receiver cannot have a statement now. */
async function unlessFree(tx: Tx, tenant: string, body: Body<'add'>, except: string | null): Promise<void> {
  const { rows } = await tx.query(
    'statements.beside',
    row({ code: text, bc_name: text, month: text, state: text.of(statementState), same: text }),
    `SELECT s.code, s.bc_name, to_char(s.month, 'YYYY-MM') AS month, s.state,
       CASE WHEN s.bc_id = $3 THEN 'same' ELSE 'other' END AS same
     FROM statements s
     WHERE s.tenant_id = $1 AND s.receiver_id = $2 AND s.state <> '${dropped}' AND s.id IS DISTINCT FROM $5
       AND (s.bc_id = $3 OR s.bc_id = '${WHOLE_GROUP}' OR $3 = '${WHOLE_GROUP}'::uuid)
       AND (s.month = $4::date OR (s.month < $4::date AND s.state IN ('${draft}', '${disputed}')))
     ORDER BY s.month
     LIMIT 1`,
    [tenant, body.receiver_id, body.bc_id ?? WHOLE_GROUP, `${body.month}-01`, except],
  )
  const [other] = rows
  if (!other) return
  const what = `${other.month} 的对账单 ${other.code}（${other.bc_name}）`
  if (other.month !== body.month)
    throw new Refused(`${what}还是“${statementState.label(other.state)}”，请先发出或作废`)
  throw new Refused(other.same === 'same' ? `已有${what}` : `已有${what}，全集团和分公司不能各对一次`)
}

/** A statement of a month that is over: what was written up to its end and stands in no other. */
export async function addStatement(
  tx: Tx,
  call: Call,
  body: Body<'add'>,
): Promise<{ id: string; code: string }> {
  const { id: me, nickname, tenant } = call.user
  const bc = body.bc_id ?? WHOLE_GROUP
  const { name, bc_name } = await partiesOf(tx, call, body)
  if (!hasPermission(actorOf(call.user, { bc, receiver_id: body.receiver_id }), 'statement:edit'))
    throw new Refused('您没有“生成对账单”的权限')
  const now = shanghaiDay(call.now()).slice(0, 7)
  if (body.month >= now)
    throw invalid('month', body.month === now ? '本月还没有结束，下个月 1 日起可以对账' : '这个月还没有到')
  inTurn(tx, body.receiver_id)
  await unlessFree(tx, tenant, body, null)
  const id = call.newId()
  const code =
    body.bc_id === null
      ? (await nextNumbers(tx, { tenant, kind: 'statement', of: { id: tenant, code: '' } }))[0]!
      : await nextNumberIn(tx, { tenant, kind: 'statement', bc: body.bc_id })
  await tx.run(
    'statements.add',
    `INSERT INTO statements (tenant_id, id, code, bc_id, receiver_id, receiver_name, bc_name, month, made_by, made_name,
       made_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, :now)`,
    [tenant, id, code, bc, body.receiver_id, name, bc_name, `${body.month}-01`, me, nickname],
  )
  const made = found(await lockStatement(tx, call.user.scope, id))
  const detail = await statementDetail(tx, call.user.scope, id)
  if (detail?.lines.length === 0 && detail.charges.length === 0)
    throw new Refused(`${name} 到 ${body.month} 月底没有要对账的往来`)
  await call.log(tx, {
    action: '生成对账单',
    object: 'statement',
    objectId: id,
    after: { code, receiver: name, month: body.month, scope: bc_name, due: made.due },
  })
  tellStatement(tx, call, made)
  return { id, code }
}
/** Statements of a receiver take turns: none takes up what another one is about to. */
const inTurn = (tx: Tx, receiver: string): void =>
  tx.send('statements.turn', 'SELECT pg_advisory_xact_lock($1::int, hashtext($2))', [
    LOCKS.statements,
    receiver,
  ])

/** Put before the receiver: what it is about stands in it from now on. */
export const sendStatement = (call: Call, body: Body<'send'>): Promise<void> =>
  onStatement(call, body, 'send', async (tx, both, s) => {
    const { id: me, nickname, tenant } = both.user
    inTurn(tx, s.receiver_id)
    await unlessFree(tx, tenant, { receiver_id: s.receiver_id, bc_id: s.bc, month: s.month }, s.id)
    const { charges, lines } = found(await statementDetail(tx, both.user.scope, s.id))
    refuse(charges.length ? `还有 ${charges.length} 条手工行在等审核，审核以后再发出` : undefined)
    refuse(lines.length === 0 ? '没有要对账的往来，可以作废' : undefined)
    await takeUp(tx, tenant, s.id)
    await tx.run(
      'statements.send',
      `UPDATE statements s
       SET state = '${sent}', sent_by = $3, sent_name = $4, sent_at = :now, answered_name = '', answered_at = NULL,
         version = s.version + 1
       WHERE s.tenant_id = $1 AND s.id = $2`,
      [tenant, s.id, me, nickname],
    )
    await both.log(tx, {
      action: '发出对账单',
      object: 'statement',
      objectId: s.id,
      after: { code: s.code, receiver: s.receiverName, due: s.due, round: s.round, state: sent },
    })
    await passStatement(tx, both, s, 'send', `${nameOf(s)} 应付 ${grouped(s.due)} 元，请核对确认`)
    tellStatement(tx, both, s)
  })

async function takenBack(
  tx: Tx,
  both: Call,
  s: LockedStatement,
  to: { change: Change; action: string; state: 'draft' | 'dropped'; reason: string; round?: number },
): Promise<void> {
  const { tenant } = both.user
  await letGo(tx, tenant, s.id)
  await setState(tx, tenant, s.id, to.state, to)
  await passStatement(tx, both, s, to.change)
  await both.log(tx, {
    action: to.action,
    object: 'statement',
    objectId: s.id,
    after: { code: s.code, receiver: s.receiverName, state: to.state, reason: to.reason },
  })
  tellStatement(tx, both, s)
}
export const recallStatement = (call: Call, body: Body<'recall'>): Promise<void> =>
  onStatement(call, body, 'recall', (tx, both, s) =>
    takenBack(tx, both, s, { change: 'recall', action: '撤回对账单', state: draft, reason: body.reason }),
  )
export const dropStatement = (call: Call, body: Body<'drop'>): Promise<void> =>
  onStatement(call, body, 'drop', (tx, both, s) =>
    takenBack(tx, both, s, { change: 'drop', action: '作废对账单', state: dropped, reason: body.reason }),
  )
/** A draft again, in its next round: what came meanwhile is in it too. */
export const reviseStatement = (call: Call, body: Body<'revise'>): Promise<void> =>
  onStatement(call, body, 'revise', (tx, both, s) =>
    takenBack(tx, both, s, { change: 'revise', action: '修改对账单', state: draft, reason: '', round: 1 }),
  )

const answered = (tx: Tx, both: Call, id: string, state: string, reason: string) =>
  tx.run(
    'statements.answer',
    `UPDATE statements s
     SET state = $3, reason = $4, answered_name = $5, answered_at = :now, version = s.version + 1
     WHERE s.tenant_id = $1 AND s.id = $2`,
    [both.user.tenant, id, state, reason, both.user.nickname],
  )
/** Both have said so: it is never changed again. */
export const agreeStatement = (call: Call, body: Body<'agree'>): Promise<void> =>
  onStatement(call, body, 'agree', async (tx, both, s) => {
    await answered(tx, both, s.id, agreed, '')
    await both.log(tx, {
      action: '确认对账单',
      object: 'statement',
      objectId: s.id,
      after: { code: s.code, receiver: s.receiverName, due: s.due, round: s.round, state: agreed },
    })
    const owes = s.due.startsWith('-')
      ? `对方应付我方 ${grouped(s.due.slice(1))} 元，请登记收款`
      : `应付 ${grouped(s.due)} 元，请付款`
    await passStatement(tx, both, s, 'agree', `${nameOf(s)} 双方已确认，${owes}`)
    tellStatement(tx, both, s)
  })
/** The receiver names the lines that it does not agree to; the buyer revises them or shows why they are right. */
export const disputeStatement = (call: Call, body: Body<'dispute'>): Promise<void> =>
  onStatement(call, body, 'dispute', async (tx, both, s) => {
    const { tenant } = both.user
    const known = new Set(found(await statementDetail(tx, both.user.scope, s.id)).lines.map((l) => l.id))
    if (new Set(body.lines.map((l) => l.id)).size < body.lines.length)
      throw invalid('lines', '同一行请只写一次异议')
    if (body.lines.some((l) => !known.has(l.id))) throw invalid('lines', '有的行不在这张对账单里')
    await tx.run(
      'statements.object',
      `INSERT INTO statement_objections (tenant_id, statement_id, round, line_id, bc_id, receiver_id, words)
       SELECT $1, $2, $3, x.id, $4, $5, x.words
       FROM json_to_recordset($6::json) AS x(id uuid, words text)`,
      [tenant, s.id, s.round, s.bc, s.receiver_id, JSON.stringify(body.lines)],
    )
    await letGo(tx, tenant, s.id)
    await answered(tx, both, s.id, disputed, body.reason)
    await both.log(tx, {
      action: '对账单异议',
      object: 'statement',
      objectId: s.id,
      after: {
        code: s.code,
        receiver: s.receiverName,
        lines: body.lines.length,
        round: s.round,
        state: disputed,
        reason: body.reason,
      },
    })
    await passStatement(tx, both, s, 'dispute', `${nameOf(s)} 有 ${body.lines.length} 行异议，请核对后重发`)
    tellStatement(tx, both, s)
  })
