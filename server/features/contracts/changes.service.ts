import { type ChangeFacts, changeStatus } from '@zhuguan/contract/features/contracts/changes.record.ts'
import { changeActions } from '@zhuguan/contract/features/contracts/contracts.actions.ts'
import type { changesApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { attribute } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { sum } from '@zhuguan/contract/kit/money.ts'

import type { Tx } from '../../database/connect.ts'
import type { ExamineSource } from '../../kit/examined.ts'
import { hashOf } from '../../kit/hash.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, unlessSeen, withinDigits } from '../../kit/refuse.ts'
import { row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { askExamine, withdrawExamine } from '../examine/examine.service.ts'
import { closeReduced } from '../goods/goods.service.ts'
import { committed } from '../pieces/pieces.reads.ts'
import { openPieces, reducePieces } from '../pieces/pieces.service.ts'
import { productsById } from '../products/products.reads.ts'
import { belowText, NOTHING_ALLOWED, refuseBeyond } from '../quotations/giving.service.ts'
import { passBill } from './bill-turns.ts'
import { givingOf, linesFrom, type Taken, takenBy } from './change-lines.ts'
import {
  bring,
  contractOfChange,
  itemsOf,
  type Line,
  linesOf,
  lockChange,
  type LockedChange,
  takeFrom,
  writeLines,
} from './changes.queries.ts'
import { lockContract, type LockedContract, touch } from './contracts.queries.ts'
import { lockSeen, numberOf, tellContract } from './contracts.service.ts'
import { isGoods } from './goods.ts'
import { tellOwedBack } from './owed-back.ts'

const { approved, draft, dropped, rejected, waiting } = changeStatus.code
/** What is approved of a finished home is on its bill, which is written anew. */
const RUNNING: readonly string[] = [contractState.code.live, contractState.code.finishing]
type Seen = BodyOf<(typeof changesApi)['submit']>
type Items = Awaited<ReturnType<typeof itemsOf>>

/** What lines take of the contract as it stands now. */
const takenOf = async (tx: Tx, call: Call, items: Items, lines: readonly Line[]): Promise<Taken[]> =>
  takenBy(lines, items, await committed(tx, call.user.tenant, [...items.keys()]))
/** A clerk's lines, worked out with the catalogue of today and the contract as it stands. */
async function workedOut(tx: Tx, call: Call, c: LockedContract, facts: ChangeFacts): Promise<Line[]> {
  const { scope, tenant } = call.user
  const items = await itemsOf(tx, tenant, c.id)
  const ids = [...new Set(facts.lines.flatMap((l) => l.product_id ?? []))]
  const reader = { scope, costs: true, bc: c.bc_id, today: shanghaiDay(call.now()) }
  const products = (await productsById(tx, reader, ids)).filter(
    (p) => p.bc_id === null || p.bc_id === c.bc_id,
  )
  const lines = linesFrom(facts.lines, () => call.newId(), {
    items,
    products: new Map(products.map((p) => [p.id, p])),
  })
  // What they come to, and the contract with them, can be kept.
  withinDigits(() => sum([c.total, amountOf(lines)]))
  await takenOf(tx, call, items, lines)
  refuseLate(c, lines)
  await refuseBeyond(tx, call, c, givingOf(lines), NOTHING_ALLOWED)
  return lines
}
/** A home that is finished takes no more goods; what it was sold can still be reduced, or work be added. */
function refuseLate(c: LockedContract, lines: readonly Line[]): void {
  if (c.state === contractState.code.live) return
  const i = lines.findIndex((l) => l.attribute !== attribute.code.removed && isGoods(l.kind))
  if (i >= 0)
    throw invalid(
      ['lines', i, 'attribute'].join('.'),
      `第 ${i + 1} 行“${lines[i]!.name}”：工地已经完工，不能再增加或更换商品`,
    )
}
const amountOf = (lines: readonly Line[]) => sum(lines.map((l) => l.amount))

export async function addChange(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof changesApi)['add']>,
): Promise<{ id: string; code: string }> {
  const { id: me, nickname, tenant, scope } = call.user
  const c = found(await lockContract(tx, scope, body.contract_id))
  const { version } = c
  await lockSeen(tx, call, { id: c.id, version }, 'change')
  const lines = await workedOut(tx, call, c, body)
  const id = call.newId()
  const code = await numberOf(tx, call, 'change', c.bc_id)
  await tx.run(
    'contracts.addchange',
    `INSERT INTO contract_changes (tenant_id, id, contract_id, code, reason, amount, user_id, user_name, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, :now)`,
    [tenant, id, c.id, code, body.reason, amountOf(lines), me, nickname],
  )
  await writeLines(tx, tenant, id, lines)
  await touch(tx, tenant, c.id)
  await logged(tx, call, c, '新建变更单', { change: code, amount: amountOf(lines), items: lines.length })
  return { id, code }
}
async function logged(
  tx: Tx,
  call: Call,
  c: LockedContract,
  action: string,
  after: { change: string; amount?: string; items?: number; reason?: string },
): Promise<void> {
  await call.log(tx, { action, object: 'contract', objectId: c.id, after: { code: c.code, ...after } })
  tellContract(tx, call, c)
}

/** A change of a contract in reach, both locked, the contract first. */
async function changeIn(
  tx: Tx,
  call: Call,
  id: string,
): Promise<{ c: LockedContract; change: LockedChange }> {
  const { scope, tenant } = call.user
  // Where it belongs never changes; the contract is locked before it.
  const at = found(await contractOfChange(tx, tenant, id))
  const c = found(await lockContract(tx, scope, at))
  return { c, change: found(await lockChange(tx, tenant, id)) }
}
async function lockSeenChange(
  tx: Tx,
  call: Call,
  body: Seen,
  action: Parameters<typeof changeActions.refusal>[0],
): Promise<{ c: LockedContract; change: LockedChange }> {
  const both = await changeIn(tx, call, body.id)
  unlessSeen(both.change, body.version, '张变更单')
  const actor = actorAt(call.user, both.c)
  refuse(changeActions.refusal(action, both.change, actor))
  return both
}
async function setStatus(tx: Tx, call: Call, id: string, status: number, judged: string | null = null) {
  await tx.run(
    'contracts.changed',
    `UPDATE contract_changes h
     SET status = $3, judged = coalesce($4, h.judged), 
       judged_at = CASE WHEN $4::text IS NULL THEN h.judged_at ELSE :now END,
       version = h.version + 1
     WHERE h.tenant_id = $1 AND h.id = $2`,
    [call.user.tenant, id, status, judged],
  )
}

export async function editChange(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof changesApi)['edit']>,
): Promise<void> {
  const { tenant } = call.user
  const { c, change } = await lockSeenChange(tx, call, body, 'edit')
  await lockSeen(tx, call, c, 'change')
  const lines = await workedOut(tx, call, c, body)
  await tx.run(
    'contracts.editchange',
    'UPDATE contract_changes h SET reason = $3, amount = $4 WHERE h.tenant_id = $1 AND h.id = $2',
    [tenant, change.id, body.reason, amountOf(lines)],
  )
  await writeLines(tx, tenant, change.id, lines)
  await setStatus(tx, call, change.id, draft)
  await logged(tx, call, c, '编辑变更单', {
    change: change.code,
    amount: amountOf(lines),
    items: lines.length,
  })
}

