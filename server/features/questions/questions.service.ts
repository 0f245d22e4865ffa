import { questionActions } from '@zhuguan/contract/features/questions/questions.actions.ts'
import type { questionsApi } from '@zhuguan/contract/features/questions/questions.api.ts'
import { questionState } from '@zhuguan/contract/features/questions/questions.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, refuse, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { type FileStore, unlessCopied, useFiles } from '../files/files.service.ts'
import { tell } from '../live/live.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { answerIn, takeAnswer } from './answering.service.ts'
import { noticeOf, whatOf } from './question-telling.ts'
import { livingContact, lockOpen, lockQuestion, type LockedQuestion } from './questions.queries.ts'

type Api = typeof questionsApi

/** One question as whoever acts has seen it, and may act on. */
async function openFor(
  tx: Tx,
  call: Call,
  action: 'record' | 'withdraw',
  body: { id: string; version: number },
): Promise<LockedQuestion> {
  const q = found(await lockQuestion(tx, call.user.scope, body.id))
  unlessSeen(q, body.version, '个问题')
  refuse(questionActions.refusal(action, q, actorAt(call.user, q), call.now().getTime() / 1000))
  return q
}

/** The owner said it at the door or by telephone: staff write it down, with what proves it. */
export async function recordAnswer(
  tx: Tx,
  call: Call,
  files: FileStore,
  body: BodyOf<Api['record']>,
): Promise<void> {
  const q = await openFor(tx, call, 'record', body)
  const contact = found(await livingContact(tx, call.user.tenant, q.site_id, body.contact_id))
  const { choice, pictures, words } = body
  answerIn(q, { choice, words })
  const proof = { bc: q.bc_id, proves: q.id }
  await useFiles(tx, call, pictures, { ...proof, site: q.site_id, takenAfter: q.askedAt, since: '提出问题' })
  await unlessCopied(tx, call, files, pictures, proof)
  await takeAnswer(tx, call, q, { choice, words, contact, recorded: { by: call.user.nickname, pictures } })
}

/** Nobody has to decide it any more. */
async function close(tx: Tx, call: Call, q: LockedQuestion, why: string, bySystem: boolean): Promise<void> {
  const { nickname, tenant } = call.user
  await tx.run(
    'questions.withdraw',
    `UPDATE questions
     SET state = '${questionState.code.withdrawn}', withdrawn_for = $3, closed_at = :now, changed_by = $4,
       changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, q.id, why, bySystem ? '系统' : nickname],
  )
  await call.log(tx, {
    action: '撤回询问',
    object: 'question',
    objectId: q.id,
    before: { state: q.state },
    after: { words: q.words, site_id: q.site_id, state: questionState.code.withdrawn, text: why },
  })
  tell(tx, call, {
    topic: 'question',
    bc: q.bc_id,
    site: q.site_id,
    id: q.id,
    line: { kind: 'owner', title: `撤回问业主的“${q.words}”：${why}` },
  })
  await passTurn(tx, 'question', bySystem ? 'lapse' : 'withdraw', {
    ...noticeOf(q),
    tenant,
    actor: call.user.id,
    title: `${whatOf(q)}已${bySystem ? '由系统' : `由${nickname}`}撤回：${why}`,
  })
}
export async function withdrawQuestion(tx: Tx, call: Call, body: BodyOf<Api['withdraw']>): Promise<void> {
  await close(tx, call, await openFor(tx, call, 'withdraw', body), body.reason, false)
}

/** All that a home has not decided is withdrawn, because of something else. */
export async function lapseQuestions(tx: Tx, call: Call, site: string, why: string): Promise<void> {
  for (const q of await lockOpen(tx, call.user.scope, site)) await close(tx, call, q, why, true)
}
