import { takesBack } from '@zhuguan/contract/features/orders/orders.actions.ts'
import type { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import {
  orderAsk,
  orderEnd,
  receiveState,
  rejectReason,
} from '@zhuguan/contract/features/orders/orders.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { amountOf, compare, less, sum } from '@zhuguan/contract/kit/money.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import type { Tx } from '../../database/connect.ts'
import type { AtParties } from '../../kit/parties.ts'
import { checkDay } from '../../kit/planned-day.ts'
import { invalid, Refused } from '../../kit/refuse.ts'
import { int4, row, timestamptz, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { cancelNotes, openNote } from '../dispatch/notes.service.ts'
import { freePieces, lockPieces, movePieces, takeFrom } from '../pieces/pieces.service.ts'
import { clocksOf, dueAfter } from '../settings/business-time.reads.ts'
import { linesOf, type LockedOrder } from './orders.queries.ts'
import { lockSeenOrder, passOrder, refuseOpenPack, tellOrder } from './orders.service.ts'

type Body<K extends keyof typeof ordersApi> = BodyOf<(typeof ordersApi)[K]>
const { accepted, rejected, waiting } = receiveState.code
const { recalled, released } = orderEnd.code

async function logged(
  tx: Tx,
  call: Call,
  o: LockedOrder,
  action: string,
  after: {
    reason?: string
    receiveState?: number
    ended?: string
    rejectCode?: string
    to?: string
    lines?: number
  },
): Promise<void> {
  await call.log(tx, { action, object: 'order', objectId: o.id, after: { code: o.code, ...after } })
}

export async function acceptOrder(tx: Tx, at: AtParties, body: Body<'accept'>): Promise<void> {
  const { call } = at
  const { nickname, tenant } = call.user
  const o = await lockSeenOrder(tx, at, body, 'accept')
  const lines = await linesOf(tx, tenant, o.id)
  const promised = new Map(body.lines.map((l) => [l.line_id, l.promisedOn]))
  const missing = lines.find((l) => !promised.has(l.id))
  if (missing || promised.size !== lines.length)
    throw invalid('lines', missing ? `“${missing.name}”还没有填承诺到货日期` : '有的行不在这张订单里')
  for (const day of promised.values()) checkDay(call, 'lines', '承诺到货', day)
  await tx.run(
    'orders.promise',
    `UPDATE order_lines l SET promised_on = x.day
     FROM json_to_recordset($3::json) AS x(id uuid, day date)
     WHERE l.tenant_id = $1 AND l.order_id = $2 AND l.id = x.id`,
    [tenant, o.id, JSON.stringify([...promised].map(([id, day]) => ({ id, day })))],
  )
  await tx.run(
    'orders.accept',
    `UPDATE orders o SET receive_state = ${accepted}, answered_at = :now, answered_by = $3
     WHERE o.tenant_id = $1 AND o.id = $2`,
    [tenant, o.id, nickname],
  )
  await keepAnswer(tx, tenant, o.id)
  const pieces = await movePieces(tx, call, await lockPieces(tx, tenant, { order: o.id }), () => ({
    place: 'ship',
  }))
  const plannedOn = [...promised.values()].sort().at(-1)!
  const note = await openNote(tx, call, { order: o.id, plannedOn }, pieces)
  await logged(tx, call, o, '接单', { receiveState: accepted, to: note.code })
  tellOrder(tx, call, o, `${o.receiverName} 接单 ${o.code}，承诺 ${plannedOn} 到货`)
  await passOrder(tx, call, o, 'accept', `${o.receiverName} 已接单 ${o.code}，承诺 ${plannedOn} 到货`)
}

/** The working time in which it lay before its receiver is theirs (docs/decisions/0372). */
async function keepAnswer(tx: Tx, tenant: string, order: string): Promise<void> {
  const { rows } = await tx.query(
    'orders.asked',
    row({ bc: uuid, at: timestamptz }),
    `SELECT o.bc_id AS bc, coalesce(o.asked_at, o.made_at) AS at
     FROM orders o
     WHERE o.tenant_id = $1 AND o.id = $2`,
    [tenant, order],
  )
  const { at, bc } = rows[0]!
  const worked = (await clocksOf(tx, 'orderHours', [{ tenant, bc }])).between(bc, at, tx.now)
  await tx.run(
    'orders.answer',
    `INSERT INTO order_answers (tenant_id, order_id, asked_at, answered_at, bc_id, site_id, receiver_id, accepted,
       worked_seconds)
     SELECT o.tenant_id, o.id, coalesce(o.asked_at, o.made_at), o.answered_at, o.bc_id, o.site_id, o.receiver_id,
       o.receive_state = ${accepted}, $3
     FROM orders o
     WHERE o.tenant_id = $1 AND o.id = $2`,
    [tenant, order, Math.round(worked / 1000)],
  )
}

export async function rejectOrder(tx: Tx, at: AtParties, body: Body<'reject'>): Promise<void> {
  const { call } = at
  const { nickname, tenant } = call.user
  const o = await lockSeenOrder(tx, at, body, 'reject')
  const why = `${rejectReason.label(body.rejectCode)}：${body.reason}`
  await tx.run(
    'orders.reject',
    `UPDATE orders o
     SET receive_state = ${rejected}, reject_code = $3, reason = $4, answered_at = :now, answered_by = $5
     WHERE o.tenant_id = $1 AND o.id = $2`,
    [tenant, o.id, body.rejectCode, body.reason, nickname],
  )
  await keepAnswer(tx, tenant, o.id)
  await movePieces(tx, call, await lockPieces(tx, tenant, { order: o.id }), () => ({ place: 'held' }))
  await logged(tx, call, o, '拒单', {
    receiveState: rejected,
    rejectCode: body.rejectCode,
    reason: body.reason,
  })
  tellOrder(tx, call, o, `${o.receiverName} 拒单 ${o.code}：${why}`)
  await passOrder(tx, call, o, 'reject', `${o.receiverName} 拒单 ${o.code}：${why}`)
}

/** Over before it was shipped: its pieces can be ordered again. */
async function endOrder(
  tx: Tx,
  call: Call,
  o: LockedOrder,
  to: { ended: (typeof orderEnd.values)[number]; state: number; reason: string },
): Promise<void> {
  const { tenant } = call.user
  const pieces = await lockPieces(tx, tenant, { order: o.id })
  await tx.run(
    'orders.end',
    `UPDATE orders o SET receive_state = $3, ended = $4, reason = $5, ask = '', ask_side = ''
     WHERE o.tenant_id = $1 AND o.id = $2`,
    [tenant, o.id, to.state, to.ended, to.reason],
  )
  await freePieces(tx, call, pieces, { ended: !o.contractLive })
}

export async function recallOrder(tx: Tx, at: AtParties, body: Body<'recall'>): Promise<void> {
  const { call } = at
  const o = await lockSeenOrder(tx, at, body, 'recall')
  await endOrder(tx, call, o, { ended: recalled, state: rejected, reason: body.reason })
  await logged(tx, call, o, '撤回订单', { ended: recalled, reason: body.reason })
  tellOrder(tx, call, o, `撤回订单 ${o.code}：${body.reason}`)
  await passOrder(tx, call, o, 'recall', `订单 ${o.code} 已被下单方撤回：${body.reason}`)
}
export async function releaseOrder(tx: Tx, at: AtParties, body: Body<'release'>): Promise<void> {
  const { call } = at
  const o = await lockSeenOrder(tx, at, body, 'release')
  await endOrder(tx, call, o, { ended: released, state: rejected, reason: body.reason })
  await logged(tx, call, o, '释放订单', { ended: released, reason: body.reason })
  tellOrder(tx, call, o, `释放订单 ${o.code}：${body.reason}`)
  await passOrder(tx, call, o, 'release', '')
}

/** What was refused is put before the receiver once more; what it said before is kept. */
export async function resubmitOrder(tx: Tx, at: AtParties, body: Body<'resubmit'>): Promise<void> {
  const { call } = at
  const { tenant } = call.user
  const o = await lockSeenOrder(tx, at, body, 'resubmit')
  checkDay(call, 'expectedOn', '期望到货', body.expectedOn)
  await tx.run(
    'orders.freeze',
    `INSERT INTO order_revisions (tenant_id, order_id, revision, content, at)
     SELECT o.tenant_id, o.id, o.revision, jsonb_build_object('expectedOn', o.expected_on::text, 'remark', o.remark,
       'rejectCode', o.reject_code, 'reason', o.reason, 'answeredBy', o.answered_by), :now
     FROM orders o
     WHERE o.tenant_id = $1 AND o.id = $2`,
    [tenant, o.id],
  )
  await tx.run(
    'orders.resubmit',
    `UPDATE orders o
     SET receive_state = ${waiting}, revision = o.revision + 1, expected_on = $3, remark = $4, reject_code = '',
       reason = '', answered_at = NULL, answered_by = '', due_at = $5, urged_at = NULL, asked_at = :now
     WHERE o.tenant_id = $1 AND o.id = $2`,
    [
      tenant,
      o.id,
      body.expectedOn,
      body.remark,
      await dueAfter(tx, tenant, o.bc_id, 'orderHours', call.now()),
    ],
  )
  await movePieces(tx, call, await lockPieces(tx, tenant, { order: o.id }), () => ({ place: 'asked' }))
  await logged(tx, call, o, '重新提交订单', { receiveState: waiting })
  tellOrder(tx, call, o, `重新提交订单 ${o.code}`)
  await passOrder(tx, call, o, 'resubmit', `订单 ${o.code} 已修改并重新提交，等待接单`)
}

/** Lines, or part of their quantity, become an order of their own that is answered by itself. */
export async function splitOrder(
  tx: Tx,
  at: AtParties,
  body: Body<'split'>,
): Promise<{ id: string; code: string }> {
  const { call } = at
  const { tenant } = call.user
  const o = await lockSeenOrder(tx, at, body, 'split')
  const lines = new Map((await linesOf(tx, tenant, o.id)).map((l) => [l.id, l]))
  if (new Set(body.parts.map((p) => p.line_id)).size < body.parts.length)
    throw invalid('parts', '同一行选了两次')
  const parts = body.parts.map((part) => {
    const line = lines.get(part.line_id)
    if (!line) throw invalid('parts', '有的行不在这张订单里')
    if (compare(part.quantity, line.quantity) > 0)
      throw new Refused(
        `“${line.name}”只有 ${line.quantity} ${line.unit}，不能拆出 ${part.quantity} ${line.unit}`,
      )
    const left = less(line.quantity, part.quantity)
    if (compare(left, '0') !== 0) refuseOpenPack(line, part.quantity)
    return { ...part, line, left }
  })
  const isWhole = parts.length === lines.size && parts.every((p) => compare(p.left, '0') === 0)
  if (isWhole) throw invalid('parts', '至少要留一行或一部分数量在原订单里')
  const id = call.newId()
  // Before the new order is counted, as where one is placed: two people wait for the same things in one order.
  const pieces = await lockPieces(tx, tenant, { order: o.id })
  const code = await splitCode(tx, tenant, o)
  const amount = sum(parts.map((p) => amountOf(p.quantity, p.line.price)))
  await tx.run(
    'orders.split',
    `INSERT INTO orders (tenant_id, id, code, bc_id, bc_name, receiver_id, receiver_name, site_id, contract_id,
    parent_id,
       batch, method, expected_on, remark, community, address, contact, contact_phone, made_by, made_name, made_at,
       due_at, lines, amount, placed_lines, placed_amount, asked_at)
     SELECT o.tenant_id, $3, $4, o.bc_id, o.bc_name, o.receiver_id, o.receiver_name, o.site_id, o.contract_id, o.id,
       o.batch, o.method, o.expected_on, o.remark, o.community, o.address, o.contact, o.contact_phone, o.made_by,
       o.made_name, o.made_at, o.due_at, $5, $6, $5, $6, o.asked_at
     FROM orders o
     WHERE o.tenant_id = $1 AND o.id = $2`,
    [tenant, o.id, id, code, parts.length, amount],
  )
  for (const [i, { line, left, quantity }] of parts.entries()) {
    const to = call.newId()
    await tx.run(
      'orders.splitline',
      `INSERT INTO order_lines (tenant_id, id, order_id, item_id, sort, code, name, detail, unit, stage, quantity,
      price)
       SELECT l.tenant_id, $3, $4, l.item_id, $5, l.code, l.name, l.detail, l.unit, l.stage, $6, l.price
       FROM order_lines l
       WHERE l.tenant_id = $1 AND l.id = $2`,
      [tenant, line.id, to, id, i + 1, quantity],
    )
    await tx.run(
      'orders.lessenline',
      'UPDATE order_lines l SET quantity = $3 WHERE l.tenant_id = $1 AND l.id = $2',
      [tenant, line.id, left],
    )
    const taken = await takeFrom(
      tx,
      call,
      pieces.filter((p) => p.line_id === line.id),
      quantity,
    )
    if (!taken) throw new Error(`line ${line.id} has fewer pieces than it says`)
    await movePieces(tx, call, taken.taken, () => ({ order_id: id, line_id: to }))
  }
  await tx.run(
    'orders.lessen',
    `UPDATE orders o
     SET placed_amount = x.amount, placed_lines = x.lines
     FROM (
       SELECT count(*)::int AS lines, coalesce(sum(round(l.quantity * l.price, 2)), 0) AS amount
       FROM order_lines l
       WHERE l.tenant_id = $1 AND l.order_id = $2 AND l.quantity > 0) x
     WHERE o.tenant_id = $1 AND o.id = $2`,
    [tenant, o.id],
  )
  await tx.run(
    'orders.emptylines',
    'DELETE FROM order_lines l WHERE l.tenant_id = $1 AND l.order_id = $2 AND l.quantity = 0',
    [tenant, o.id],
  )
  await logged(tx, call, o, '拆单', { to: code, lines: parts.length })
  tellOrder(tx, call, o, `订单 ${o.code} 拆出 ${code}`)
  await passOrder(tx, call, o, 'split', `${o.receiverName} 把订单 ${o.code} 拆出 ${code}，两张分别答复`)
  return { id, code }
}
/** The first number with the next free ending, among the orders of its site: …-2, …-3. */
async function splitCode(tx: Tx, tenant: string, o: LockedOrder): Promise<string> {
  const base = o.code.replace(/-\d+$/, '')
  const { rows } = await tx.query(
    'orders.splits',
    row({ last: int4 }),
    `SELECT coalesce(max(substring(o.code FROM '-(\\d+)$')::int), 1) AS last
     FROM orders b
     JOIN orders o ON o.tenant_id = $1 AND o.site_id = b.site_id AND (o.code = $2 OR o.code LIKE $2 || '-%')
     WHERE b.tenant_id = $1 AND b.id = $3`,
    [tenant, base, o.id],
  )
  return `${base}-${rows[0]!.last + 1}`
}

/** Once a day the other side is reminded. */
export async function urgeOrder(tx: Tx, at: AtParties, body: Body<'urge'>): Promise<void> {
  const { call } = at
  const { tenant } = call.user
  const o = await lockSeenOrder(tx, at, body, 'urge')
  if (o.urged_at && shanghaiDay(o.urged_at) === shanghaiDay(call.now()))
    throw new Refused('今天已经催过一次，明天才能再催')
  await tx.run(
    'orders.urge',
    'UPDATE orders o SET urged_at = :now, version = o.version + 1 WHERE o.tenant_id = $1 AND o.id = $2',
    [tenant, o.id],
  )
  await logged(tx, call, o, '催单', {})
  tellOrder(tx, call, o)
  const what = o.receiveState === waiting ? '接单' : '发货'
  await passOrder(
    tx,
    call,
    o,
    'urge',
    `${call.user.nickname}催${what}：订单 ${o.code}，期望 ${o.expectedOn} 到货`,
  )
}

/** One side asks the other to end it, wholly or what has not shipped. */
export async function askOrder(
  tx: Tx,
  at: AtParties,
  kind: 'withdraw' | 'close',
  body: Body<'withdraw'>,
): Promise<void> {
  const { call, sides } = at
  const { nickname, tenant } = call.user
  const o = await lockSeenOrder(tx, at, body, kind)
  // Who stands on both sides asks for the one whose work is theirs.
  const places = hasPermission(call.user, 'order:place')
  const side = sides.buyer && (places || !sides.receiver) ? 'buyer' : 'receiver'
  await tx.run(
    'orders.ask',
    `UPDATE orders o
     SET ask = $3, ask_side = $4, ask_reason = $5, ask_by = $6, ask_name = $7, ask_at = :now, version = o.version + 1
     WHERE o.tenant_id = $1 AND o.id = $2`,
    [tenant, o.id, kind, side, body.reason, call.user.id, nickname],
  )
  const what = kind === 'withdraw' ? '申请撤销' : '申请结束剩余'
  await logged(tx, call, o, what, { reason: body.reason })
  tellOrder(tx, call, o)
  const other = side === 'buyer' ? 'askReceiver' : 'askBuyer'
  await passOrder(tx, call, o, other, `订单 ${o.code} ${what}：${body.reason}，等您答复`)
}
export async function agreeOrder(tx: Tx, at: AtParties, body: Body<'agree'>): Promise<void> {
  const { call } = at
  const { tenant } = call.user
  const o = await lockSeenOrder(tx, at, body, 'agree')
  const isWithdrawn = o.ask === 'withdraw'
  await cancelNotes(tx, tenant, o.id, isWithdrawn ? '订单撤销' : '结束剩余')
  if (isWithdrawn) await endOrder(tx, call, o, { ended: 'withdrawn', state: rejected, reason: '' })
  else {
    const loose = (await lockPieces(tx, tenant, { order: o.id })).filter((p) => p.place === 'ship')
    await tx.run(
      'orders.close',
      `UPDATE orders o SET ended = 'closed', ask = '', ask_side = '' WHERE o.tenant_id = $1 AND o.id = $2`,
      [tenant, o.id],
    )
    await freePieces(tx, call, loose, { ended: !o.contractLive })
    await touchOrder(tx, tenant, o.id)
  }
  const what = isWithdrawn ? '撤销' : '结束剩余'
  await logged(tx, call, o, `同意${what}`, { ended: isWithdrawn ? 'withdrawn' : 'closed' })
  tellOrder(tx, call, o, `订单 ${o.code} ${what}`)
  await passOrder(
    tx,
    call,
    o,
    o.askSide === 'buyer' ? 'tellBuyer' : 'tellReceiver',
    `对方同意${what}订单 ${o.code}`,
  )
}
/** The other side does not agree; or whoever asked takes it back. */
export async function declineOrder(tx: Tx, at: AtParties, body: Body<'decline'>): Promise<void> {
  const { call } = at
  const { tenant } = call.user
  const o = await lockSeenOrder(tx, at, body, 'decline')
  const isBack = takesBack(o, call.user)
  await tx.run(
    'orders.decline',
    `UPDATE orders o SET ask = '', ask_side = '', version = o.version + 1 WHERE o.tenant_id = $1 AND o.id = $2`,
    [tenant, o.id],
  )
  await logged(tx, call, o, isBack ? '撤回请求' : '不同意请求', { reason: body.reason })
  tellOrder(tx, call, o)
  const isBuyers = o.askSide === 'buyer'
  const what = orderAsk.label(o.ask)
  const title = isBack
    ? `对方撤回了对订单 ${o.code} 的请求（${what}）：${body.reason}`
    : `对方不同意订单 ${o.code} 的请求（${what}）：${body.reason}`
  // Taken back, the other side hears; not agreed to, the one that asked.
  await passOrder(tx, call, o, isBuyers === isBack ? 'tellReceiver' : 'tellBuyer', title)
}
const touchOrder = (tx: Tx, tenant: string, id: string) =>
  tx.run('orders.touch', 'UPDATE orders o SET version = o.version + 1 WHERE o.tenant_id = $1 AND o.id = $2', [
    tenant,
    id,
  ])