const hashed = async (tx: Tx, tenant: string, change: LockedChange) =>
  hashOf({ reason: change.reason, amount: change.amount, lines: await linesOf(tx, tenant, change.id) })
const TOLD = [
  [attribute.code.adjusted, '调整'],
  [attribute.code.added, '增'],
  [attribute.code.removed, '减'],
] as const
export async function submitChange(tx: Tx, call: Call, body: Seen): Promise<void> {
  const { tenant } = call.user
  const { c, change } = await lockSeenChange(tx, call, body, 'submit')
  await lockSeen(tx, call, c, 'change')
  const lines = await linesOf(tx, tenant, change.id)
  refuseLate(c, lines)
  await takenOf(tx, call, await itemsOf(tx, tenant, c.id), lines)
  const giving = givingOf(lines)
  await refuseBeyond(tx, call, c, giving, NOTHING_ALLOWED)
  await setStatus(tx, call, change.id, waiting)
  const counted = TOLD.map(
    ([a, word]) => [word, lines.filter((l) => l.attribute === a).length] as const,
  ).filter(([, n]) => n > 0)
  const notice = giving.belowLines > 0 ? `${belowText(giving.belowLines, giving.below)} · ` : ''
  const told = counted.map(([word, n]) => `${word} ${n} 项`).join('、')
  await askExamine(tx, call, {
    kind: 'change',
    object_id: change.id,
    of_id: c.id,
    bc_id: c.bc_id,
    store_id: c.store_id,
    number: change.code,
    summary: `${notice}${c.code} ${c.customerName}：${change.reason}（${told}）`,
    amount: change.amount,
    hash: await hashed(tx, tenant, change),
  })
  await logged(tx, call, c, '提交变更单', { change: change.code, amount: change.amount })
}

export async function withdrawChange(tx: Tx, call: Call, body: Seen): Promise<void> {
  const { c, change } = await lockSeenChange(tx, call, body, 'withdraw')
  await withdrawExamine(tx, call, { kind: 'change', object_id: change.id })
  await setStatus(tx, call, change.id, draft)
  await logged(tx, call, c, '撤回变更单', { change: change.code })
}

