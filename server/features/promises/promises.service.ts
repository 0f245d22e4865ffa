import type { FeedbackRow } from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { type PromiseAction, promiseActions } from '@zhuguan/contract/features/promises/promises.actions.ts'
import type { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import {
  type Contradiction,
  contradictionAnswer,
  FURTHEST_DUE,
  promiseState,
} from '@zhuguan/contract/features/promises/promises.record.ts'
import { siteStage, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import type { BodyOf, QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { SYSTEM_NAME } from '../../kit/nobody.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import type { Call, Caller } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { type FileStore, unlessCopied, useFiles } from '../files/files.service.ts'
import { tell } from '../live/live.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { addEntry, type Entry, namedIn, noticeOf, whatOf } from './promises.ledger.ts'
import { contradicting, dayAt, lockPromise, type LockedPromise, placeOf } from './promises.queries.ts'

const { withdrawn } = promiseState.code

type Bodies = { [A in PromiseAction]: BodyOf<(typeof promisesApi)[A]> }
/** Each action with what its call carries; an owner objects by their link as well. */
type PromiseCommand = {
  [A in PromiseAction]: { action: A } & (A extends 'object'
    ? Omit<Bodies[A], 'channel'> & Pick<FeedbackRow, 'channel'>
    : Bodies[A])
}[PromiseAction]

interface Change {
  state: LockedPromise['state']
  due: string
  objected: boolean
}
/** Enters what the owner objects to a promise as a feedback of the home; its id. */
export type EnterObjection = (
  tx: Tx,
  call: Call,
  objection: Pick<LockedPromise, 'content' | 'keptAt' | 'site_id' | 'subject'> & {
    reason: string
    channel: FeedbackRow['channel']
  },
) => Promise<string>
/** What a command may need beside the promise. */
export interface Around {
  files: FileStore
  enterObjection: EnterObjection
}
/** Moves a promise: its row, its ledger, the log, everybody who looks. */
async function move(
  tx: Tx,
  call: Caller,
  p: LockedPromise,
  to: Change,
  { label, entry }: { label: string; entry: Entry },
): Promise<void> {
  const { nickname, tenant } = call.user
  await tx.run(
    'promises.move',
    `UPDATE promises
     SET state = $3, due = $4, objected = $5, changed_by = $6, changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, p.id, to.state, to.due, to.objected, entry.bySystem ? SYSTEM_NAME : nickname],
  )
  await addEntry(tx, call, p.id, entry)
  await call.log(tx, {
    action: `承诺${label}`,
    object: 'promise',
    objectId: p.id,
    before: { state: p.state, due: p.due },
    after: {
      content: p.content,
      site_id: p.site_id,
      state: to.state,
      due: to.due,
      ...(entry.text ? { text: entry.text } : {}),
    },
  })
  tell(tx, call, {
    topic: 'promise',
    bc: p.bc_id,
    site: p.site_id,
    id: p.id,
    line: {
      kind: 'promise',
      title: `承诺“${p.content}”：${label}${to.due === p.due ? '' : `至 ${to.due}`}`,
      picture: entry.pictures?.[0] ?? null,
    },
  })
}

/** What somebody promises is for a day from today to two years ahead. */
function unlessNear(due: string, now: Date): void {
  const today = shanghaiDay(now)
  if (due < today) throw invalid('due', '到期不能早于今天')
  const last = addDays(today, FURTHEST_DUE)
  if (due > last) throw invalid('due', `到期最晚 ${last}（两年之内）`)
}

/** What a command does to the record and its ledger, beside the state that the table of actions names. */
async function outcome(
  tx: Tx,
  call: Call,
  { files, enterObjection }: Around,
  p: LockedPromise,
  command: PromiseCommand,
): Promise<{ due?: string; objected?: boolean; entry: Entry }> {
  switch (command.action) {
    case 'keep': {
      const proof = { bc: p.bc_id, proves: p.id }
      const after = { takenAfter: p.madeAt, since: '作出承诺', site: p.site_id }
      await useFiles(tx, call, command.pictures, { ...proof, ...after })
      await unlessCopied(tx, call, files, command.pictures, proof)
      return { entry: { act: 'keep', text: command.text, pictures: command.pictures } }
    }
    case 'extend': {
      if (command.due <= p.due) throw invalid('due', `新的到期须晚于现在的到期 ${p.due}`)
      unlessNear(command.due, call.now())
      const { due, reason: why } = command
      return { due, entry: { act: 'extend', text: why, fromDue: p.due, toDue: due } }
    }
    case 'object':
      return {
        objected: true,
        entry: {
          act: 'object',
          text: command.reason,
          feedback: await enterObjection(tx, call, {
            ...p,
            reason: command.reason,
            channel: command.channel,
          }),
        },
      }
    case 'uphold':
    case 'dismiss':
      return { objected: false, entry: { act: command.action, text: command.reason } }
    default:
      return { entry: { act: command.action, text: command.reason } }
  }
}

/** What who is told reads. */
function titleOf(command: PromiseCommand, p: LockedPromise, by: string): string {
  const what = whatOf(p)
  switch (command.action) {
    case 'extend':
      return `${what}已由${by}延期到 ${command.due}：${command.reason}`
    case 'object':
      return `${what}业主提出异议：${command.reason}，请主管裁定`
    case 'uphold':
      return `${what}的异议成立，记为未兑现：${command.reason}`
    case 'dismiss':
      return `${what}的异议已驳回：${command.reason}`
    case 'break':
      return `${what}已由${by}认定未兑现：${command.reason}`
    case 'withdraw':
      return `${what}已由${by}撤回：${command.reason}`
    case 'keep':
      return `${what}已兑现`
  }
}

/** One command on one promise: lock, refuse, move, log, tell. */
export async function changePromise(
  tx: Tx,
  call: Call,
  around: Around,
  command: PromiseCommand,
): Promise<void> {
  const p = found(await lockPromise(tx, call.user.scope, command.id))
  unlessSeen(p, command.version, '条承诺')
  const { action } = command
  refuse(promiseActions.refusal(action, p, actorAt(call.user, p), call.now().getTime() / 1000))
  const state = promiseActions.arrives(action, p.state) as Change['state']
  const { due = p.due, objected = p.objected, entry } = await outcome(tx, call, around, p, command)
  await move(tx, call, p, { state, due, objected }, { label: promiseActions.table[action].label, entry })
  await passTurn(tx, 'promise', action, {
    ...noticeOf(p),
    tenant: call.user.tenant,
    actor: call.user.id,
    named: namedIn(p.responsible_id),
    title: titleOf(command, p, call.user.nickname),
  })
}

/** Taken back because of something else: a newer promise, the end of its site. */
export async function lapse(
  tx: Tx,
  call: Caller,
  p: LockedPromise,
  { why, bySystem }: { why: string; bySystem?: true },
): Promise<void> {
  const entry: Entry = { act: 'withdraw', text: why, ...(bySystem && { bySystem }) }
  await move(tx, call, p, { state: withdrawn, due: p.due, objected: false }, { label: '撤回', entry })
  await passTurn(tx, 'promise', 'lapse', {
    ...noticeOf(p),
    tenant: call.user.tenant,
    actor: call.user.id || undefined,
    named: namedIn(p.responsible_id),
    title: `${whatOf(p)}已撤回：${why}`,
  })
}

/** While a promise is written: what it contradicts; what of its day is worth knowing and forbids nothing. */
export async function foreseePromise(tx: Tx, call: Call, q: QueryOf<typeof promisesApi.contradictions>) {
  const { tenant } = call.user
  const site = found(await placeOf(tx, call.user.scope, q.site_id, false))
  const planned = { site: site.id, subject: q.subject, due: q.due }
  const list = await contradicting(tx, tenant, planned)
  const day = await dayAt(tx, tenant, planned)
  const notes = [
    ...(day?.rest ? [`${q.due} 是休息日`] : []),
    ...(day?.stage ? [`按阶段计划，那天还在做“${siteStage.label(day.stage)}”，计划 ${day.until} 完成`] : []),
  ]
  return { list, notes }
}

type NewPromise = BodyOf<typeof promisesApi.add>
type Answered = Map<string, { old: LockedPromise; how: NewPromise['answers'][number] }>
/** What the caller says of each contradiction; all of them must be answered, also those of somebody who was faster. */
async function answersOf(
  tx: Tx,
  call: Call,
  body: NewPromise,
  open: readonly Contradiction[],
): Promise<Answered> {
  const answers: Answered = new Map()
  for (const how of body.answers) {
    const old = found(await lockPromise(tx, call.user.scope, how.id))
    if (old.site_id !== body.site_id) found(undefined)
    // What is over meanwhile contradicts nothing any more.
    if (open.some((c) => c.id === old.id)) answers.set(old.id, { old, how })
  }
  const left = open.filter((c) => !answers.has(c.id))
  if (left.length)
    throw new Refused(
      `同一事项还有日期不同的承诺：${left.map((c) => `“${c.content}”（${c.due}）`).join('、')}，请逐条选择取代或并存`,
      409,
      200,
      { fields: { answers: '请逐条选择取代或并存' } },
    )
  for (const [i, { how, id, reason }] of body.answers.entries())
    if (answers.has(id) && how === contradictionAnswer.code.coexist && reason.length < 2)
      throw invalid(['answers', i, 'reason'].join('.'), '请写明为什么两条并存（至少 2 个字）')
  return answers
}

/** Somebody of the staff promises the owner something. */
export async function addPromise(tx: Tx, call: Call, body: NewPromise): Promise<{ id: string }> {
  const { id: me, nickname, scope, tenant } = call.user
  const { content, due, subject } = body
  const site = found(await placeOf(tx, scope, body.site_id, true))
  if (site.status === siteStatus.code.terminated) throw new Refused(`${site.ws_name}已经终止，不能再登记承诺`)
  unlessNear(due, call.now())
  const isSteward = body.post === principalPost.code.steward
  const responsible = isSteward ? site.steward_id : site.manager_id
  if (!responsible) throw invalid('post', `工地还没有${principalPost.label(body.post)}，请先指定`)
  const open = await contradicting(tx, tenant, { site: site.id, subject, due })
  const answers = await answersOf(tx, call, body, open)
  const id = call.newId()
  await tx.run(
    'promises.add',
    `INSERT INTO promises (tenant_id, id, bc_id, site_id, content, subject, author_id, post, responsible_id, first_due,
       due, made_at, changed_by, changed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::date, $10::date, :now, $11, :now)`,
    [tenant, id, site.bc_id, site.id, content, subject, me, body.post, responsible, due, nickname],
  )
  await addEntry(tx, call, id, { act: 'promise', toDue: due })
  await call.log(tx, {
    action: '登记承诺',
    object: 'promise',
    objectId: id,
    after: { content, site_id: site.id, subject, due, responsible_id: responsible },
  })
  tell(tx, call, {
    topic: 'promise',
    bc: site.bc_id,
    site: site.id,
    id,
    line: { kind: 'promise', title: `承诺“${content}”，${due} 到期` },
  })
  for (const { how, old } of answers.values()) {
    if (how.how === contradictionAnswer.code.supersede)
      await lapse(tx, call, old, {
        why: `被新的承诺取代：${content}（${due}）${how.reason && `，${how.reason}`}`,
      })
    else
      await addEntry(tx, call, id, { act: 'coexist', text: `“${old.content}”（${old.due}）：${how.reason}` })
  }
  await passTurn(tx, 'promise', 'promise', {
    ...noticeOf({ id, bc_id: site.bc_id, site_id: site.id }),
    tenant,
    actor: me,
    named: namedIn(responsible),
    title: `${nickname}向 ${site.ws_name} 的业主承诺“${content}”，${due} 到期，由您负责`,
  })
  return { id }
}
