import { type OwnerQuestion } from '@zhuguan/contract/features/questions/question-page.record.ts'
import { questionState } from '@zhuguan/contract/features/questions/questions.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'

import type { Tx } from '../../database/connect.ts'
import { refuse, Refused } from '../../kit/refuse.ts'
import { bool, float8, int2, int4, json, row, text, texts, there, uuid } from '../../kit/row.ts'
import type { Caller } from '../../kit/serve.ts'
import { staffOf } from '../../kit/staff-of.ts'
import { epoch } from '../../kit/statement.ts'
import { answerIn, type Said, takeAnswer } from './answering.service.ts'
import {
  ANSWERS_WITH_CONTACT,
  ASKED_ANEW,
  LATE_DAYS,
  livingContact,
  lockQuestion,
  REST,
} from './questions.queries.ts'
import { PICTURES, readByHome } from './undecided.reads.ts'

/** Somebody who stands before the home's page. */
export interface Contact {
  id: string
  site_id: string
  name: string
}
const { answered, withdrawn } = questionState.code

interface Answer {
  contact_id: string
  contactName: string
  choice: number | null
  words: string
  counts: boolean
  at: number
  recordedBy: string
}
/** Open ones first, by their day; then what was answered or withdrawn lately. */
export async function ownerQuestions(tx: Tx, call: Caller, contact: Contact): Promise<OwnerQuestion[]> {
  const { rows } = await tx.query(
    'questions.home',
    row({
      id: uuid,
      words: text,
      options: texts,
      neededBy: text,
      rest: bool,
      lateDays: int4.null,
      stage: text.of(siteStage).null,
      pictures: texts,
      costs: bool,
      estimate: text,
      post: int2.of(principalPost).null,
      role: text.null,
      asker: text,
      askedAt: float8,
      answered: bool,
      withdrawnFor: text,
      closedAt: float8.null,
      askedAnew: uuid.null,
      answers: json<Answer[]>(),
    }),
    `SELECT q.id, q.words, q.options, q.needed_by::text AS "neededBy", ${REST} AS rest, ${LATE_DAYS} AS "lateDays",
       q.stage,
       CASE WHEN q.withdrawn_for = '' THEN ${PICTURES} ELSE '{}' END AS pictures, q.costs, q.estimate,
       CASE q.asker_id WHEN w.steward_id THEN ${principalPost.code.steward}::smallint
         WHEN w.manager_id THEN ${principalPost.code.manager}::smallint ELSE u.post END AS post,
       (SELECT min(r.name) FROM user_roles k JOIN roles r ON r.tenant_id = $1 AND r.id = k.role_id
        WHERE k.tenant_id = $1 AND k.user_id = u.id) AS role,
       u.nickname AS asker, ${epoch('q.asked_at')} AS "askedAt", q.state = '${answered}' AS answered,
       q.withdrawn_for AS "withdrawnFor", ${epoch('q.closed_at')} AS "closedAt",
       ${ASKED_ANEW} AS "askedAnew", ${ANSWERS_WITH_CONTACT} AS answers
     FROM questions q
     JOIN sites w ON w.tenant_id = $1 AND w.id = q.site_id
     JOIN users u ON u.tenant_id = $1 AND u.id = q.asker_id
     WHERE ${readByHome('$2')}
     ORDER BY q.closed_at DESC NULLS FIRST, q.needed_by, q.id
     LIMIT 100`,
    [call.user.tenant, contact.site_id],
  )
  return rows.map(({ answers, asker, askedAnew, post, role, ...q }) => ({
    ...q,
    askedBy: staffOf(post === null ? (role ?? '工作人员') : principalPost.label(post), asker),
    answers: answers.map(({ contact_id, contactName, recordedBy, ...a }) => ({
      ...a,
      name: contactName,
      own: contact_id === contact.id,
      recorded: recordedBy !== '',
    })),
    mayAnswer:
      !q.withdrawnFor && (!q.answered || (!askedAnew && !answers.some((a) => a.contact_id === contact.id))),
  }))
}

/** One of the home decides. The first answer counts; what another says is kept beside it. */
export async function ownerAnswers(
  tx: Tx,
  call: Caller,
  contact: Contact,
  { id, ...said }: Said & { id: string },
): Promise<void> {
  const { scope, tenant } = call.user
  const q = await lockQuestion(tx, scope, id)
  if (!q || q.site_id !== contact.site_id) throw new Refused('这个问题不在您家里', 404, 404)
  const living = await livingContact(tx, tenant, contact.site_id, contact.id)
  if (!living) throw new Refused('您已经不是这个家的联系人', 404, 404)
  if (!(await isRead(tx, tenant, contact.site_id, q.id))) throw new Refused('这个问题不在您家里', 404, 404)
  refuse(q.state === withdrawn ? '这个问题已经不用答复了' : undefined)
  refuse(q.askedAnew && q.state === answered ? '这个问题已经重新询问，请答复新的问题' : undefined)
  const words = answerIn(q, said)
  const own = await ownAnswer(tx, tenant, q.id, contact.id)
  if (own !== undefined) {
    // The same once more, from another telephone.
    if (own === words) return
    throw new Refused(`您已经答复过：${own}。要改请联系项目管家，由管家重新询问`)
  }
  await takeAnswer(tx, call, q, { ...said, contact: living })
}
async function ownAnswer(tx: Tx, tenant: string, question: string, contact: string) {
  const { rows } = await tx.query(
    'questions.own',
    row({ said: text }),
    `SELECT coalesce(q.options[a.choice], a.words) AS said
     FROM question_answers a
     JOIN questions q ON q.tenant_id = $1 AND q.id = a.question_id
     WHERE a.tenant_id = $1 AND a.question_id = $2 AND a.contact_id = $3`,
    [tenant, question, contact],
  )
  return rows[0]?.said
}
/** It is of their time, and still in sight. */
async function isRead(tx: Tx, tenant: string, site: string, id: string): Promise<boolean> {
  const { rows } = await tx.query(
    'questions.readby',
    there,
    `SELECT 1 FROM questions q WHERE ${readByHome('$2')} AND q.id = $3`,
    [tenant, site, id],
  )
  return rows.length > 0
}