export async function dropChange(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof changesApi)['drop']>,
): Promise<void> {
  const { c, change } = await lockSeenChange(tx, call, body, 'drop')
  await setStatus(tx, call, change.id, dropped)
  await logged(tx, call, c, '作废变更单', { change: change.code, reason: body.reason })
}

/** What is approved counts at once: items, the contract's amount, and an instalment of its own. */
async function apply(tx: Tx, call: Call, c: LockedContract, change: LockedChange): Promise<void> {
  const { tenant } = call.user
  const lines = await linesOf(tx, tenant, change.id)
  const items = await itemsOf(tx, tenant, c.id)
  refuseLate(c, lines)
  const taken = await takenOf(tx, call, items, lines)
  for (const { item, quantity, orderedLeft } of taken) {
    await takeFrom(tx, tenant, { item: item.id, quantity, orderedLeft })
    if (isGoods(item.kind)) await reducePieces(tx, call, item.id, orderedLeft)
  }
  await closeReduced(tx, tenant, c.id)
  const brought = lines
    .filter((l) => l.attribute !== attribute.code.removed)
    .map((l) => ({ ...l, key: call.newId(), room: items.get(l.item_id ?? '')?.room ?? '' }))
  await bring(tx, tenant, { contract: c.id, change: change.id }, brought)
  await openPieces(
    tx,
    call,
    { bc: c.bc_id, site: c.site_id!, store: c.store_id, contract: c.id },
    brought.filter((l) => isGoods(l.kind)).map((l) => ({ id: l.key, quantity: l.ordered })),
  )
  await tx.run(
    'contracts.changeddue',
    `INSERT INTO contract_instalments (tenant_id, id, contract_id, sort, name, change_id, amount, due_on)
     SELECT $1, $2, $3, 100 + (SELECT count(*) FROM contract_instalments i
         WHERE i.tenant_id = $1 AND i.contract_id = $3), $4, $5, $6, $7`,
    [tenant, call.newId(), c.id, `变更 ${change.code}`, change.id, change.amount, shanghaiDay(call.now())],
  )
  await tx.run(
    'contracts.grown',
    `UPDATE contracts c
     SET changed = c.changed + $3, changes = c.changes + 1, billed_at = NULL, version = c.version + 1
     WHERE c.tenant_id = $1 AND c.id = $2`,
    [tenant, c.id, change.amount],
  )
  if (c.billed)
    await passBill(tx, call, c, 'again', `合同 ${c.code} 有变更 ${change.code} 通过，请重新办理竣工结算`)
  await tellOwedBack(tx, call, c.id)
}

/** What waits to be judged is judged first. */
export async function refuseOpenChange(tx: Tx, tenant: string, c: LockedContract): Promise<void> {
  const { rows } = await tx.query(
    'contracts.openchange',
    row({ code: text }),
    `SELECT h.code
     FROM contract_changes h
     WHERE h.tenant_id = $1 AND h.contract_id = $2 AND h.status = ${changeStatus.code.waiting}
     LIMIT 1`,
    [tenant, c.id],
  )
  refuse(rows[0] && `变更单 ${rows[0].code} 正在审核，审核后再办理`)
}

/** The contract ends: what nobody has submitted comes to nothing with it. */
export async function dropDrafts(tx: Tx, call: Call, c: LockedContract, why: string): Promise<void> {
  const { rows } = await tx.query(
    'contracts.dropdrafts',
    row({ code: text }),
    `UPDATE contract_changes h
     SET status = ${dropped}, judged = $3, judged_at = :now, version = h.version + 1
     WHERE h.tenant_id = $1 AND h.contract_id = $2 AND h.status = ${draft}
     RETURNING h.code`,
    [call.user.tenant, c.id, `系统作废：${why}`],
  )
  for (const { code } of rows) await logged(tx, call, c, '系统作废变更单', { change: code, reason: why })
}

export const changeSource: ExamineSource = {
  async hashOf(tx, call, r) {
    const { change } = await changeIn(tx, call, r.object_id)
    return hashed(tx, call.user.tenant, change)
  },
  async judged(tx, call, r, { approved: isApproved, reason }) {
    const { nickname, tenant } = call.user
    const { c, change } = await changeIn(tx, call, r.object_id)
    if (isApproved) {
      refuse(RUNNING.includes(c.state) ? undefined : '合同已经作废、终止或结清，变更单只能驳回')
      await apply(tx, call, c, change)
    } else await touch(tx, tenant, c.id)
    const judged = [nickname, reason].filter(Boolean).join('：')
    await setStatus(tx, call, change.id, isApproved ? approved : rejected, judged)
    tellContract(tx, call, c, isApproved ? `变更 ${change.code}：${change.reason}` : undefined)
  },
}
