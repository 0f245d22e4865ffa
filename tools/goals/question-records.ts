import { api } from '@zhuguan/contract/api.ts'

import { dayAhead } from '../../server/testing/time.ts'
import type { Caller } from './client.ts'
import type { Machine, Place } from './machine-records.ts'
import type { Stage } from './stage.ts'
import { QUESTION } from './states.ts'

/** What an owner is asked, made once, then put where the table says; `said` proves what staff write down. */
export async function questionMachine(
  stage: Stage,
  admin: Caller,
  of: Place,
  said: string[],
): Promise<Machine> {
  const one = async <R = { id: string }>(text: string, values: unknown[] = []) =>
    (await stage.owner.query(text, values)).rows[0] as R
  const write = async (text: string, values: unknown[] = []) => void (await stage.owner.query(text, values))
  const question = await one(
    `INSERT INTO questions (tenant_id, id, bc_id, site_id, words, needed_by, asker_id, asked_at)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, '主卧插座加在哪面墙', current_date, $2, now() - interval '9 days'
     FROM sites WHERE id = $1 RETURNING id`,
    [of.site, of.manager],
  )
  const asked = await one(
    `SELECT id FROM home_contacts WHERE site_id = $1 AND owner_id IS NOT NULL AND ended_at IS NULL`,
    [of.site],
  )
  return {
    lines: QUESTION,
    id: question.id,
    reasons: ['withdraw'],
    async put(situation) {
      const [state] = situation.replace(',', '').split(' ')
      await write('UPDATE sites SET status = $2 WHERE id = $1', [of.site, situation.endsWith('over') ? 4 : 1])
      await write('DELETE FROM questions WHERE again_of = $1', [question.id])
      await write('DELETE FROM question_answers WHERE question_id = $1', [question.id])
      await write(
        `UPDATE questions SET state = $2, version = 7,
           needed_by = current_date + CASE WHEN $3 LIKE '%overdue' THEN -3 ELSE 3 END,
           closed_at = CASE WHEN $2 <> 'open' THEN now() END,
           withdrawn_for = CASE WHEN $2 = 'withdrawn' THEN '不用了' ELSE '' END
         WHERE id = $1`,
        [question.id, state, situation],
      )
      if (situation.endsWith('anew'))
        await write(
          `INSERT INTO questions (tenant_id, id, bc_id, site_id, words, needed_by, asker_id, asked_at, again_of)
           SELECT tenant_id, gen_random_uuid(), bc_id, site_id, words, needed_by, asker_id, now(), id
           FROM questions WHERE id = $1`,
          [question.id],
        )
    },
    ask(command, reason) {
      const seen = { id: question.id, version: 7 }
      if (command === 'withdraw') return admin.ask(api.questions.withdraw, { body: { ...seen, reason } })
      if (command === 'record')
        return admin.ask(api.questions.record, {
          body: { ...seen, contact_id: asked.id, words: '床头左边', pictures: said },
        })
      return admin.ask(api.questions.ask, {
        body: { site_id: of.site, words: '插座再问一次', neededBy: dayAhead(40), again: seen },
      })
    },
    stands: async () =>
      (await one<{ at: string }>('SELECT state AS at FROM questions WHERE id = $1', [question.id])).at,
  }
}
