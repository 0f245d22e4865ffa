import { randomUUID } from 'node:crypto'

import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import type { TestServer } from './start.ts'

const HOUR = 3_600_000
export interface LedSite {
  id: string
  bc: string
  name: string
}
/** One judged record as a story laid it: what the figures must say is worked out from these, and from nothing else. */
export interface Laid {
  id: string
  what: 'complaint' | 'correction' | 'promise' | 'task' | 'warning'
  site: string
  /** Whose it was. */
  people: string[]
  at: Date
  bad: number
}

/** Lays records of a branch for stories of supervision, each with whose it was then; nothing else is there. */
export async function openBook(server: TestServer, bc: string) {
  const laid: Laid[] = []
  const today = shanghaiDay(server.now())
  const moment = (daysAgo: number, hour = 10) =>
    new Date(Date.parse(`${addDays(today, -daysAgo)}T00:00:00+08:00`) + hour * HOUR)
  const later = (at: Date, hours: number) => new Date(at.getTime() + hours * HOUR)
  for (const table of ['promise_events', 'promises', 'warning_events', 'warnings', 'patrol_tasks'])
    await server.sql(`DELETE FROM ${table}`)
  await server.sql('UPDATE patrol_items SET correction_id = NULL')
  for (const table of [
    'feedback_events',
    'feedback_supervisors',
    'feedback',
    'correction_logs',
    'corrections',
  ])
    await server.sql(`DELETE FROM ${table}`)
  const [place] = await server.sql<{ tenant: string; author: string }>(
    'SELECT tenant_id AS tenant, id AS author FROM users WHERE bc_id = $1 ORDER BY user_name LIMIT 1',
    [bc],
  )
  const { author, tenant } = place!
  const [plan] = await server.sql<{ id: string }>(
    `INSERT INTO patrol_plans (tenant_id, id, bc_id, name, kind, every, weekdays, share, user_ids, from_time, to_time,
       days, starts_on)
     VALUES ($1, gen_random_uuid(), $2, '每日巡检', 'remote', 'day', '{1,2,3,4,5,6,7}', 'one', ARRAY[$3::uuid], '08:00',
       '18:00', 1, :today - 200)
     RETURNING id`,
    [tenant, bc, author],
  )
  const note = (one: Laid) => {
    laid.push(one)
    return one.id
  }
  return {
    laid,
    moment,
    tenant,
    /** The site was in this stage from so many days ago. */
    async stages(site: string, all: Record<string, number>) {
      await server.sql(
        'UPDATE site_stages SET actual_start = NULL, actual_finish = NULL WHERE site_id = $1',
        [site],
      )
      for (const [stage, daysAgo] of Object.entries(all))
        await server.sql('UPDATE site_stages SET actual_start = $3 WHERE site_id = $1 AND stage = $2', [
          site,
          stage,
          addDays(today, -daysAgo),
        ])
    },
    /** The person who led the site by a post, one after the other, each from so many days ago. */
    async leads(site: string, post: 1 | 2, turns: readonly (readonly [who: string, daysAgo: number])[]) {
      await server.sql('DELETE FROM site_leads WHERE of_site = $1 AND post = $2', [site, post])
      for (const [i, [who, daysAgo]] of turns.entries()) {
        const to = turns[i + 1]
        await server.sql(
          'INSERT INTO site_leads (tenant_id, of_site, post, from_at, user_id, to_at) VALUES ($1, $2, $3, $4, $5, $6)',
          [tenant, site, post, moment(daysAgo, 0), who, to ? moment(to[1], 0) : null],
        )
      }
      const last = turns.at(-1)![0]
      await server.sql(`UPDATE sites SET ${post === 1 ? 'steward_id' : 'manager_id'} = $2 WHERE id = $1`, [
        site,
        last,
      ])
    },
    /** A correction that was with somebody for so many hours; due after `due` hours; handed in or handed on. */
    async correction(o: {
      site: string
      who: string
      daysAgo: number
      hours: number
      due?: number
      ended?: 'handed' | 'submitted' | null
      status?: number
      started?: number
      source?: string
      source_id?: string
    }) {
      const { due = 24, ended = 'submitted', started = 1, status = 3 } = o
      const id = randomUUID()
      const at = moment(o.daysAgo)
      const dueAt = later(at, due)
      const toAt = ended ? later(at, o.hours) : null
      await server.sql(
        `INSERT INTO corrections (tenant_id, id, bc_id, site_id, source, source_id, problem, at, correction_status,
           step, assignee_id, due_at, closed_at, changed_by, changed_at)
         VALUES ($1, $2, $3, $4, $5, $6, '阴角不直', $7, $8, $9, $10, $11, $12, '', $7)`,
        [
          tenant,
          id,
          bc,
          o.site,
          o.source ?? 'tidiness',
          o.source_id ?? randomUUID(),
          at,
          status,
          status === 2 ? 'doing' : null,
          o.who,
          dueAt,
          status === 3 ? toAt : null,
        ],
      )
      await server.sql('DELETE FROM correction_turns WHERE correction_id = $1', [id])
      await server.sql(
        `INSERT INTO correction_turns (tenant_id, correction_id, from_at, user_id, due_at, to_at, ended)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [tenant, id, at, o.who, dueAt, toAt, ended],
      )
      if (started < o.hours)
        await server.sql(
          `INSERT INTO correction_logs (tenant_id, id, correction_id, at, actor, action, text, pictures)
           VALUES ($1, gen_random_uuid(), $2, $3, '', '开始整改', '', '{}')`,
          [tenant, id, later(at, started)],
        )
      const isLate = dueAt < (toAt ?? server.now())
      const isDone = ended === 'submitted' && status === 3
      if (isLate || isDone)
        note({
          id,
          what: 'correction',
          site: o.site,
          people: [o.who],
          // Judged once: on the day on which the time ran out, else on that on which it was handed in.
          at: isLate ? dueAt : toAt!,
          bad: +isLate,
        })
      return id
    },
    /** A window of a plan that is over; `outcome` as the table has it, nothing where nobody came. */
    async task(o: { site: string; people: string[]; daysAgo: number; outcome: 3 | 4 | 6 | null }) {
      const id = randomUUID()
      const opens = moment(o.daysAgo, 8)
      await server.sql(
        `INSERT INTO patrol_tasks (tenant_id, id, bc_id, site_id, plan_id, day, user_ids, opens_at, closes_at,
           lapses_at, outcome, user_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [
          tenant,
          id,
          bc,
          o.site,
          plan!.id,
          shanghaiDay(opens),
          o.people,
          opens,
          later(opens, 10),
          later(opens, 34),
          o.outcome,
          o.people[0],
        ],
      )
      const isOver = o.outcome !== null || later(opens, 34) <= server.now()
      if (isOver && o.outcome !== 6)
        note({
          id,
          what: 'task',
          site: o.site,
          people: o.people,
          at: later(opens, 10),
          bad: +(o.outcome === null),
        })
      return id
    },
    /** A promise for a day that is over, whose it was on that day, kept by it or not. */
    async promise(o: { site: string; who: string; daysAgo: number; kept: boolean }) {
      const id = randomUUID()
      const due = addDays(today, -o.daysAgo)
      const made = moment(o.daysAgo + 5)
      await server.sql(
        `INSERT INTO promises (tenant_id, id, bc_id, site_id, content, subject, author_id, post, responsible_id,
           first_due, due, state, made_at, changed_by, changed_at)
         VALUES ($1, $2, $3, $4, '周五铺完', 'schedule', $5, 2, $6, $7, $7, $8, $9, '', $9)`,
        [tenant, id, bc, o.site, author, o.who, due, o.kept ? 'kept' : 'broken', made],
      )
      await server.sql(
        `INSERT INTO promise_events (tenant_id, id, promise_id, act, actor, pictures, at)
         VALUES ($1, gen_random_uuid(), $2, $3, '', '{a.jpg}', $4)`,
        [tenant, id, o.kept ? 'keep' : 'break', o.kept ? moment(o.daysAgo, 9) : moment(o.daysAgo - 1, 9)],
      )
      note({ id, what: 'promise', site: o.site, people: [o.who], at: moment(o.daysAgo, 0), bad: +!o.kept })
      return id
    },
    /** A complaint of the home, and whose it concerned then. */
    async complaint(o: { site: string; people: string[]; daysAgo: number; hidden?: string; about?: string }) {
      const id = randomUUID()
      const at = moment(o.daysAgo)
      await server.sql(
        `INSERT INTO feedback (tenant_id, id, no, bc_id, site_id, kind, level, about, about_id, channel, words,
           entered_by, entered_at, answer_warn_at, answer_due_at, changed_by, changed_at, hidden_from)
         VALUES ($1, $2, $3, $4, $5, 'complaint', 1, $6, $7, 'phone', '墙面不平', '', $8, $8, $8, '', $8, $9)`,
        [
          tenant,
          id,
          `FK-${id.slice(0, 8)}`,
          bc,
          o.site,
          o.about ? 'person' : 'work',
          o.about ?? null,
          at,
          o.hidden ?? null,
        ],
      )
      note({ id, what: 'complaint', site: o.site, people: o.people, at, bad: 1 })
      return id
    },
    /** A warning that ended, by doing or by moving the plan. */
    async warning(o: {
      site: string
      people: string[]
      daysAgo: number
      ended: 'done' | 'replanned' | 'hand'
    }) {
      const id = randomUUID()
      const at = moment(o.daysAgo)
      await server.sql(
        `INSERT INTO warnings (tenant_id, id, bc_id, site_id, rule, cause, about, deviation, level, told_level, ball,
           state, opened_at, closed_at, ended, changed_by, changed_at)
         VALUES ($1, $2, $3, $4, 'failed', $5, '阴角', 2, 1, 1, 'manager', 'closed', $6, $6, $7, '', $6)`,
        [tenant, id, bc, o.site, id, at, o.ended],
      )
      if (o.ended !== 'hand')
        note({ id, what: 'warning', site: o.site, people: o.people, at, bad: +(o.ended === 'replanned') })
      return id
    },
  }
}
export type Book = Awaited<ReturnType<typeof openBook>>
