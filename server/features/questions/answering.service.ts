import { questionState } from '@zhuguan/contract/features/questions/questions.record.ts'

import type { Tx } from '../../database/connect.ts'
import { invalid } from '../../kit/refuse.ts'
import type { Caller } from '../../kit/serve.ts'
import { tell } from '../live/live.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { noticeOf, whatOf } from './question-telling.ts'
import type { LockedQuestion } from './questions.queries.ts'

export interface Said {
  choice: number | null
  words: string
}

/** An answer fits its question: one of the options, or words where there are none. In words. */
export function answerIn(q: Pick<LockedQuestion, 'options'>, { choice, words }: Said): string {
  if (q.options.length === 0) {
    if (choice !== null) throw invalid('choice', '这个问题没有选项，请用文字答复')
    if (!words) throw invalid('words', '请写下答复')
    return words
  }
  if (words) throw invalid('words', '这个问题请选一个选项')
  const option = choice === null ? undefined : q.options[choice - 1]
  if (option === undefined) throw invalid('choice', '请选一个选项')
  return option
}

/** Somebody of the home has said something; the first counts and closes the question. */
export async function takeAnswer(
  tx: Tx,
  call: Caller,
  q: LockedQuestion,
  a: Said & {
    contact: { id: string; name: string }
    /** Known by the hand of one of the company alone, with what proves it. */
    recorded?: { by: string; pictures: string[] }
  },
): Promise<void> {
  const { nickname, tenant } = call.user
  const said = answerIn(q, a)
  const counts = q.state === questionState.code.open
  await tx.run(
    'questions.answer',
    `INSERT INTO question_answers (tenant_id, id, question_id, contact_id, choice, words, counts, recorded_by, pictures,
       at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, :now)`,
    [
      tenant,
      call.newId(),
      q.id,
      a.contact.id,
      a.choice,
      a.words,
      counts,
      a.recorded?.by ?? '',
      a.recorded?.pictures ?? [],
    ],
  )
  await tx.run(
    'questions.answered',
    `UPDATE questions
     SET state = CASE WHEN $3 THEN '${questionState.code.answered}' ELSE state END,
       closed_at = CASE WHEN $3 THEN :now ELSE closed_at END, changed_by = $4, changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, q.id, counts, nickname],
  )
  const by = a.recorded ? `${a.contact.name}（${a.recorded.by}代录）` : a.contact.name
  await call.log(tx, {
    action: a.recorded ? '代录业主答复' : '业主答复',
    object: 'question',
    objectId: q.id,
    before: { state: q.state },
    after: {
      words: q.words,
      site_id: q.site_id,
      contact: a.contact.name,
      answer: said,
      ...(counts ? { state: questionState.code.answered } : { text: '另一位联系人的答复，不替代已有的' }),
    },
  })
  tell(tx, call, {
    topic: 'question',
    bc: q.bc_id,
    site: q.site_id,
    id: q.id,
    line: {
      kind: 'owner',
      title: `${by}答复“${q.words}”：${said}${counts ? '' : '（已有别的联系人先答复）'}`,
      picture: a.recorded?.pictures[0] ?? null,
    },
  })
  if (!counts && said === q.answer) return
  const closing = q.costs ? 'costs' : 'answer'
  const follows = q.costs ? `；费用有变（${q.estimate}），需要另签增减项变更` : ''
  await passTurn(tx, 'question', counts ? closing : 'differ', {
    ...noticeOf(q),
    tenant,
    actor: call.user.id || undefined,
    title: counts
      ? `${whatOf(q)}已由${by}答复：${said}${follows}`
      : `${whatOf(q)}，${by}的答复不同：${said}（已有的是：${q.answer}），请和业主确认，必要时重新询问`,
  })
}
