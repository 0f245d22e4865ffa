import { api } from '@zhuguan/contract/api.ts'

import { dayAhead } from '../../server/testing/time.ts'
import type { Caller } from './client.ts'
import { feedbackMachine } from './feedback-records.ts'
import { grantMachine } from './grant-records.ts'
import type { Machine, Place } from './machine-records.ts'
import { questionMachine } from './question-records.ts'
import type { Stage } from './stage.ts'
import { PROMISE, RECEPTION } from './states.ts'
import { warningMachine } from './warning-records.ts'

/** What is between a home and its people: each record made once, then put where the table says. */
export async function homeRecords(
  stage: Stage,
  url: string,
  admin: Caller,
  of: Place,
  proof: (variant: number) => Promise<string>,
): Promise<Record<string, Machine>> {
  const { me } = of
  const one = async (text: string, values: unknown[]) =>
    (await stage.owner.query<{ id: string }>(text, values)).rows[0]!
  const write = async (text: string, values: unknown[]) => void (await stage.owner.query(text, values))
  const words = (text: string, id: string) => async () =>
    (await stage.owner.query<{ at: string }>(text, [id])).rows[0]!.at

  const promise = await one(
    `INSERT INTO promises (tenant_id, id, bc_id, site_id, content, subject, author_id, post, responsible_id, first_due,
       due, made_at, changed_by, changed_at)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, '阳台柜门换好', 'quality', $2, 2, $2, current_date, current_date,
       now() - interval '20 days', '', now()
     FROM sites WHERE id = $1
     RETURNING id`,
    [of.site, of.manager],
  )
  const kept = [await proof(9)]
  const promiseOf: Machine = {
    lines: PROMISE,
    id: promise.id,
    reasons: ['extend', 'object', 'uphold', 'dismiss', 'break', 'withdraw'],
    async put(situation) {
      const [state] = situation.split(' ')
      await write('DELETE FROM promise_events WHERE promise_id = $1', [promise.id])
      await write(
        `UPDATE promises SET state = $2, version = 7, objected = $3 LIKE '%objected%',
           responsible_id = CASE WHEN $3 LIKE '%mine' THEN $4::uuid ELSE $5::uuid END,
           first_due = current_date - 9, due = current_date + CASE WHEN $3 LIKE '%overdue' THEN -3 ELSE 3 END
         WHERE id = $1`,
        [promise.id, state, situation, me, of.manager],
      )
      if (state === 'kept')
        await write(
          `INSERT INTO promise_events (tenant_id, id, promise_id, act, actor, pictures, at)
           SELECT tenant_id, gen_random_uuid(), id, 'keep', '', '{proof.jpg}',
             now() - CASE WHEN $2 LIKE '%ago' THEN interval '8 days' ELSE interval '1 day' END
           FROM promises WHERE id = $1`,
          [promise.id, situation],
        )
    },
    ask: (command, reason) =>
      admin.ask(api.promises[command as 'withdraw'], {
        body: {
          id: promise.id,
          version: 7,
          ...(command === 'keep' ? { pictures: kept } : {}),
          ...(command === 'extend' ? { due: dayAhead(300) } : {}),
          reason,
        },
      }),
    stands: words(
      `SELECT concat_ws(' ', state, CASE WHEN objected THEN 'objected' END) AS at FROM promises WHERE id = $1`,
      promise.id,
    ),
  }

  const reception = await one(
    `INSERT INTO receptions (tenant_id, id, bc_id, site_id, at, planned, host_id, purpose, state, entered_by,
       entered_id)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, now() + interval '1 day', true, $2, 'look', 'planned', '',
       u.id
     FROM sites w JOIN users u ON u.tenant_id = w.tenant_id AND u.user_name = 'admin' WHERE w.id = $1 RETURNING id`,
    [of.site, of.manager],
  )
  const receptionOf: Machine = {
    lines: RECEPTION,
    id: reception.id,
    reasons: ['finish', 'miss', 'cancel'],
    async put(situation) {
      const [state] = situation.split(' ')
      await write(
        `UPDATE receptions SET state = $2, version = 7, host_id = $4,
           at = now() + CASE WHEN $3 LIKE '%late' THEN interval '-1 hour' ELSE interval '1 day' END,
           arrived_at = CASE WHEN $2 IN ('arrived', 'done') THEN now() END,
           ended_at = CASE WHEN $2 IN ('done', 'missed', 'cancelled') THEN now() END,
           score = CASE WHEN $3 LIKE '%low%' THEN 2 WHEN $3 LIKE '%scored%' THEN 5 END,
           score_words = '', scored_by = '', called_back = $3 LIKE '%called'
         WHERE id = $1`,
        [reception.id, state, situation, of.manager],
      )
    },
    ask(command, reason) {
      const seen = { id: reception.id, version: 7 }
      if (command === 'score')
        return admin.ask(api.receptions.score, { body: { ...seen, score: 5, words: '' } })
      if (command === 'host')
        return admin.ask(api.receptions.host, { body: { ...seen, host_id: of.steward } })
      if (command === 'callback')
        return admin.ask(api.receptions.callback, { body: { ...seen, words: '已道歉' } })
      return command === 'arrive'
        ? admin.ask(api.receptions.arrive, { body: seen })
        : admin.ask(api.receptions[command as 'cancel'], { body: { ...seen, reason } })
    },
    stands: words(
      `SELECT concat_ws(' ', state, CASE WHEN score IS NOT NULL THEN 'scored' END,
         CASE WHEN called_back THEN 'called' END) AS at
       FROM receptions WHERE id = $1`,
      reception.id,
    ),
  }

  const questionOf = await questionMachine(stage, admin, of, [await proof(11)])
  const warningOf = await warningMachine(stage, admin, of)
  const grantOf = await grantMachine(stage, admin, of)
  const feedbackOf = await feedbackMachine(stage, url, admin, of)
  // Nothing of it is under way while other records of the site are tried.
  await promiseOf.put('withdrawn')
  await receptionOf.put('cancelled')
  await questionOf.put('withdrawn')
  await feedbackOf.put('4')
  await warningOf.put('closed')
  return {
    promiseActions: promiseOf,
    receptionActions: receptionOf,
    questionActions: questionOf,
    warningActions: warningOf,
    grantActions: grantOf,
    feedbackActions: feedbackOf,
  }
}
