import { type ExamineAction, examineActions } from '@zhuguan/contract/features/examine/examine.actions.ts'
import type { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import {
  type ExamineDetail,
  type ExamineKind,
  examineKind,
  examineState,
} from '@zhuguan/contract/features/examine/examine.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import type { ExamineSource } from '../../kit/examined.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, overtaken, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { tell } from '../live/live.service.ts'
import type { Cause } from '../notifications/notifications.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { dueAfter } from '../settings/business-time.reads.ts'
import {
  addExamine,
  type Asked,
  earlierOf,
  findExamine,
  type FoundExamine,
  judgeExamine,
  lockExamine,
  lockLast,
  noteSeen,
  withdraw,
} from './examine.queries.ts'
import { reads } from './reading.ts'

/** The person who takes part when something of theirs is judged. */
export type ExamineSources = Partial<Readonly<Record<ExamineKind, ExamineSource>>>

const { approved, rejected, waiting } = examineState.code
const causeOf = (id: string): Cause => ({ kind: 'examine', id })
const linkOf = (id: string) => linkTo('ExamineList', { id })
/** The part that every message about a request has in common. */
export const noticeOf = (r: { id: string; bc_id: string; store_id: string | null }) => ({
  link: linkOf(r.id),
  cause: causeOf(r.id),
  place: { bc_id: r.bc_id, store_id: r.store_id },
})
export const nameOf = (r: Pick<FoundExamine, 'kind' | 'number'>): string =>
  `${examineKind.label(r.kind)} ${r.number}`
const isOpen = (r: FoundExamine): boolean => r.examineState === waiting && !r.withdrawn
const judgedBy = (r: FoundExamine): { name: string; at: number } | undefined =>
  r.judgedAt === null ? undefined : { name: r.judge, at: r.judgedAt }

function sourceOf(sources: ExamineSources, kind: ExamineKind): ExamineSource {
  const source = sources[kind]
  if (!source) throw new Error(`nobody keeps what is judged as ${kind}`)
  return source
}

/** The values of a call that submitting something takes. */
type Asking = Pick<Call, 'newId' | 'now' | 'user'>
/**
 * Something is submitted: it waits in the queue, and who may judge it is told. The caller has locked it, freezes it and
 * writes the line of the log.
 */
export async function askExamine(tx: Tx, call: Asking, asked: Asked): Promise<{ id: string }> {
  const { id: me, nickname, scope, tenant } = call.user
  const last = await lockLast(tx, scope, asked.kind, asked.object_id)
  refuse(last && isOpen(last) ? `${nameOf(last)} 已经在等待审核` : undefined)
  const id = call.newId()
  const dueAt = await dueAfter(tx, tenant, asked.bc_id, 'examineHours', call.now())
  await addExamine(tx, { ...asked, tenant, id, round: (last?.round ?? 0) + 1, by: me, dueAt })
  tell(tx, call, { topic: 'examine', bc: asked.bc_id, site: null, id })
  if (!asked.later)
    await passTurn(tx, 'examine', 'ask', {
      ...noticeOf({ ...asked, id }),
      tenant,
      actor: me,
      named: { submitter: me },
      title: `${nickname}提交了${nameOf(asked)}，等待审核`,
    })
  return { id }
}

/** Who submitted it takes it back while nobody has judged it. The caller has locked what was submitted. */
export async function withdrawExamine(
  tx: Tx,
  call: Asking,
  { kind, object_id }: { kind: ExamineKind; object_id: string },
): Promise<void> {
  const { id: me, scope, tenant } = call.user
  const last = await lockLast(tx, scope, kind, object_id)
  if (!last || last.withdrawn) throw new Refused(`这张${examineKind.label(kind)}没有在等待审核`)
  if (last.examineState !== waiting) throw overtaken('次审核', judgedBy(last))
  refuse(last.submitted_by === me ? undefined : `只有提交人${last.submitter}可以撤回`)
  await withdraw(tx, tenant, last.id)
  await passTurn(tx, 'examine', 'withdraw', { ...noticeOf(last), tenant, actor: me, title: '' })
  tell(tx, call, { topic: 'examine', bc: last.bc_id, site: null, id: last.id })
}

/** Still open and as it was seen; the second of two people is told who was faster. */
function unlessOpen(r: FoundExamine, version: number): void {
  refuse(r.withdrawn ? `${nameOf(r)} 已被提交人撤回，请刷新后再试` : undefined)
  if (r.examineState !== waiting) throw overtaken('次审核', judgedBy(r))
  unlessSeen(r, version, '次审核')
}

/** A request in reach, of a kind that the caller may read. */
async function examineIn(tx: Tx, call: Call, id: string): Promise<FoundExamine> {
  const r = found(await findExamine(tx, call.user.scope, id))
  return found(reads(call.user, r) ? r : undefined)
}

type Judgement = BodyOf<(typeof examineApi)[ExamineAction]>
/** What was submitted is locked before its request, as when it is taken back: neither waits for the other. */
export async function judge(
  tx: Tx,
  call: Call,
  sources: ExamineSources,
  action: ExamineAction,
  body: Judgement,
): Promise<void> {
  const { id: me, scope, tenant } = call.user
  const asked = await examineIn(tx, call, body.id)
  const source = sourceOf(sources, asked.kind)
  const hash = await source.hashOf(tx, call, asked)
  const r = found(await lockExamine(tx, scope, body.id))
  unlessOpen(r, body.version)
  refuse(examineActions.refusal(action, r, actorAt(call.user, r)))
  refuse(await source.unless?.(tx, call, r))
  const isApproved = action === 'pass'
  if (isApproved) {
    refuse(body.hash === r.hash ? undefined : `您看到的${nameOf(r)} 不是提交的那一份，请重新打开后再审核`)
    refuse(
      hash === r.hash ? undefined : `${nameOf(r)} 提交以后内容有变动，不能通过；请驳回，由提交人重新提交`,
    )
  }
  const { reason } = body
  const sum = isApproved && 'amount' in body ? body.amount : null
  if (sum !== null && r.kind !== examineKind.code.grade)
    throw invalid('amount', `${examineKind.label(r.kind)}不能改金额，只能通过或驳回`)
  const to = isApproved ? approved : rejected
  await judgeExamine(tx, { tenant, id: r.id, to, by: me, reason })
  await source.judged(tx, call, r, { approved: isApproved, reason, amount: sum })
  await call.log(tx, {
    action: isApproved ? '审核通过' : '审核驳回',
    object: 'examine',
    objectId: r.id,
    before: { examineState: waiting },
    after: { number: r.number, kind: r.kind, round: r.round, amount: r.amount, examineState: to, reason },
  })
  tell(tx, call, { topic: 'examine', bc: r.bc_id, site: null, id: r.id })
  await passTurn(tx, 'examine', isApproved ? 'pass' : 'reject', {
    ...noticeOf(r),
    tenant,
    actor: me,
    named: { submitter: r.submitted_by },
    title: `${nameOf(r)} ${isApproved ? '已通过审核' : '被驳回'}${reason && `：${reason}`}`,
  })
}

/** Approves the eligible ones, each in its own transaction, and names the others. */
export async function passMany(
  call: Call,
  sources: ExamineSources,
  some: BodyOf<(typeof examineApi)['batch']>['some'],
) {
  let done = 0
  const skipped: { id: string; why: string }[] = []
  for (const one of some) {
    try {
      await call.write((tx) => judge(tx, call, sources, 'pass', { ...one, reason: '', amount: null }))
      done += 1
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      skipped.push({ id: one.id, why: error.message })
    }
  }
  return { done, skipped }
}

/** One request with what came before it; that somebody who may judge it has opened it is remembered. */
export async function openExamine(
  tx: Tx,
  call: Call,
  sources: ExamineSources,
  id: string,
): Promise<ExamineDetail> {
  const { id: me, tenant } = call.user
  const { withdrawn: _withdrawn, ...r } = await examineIn(tx, call, id)
  const earlier = await earlierOf(tx, { tenant, user: me }, r)
  const judges = hasPermission(actorAt(call.user, r), 'examine:judge')
  if (judges) noteSeen(tx, tenant, id, me)
  const barred = judges && r.examineState === waiting ? await sources[r.kind]?.unless?.(tx, call, r) : ''
  return { ...r, earlier, barred: barred ?? '' }
}
