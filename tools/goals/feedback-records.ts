import { api } from '@zhuguan/contract/api.ts'

import { addDays, shanghaiDay } from '../../server/kit/shanghai.ts'
import { type Caller, fitting, signIn } from './client.ts'
import type { Machine, Place } from './machine-records.ts'
import { FEEDBACK } from './owner-states.ts'
import type { Stage } from './stage.ts'

/** The days that one may be paused in all are over. */
const ENOUGH_S = 400 * 86_400

const STEPS: Record<string, number> = { raise: 1, lower: -1 }
/**
 * What an owner said with a correction of it, made once, then put where the table says; by a supervisor, or by the
 * site's steward.
 */
export async function feedbackMachine(stage: Stage, url: string, admin: Caller, of: Place): Promise<Machine> {
  const one = async <R>(text: string, values: unknown[]) =>
    (await stage.owner.query(text, values)).rows[0] as R
  const write = async (text: string, values: unknown[]) => void (await stage.owner.query(text, values))
  const made = async (heard: ReturnType<Caller['ask']>) => {
    const { data, msg } = await heard
    if (!data) throw new Error(msg)
    return (data as { id: string }).id
  }
  const said = {
    site_id: of.site,
    kind: 'repair',
    level: 2,
    about: 'work',
    channel: 'phone',
    words: '水龙头漏水',
  }
  const id = await made(admin.ask(api.feedback.enter, { body: said }))
  const { name } = await one<{ name: string }>('SELECT user_name AS name FROM users WHERE id = $1', [
    of.steward,
  ])
  const steward = await signIn(url, name)
  const seen = { id, version: 7 }
  await admin.ask(api.feedback.accept, { body: { id, version: 0, level: 2, assignee_id: of.manager } })
  const child = await made(
    admin.ask(api.feedback.correct, {
      body: { id, version: 1, problem: '换一个水龙头', assignee_id: of.manager },
    }),
  )
  let who = admin
  let answers = 0
  let level = 2
  let open: string[] = []
  return {
    lines: FEEDBACK,
    id,
    reasons: ['transfer', 'escalate', 'raise', 'lower', 'pause', 'cancel', 'reopen'],
    async put(situation) {
      const words = situation.replaceAll(',', '').split(' ')
      const is = (...some: string[]) => some.some((word) => words.includes(word))
      const state = Number(words[0])
      who = is('steward') ? steward : admin
      answers = is('answered') || state === 3 ? 1 : 0
      open = is('correcting') ? [child] : []
      level = Number(/level (\d)/.exec(situation)?.[1] ?? 2)
      const hidden = is('hidden') ? of.steward : null
      const low = is('low') ? 2 : 5
      const score = is('scored') ? low : null
      const theirs = is('another') ? of.manager : of.steward
      const assignee = is('mine') ? of.me : theirs
      await write(`UPDATE sites SET status = 1, steward_id = $2, manager_id = $3 WHERE id = $1`, [
        of.site,
        of.steward,
        of.manager,
      ])
      await write('DELETE FROM feedback_supervisors WHERE feedback_id = $1', [id])
      await write(
        `UPDATE corrections SET correction_status = CASE WHEN id = $2 AND $3 THEN 1 ELSE 4 END, step = NULL,
           closed_at = CASE WHEN id = $2 AND $3 THEN NULL ELSE now() END
         WHERE source = 'feedback' AND source_id = $1`,
        [id, child, open.length > 0],
      )
      await write(
        `UPDATE feedback SET version = 7, round = 1, status = $2::smallint, kind = $3, level = $4, assignee_id = $5,
           about_id = $6, hidden_from = $7, answers = $8::int, answered_at = CASE WHEN $8::int > 0 THEN now() END,
           rung = $9, climbed_at = NULL, paused_at = CASE WHEN $10 THEN now() END,
           paused_until = CASE WHEN $10 THEN now() + interval '1 day' END,
           pause_for = CASE WHEN $10 THEN 'third' END, pause_text = '', paused_s = $11,
           answer_warn_at = now() + interval '2 hours', answer_due_at = now() + interval '3 hours',
           close_warn_at = now() + interval '20 hours', close_due_at = now() + interval '24 hours',
           closed_at = CASE WHEN $2::smallint > 2
             THEN now() - CASE WHEN $12 THEN interval '400 days' ELSE interval '1 day' END END,
           cause = NULL, result = '', cancelled = NULL, of_id = NULL, score = $13, scored_by = '', called_back = $14
         WHERE id = $1`,
        [
          id,
          state,
          ['complaint', 'praise', 'suggestion'].find((kind) => is(kind)) ?? 'repair',
          level,
          state === 1 ? null : assignee,
          is('about') ? of.me : hidden,
          hidden,
          answers,
          is('top') ? 3 : 0,
          is('paused') && !is('enough'),
          is('enough') ? ENOUGH_S : 0,
          is('ago'),
          score,
          is('called'),
        ],
      )
    },
    ask(command, reason) {
      const endpoint = api.feedback[command as 'accept']
      return who.ask(endpoint, {
        body: fitting<object>(endpoint, {
          ...seen,
          reason,
          answers,
          level: level + (STEPS[command] ?? 0),
          assignee_id: of.manager,
          words: '已经和业主说好',
          problem: '再换一个水龙头',
          pauseFor: 'third',
          until: addDays(shanghaiDay(new Date()), 1),
          cause: command === 'cancel' ? 'withdrawn' : 'works',
          result: '换好了',
          score: 5,
          kept: open,
        }),
      })
    },
    stands: async () =>
      (
        await one<{ at: string }>(
          `SELECT concat_ws(' ', f.status, CASE WHEN f.hidden_from IS NULL THEN 'shown' ELSE 'hidden' END, 'level',
             f.level, CASE WHEN f.paused_at IS NOT NULL THEN 'paused' END, CASE WHEN f.rung > 0 THEN 'climbed' END,
             CASE WHEN f.round = 2 AND f.answered_at IS NULL AND f.score IS NULL THEN 'fresh' END,
             CASE WHEN f.score IS NOT NULL THEN 'scored' END, CASE WHEN f.called_back THEN 'called' END) AS at
           FROM feedback f WHERE f.id = $1`,
          [id],
        )
      ).at,
  }
}
