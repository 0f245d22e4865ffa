import { api } from '@zhuguan/contract/api.ts'

import type { Caller } from './client.ts'
import type { Machine, Place } from './machine-records.ts'
import type { Stage } from './stage.ts'
import { CORRECTION, PATROL, PLAN, TASK, TEMPLATE, TRUST, VIOLATION, VISIT } from './states.ts'

/** The person who corrected a correction in any round of it: who did so last, and this person. */
export const CORRECTED = `UPDATE corrections
  SET corrector_ids = array_remove(ARRAY[corrector_id, $2::uuid], NULL) WHERE id = $1`
const ITEMS = [{ title: '地面清洁', hint: '', weight: 1, photo: false }]

/** What is found on a site, who looks at it and when: each record made once, then put where the table says. */
export async function foundRecords(
  stage: Stage,
  admin: Caller,
  of: Place,
  proof: (variant: number) => Promise<string>,
): Promise<Record<string, Machine>> {
  const { me } = of
  const one = async <R = { id: string }>(text: string, values: unknown[] = []) =>
    (await stage.owner.query(text, values)).rows[0] as R
  const write = async (text: string, values: unknown[] = []) => void (await stage.owner.query(text, values))
  const made = async (heard: Promise<{ data: unknown; msg: string }>) => {
    const { data, msg } = await heard
    const { id } = (data ?? {}) as { id?: string }
    if (!id) throw new Error(msg)
    return id
  }
  const words = (text: string, id: string) => async () => (await one<{ at: string }>(text, [id])).at
  await write(`UPDATE sites SET status = 1, manager_id = $2, steward_id = $3 WHERE id = $1`, [
    of.site,
    of.manager,
    of.steward,
  ])

  const check = await one(
    `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, at, result)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, now(), 3 FROM sites WHERE id = $1 RETURNING id`,
    [of.site],
  )
  const correctionId = await made(
    admin.ask(api.tidiness.correct, {
      body: { id: check.id, version: 0, problem: '地面有垃圾', assignee_id: of.manager },
    }),
  )
  const pictures = [await proof(3)]
  const correction: Machine = {
    lines: CORRECTION,
    reasons: ['cancel', 'back', 'dispute', 'reopen'],
    async put(situation) {
      const [code, step, whose] = situation.replaceAll(',', '').split(' ')
      const isOpen = code === '2'
      await write('UPDATE sites SET status = $2 WHERE id = $1', [of.site, situation.endsWith('over') ? 4 : 1])
      const assignee = whose === 'mine' ? me : of.manager
      await write(
        `UPDATE corrections SET correction_status = $2, step = $3, assignee_id = $4, corrector_id = $5, version = 7,
           disputed = false,
           closed_at = CASE $6 WHEN 'lately' THEN now() WHEN 'long' THEN now() - interval '400 days' END
         WHERE id = $1`,
        [
          correctionId,
          code,
          isOpen ? step : null,
          isOpen ? assignee : null,
          step === 'submitted' ? assignee : null,
          isOpen ? '' : step,
        ],
      )
      await write(CORRECTED, [correctionId, situation.endsWith('before mine') ? me : null])
    },
    ask: (command, reason) =>
      admin.ask(api.corrections[command as 'assign'], {
        body: {
          id: correctionId,
          version: 7,
          ...(command === 'assign' ? { assignee_id: of.manager } : {}),
          ...(command === 'submit' ? { pictures } : {}),
          ...(command === 'cancel' ? { cause: 'wrong' } : {}),
          reason,
        },
      }),
    stands: words(
      `SELECT concat_ws(' ', correction_status, CASE WHEN correction_status = 2 THEN step END) AS at
       FROM corrections WHERE id = $1`,
      correctionId,
    ),
  }

  const violation = await one(
    `INSERT INTO violations (tenant_id, id, bc_id, site_id, worker_id, type, at, picture, points)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, $2, 'helmet', now(), 'proof.jpg', 2 FROM sites WHERE id = $1
     RETURNING id`,
    [of.site, of.worker],
  )
  const violationOf: Machine = {
    lines: VIOLATION,
    reasons: ['handle', 'object', 'uphold', 'withdraw'],
    put: (situation) =>
      write(
        `UPDATE violations SET status = $2, version = 7,
           objected_id = CASE WHEN $3 LIKE 'objected%' THEN $4::uuid ELSE $5::uuid END,
           handled_id = CASE WHEN $3 LIKE 'handled%' THEN $4::uuid END,
           entered_id = CASE WHEN $3 LIKE 'written%' THEN $4::uuid END
         WHERE id = $1`,
        [violation.id, situation[0], situation.slice(2), me, of.manager],
      ),
    ask: (command, reason) =>
      admin.ask(api.violations[command as 'handle'], { body: { id: violation.id, version: 7, reason } }),
    stands: words('SELECT status::text AS at FROM violations WHERE id = $1', violation.id),
  }

  const visit = await one(
    `INSERT INTO visits (tenant_id, id, bc_id, site_id, at, seconds)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, now(), 90 FROM sites WHERE id = $1 RETURNING id`,
    [of.site],
  )
  const seenFace = await proof(4)
  await write('UPDATE files SET site_id = $2, bc_id = $3 WHERE key = $1', [seenFace, of.site, of.bc])
  const seen = { id: visit.id, version: 7 }
  const visitOf: Machine = {
    lines: VISIT,
    reasons: [],
    async put(situation) {
      const mine = situation.endsWith('my site') ? me : of.steward
      await write('UPDATE sites SET steward_id = $2 WHERE id = $1', [
        of.site,
        situation.endsWith('without steward') ? null : mine,
      ])
      const isWorker = situation.startsWith('2 a worker')
      await write(
        `UPDATE visits SET handled = $2, version = 7, told_id = CASE WHEN $3 THEN $4::uuid END,
           told_at = CASE WHEN $3 THEN now() END, identity = $5, worker_id = $6, picture = $7
         WHERE id = $1`,
        [
          visit.id,
          situation.startsWith('2'),
          situation.endsWith('told'),
          of.steward,
          isWorker ? 'worker' : '',
          situation.includes('of ours') ? of.worker : null,
          situation.endsWith('without picture') ? null : seenFace,
        ],
      )
      await write('UPDATE workers SET status = 1, version = 7, w_face = NULL WHERE id = $1', [of.worker])
    },
    ask(command) {
      if (command === 'mark') return admin.ask(api.visitors.mark, { body: { ...seen, identity: 'owner' } })
      if (command === 'enrol')
        return admin.ask(api.visitors.enrol, { body: { ...seen, w_name: '李师傅', w_type: 3 } })
      if (command === 'tell') return admin.ask(api.visitors.tell, { body: seen })
      return admin.ask(api.visitors.face, {
        body: {
          ...seen,
          worker_version: 7,
          how: 'spoken',
          answeredOn: '2026-01-05',
          scope: '只用于工地考勤',
        },
      })
    },
    stands: words(`SELECT CASE WHEN handled THEN '2' ELSE '1' END AS at FROM visits WHERE id = $1`, visit.id),
  }

  const newTemplate = (name: string) =>
    made(admin.ask(api.patrolTemplates.add, { body: { name, bc_id: of.bc, items: ITEMS } }))
  const [template, spare] = [await newTemplate('逐项巡检'), await newTemplate('备用模板')]
  const newPlan = (name: string) =>
    one(
      `INSERT INTO patrol_plans (tenant_id, id, bc_id, name, kind, template_id, site_ids, every, weekdays, share,
         user_ids, from_time, to_time, days, starts_on)
       SELECT tenant_id, gen_random_uuid(), bc_id, $2, 'plan', $3, ARRAY[id], 'day', '{1}', 'one',
         ARRAY[$4::uuid], '08:00', '18:00', 1, now()::date
       FROM sites WHERE id = $1 RETURNING id`,
      [of.site, name, template, of.manager],
    )
  const plan = await newPlan('逐项巡检计划')
  const planOf: Machine = {
    lines: PLAN,
    reasons: ['stop'],
    put: (situation) =>
      write('UPDATE patrol_plans SET status = $2, version = 7 WHERE id = $1', [plan.id, situation]),
    ask: (command, reason) =>
      command === 'stop'
        ? admin.ask(api.patrolPlans.stop, { body: { id: plan.id, version: 7, reason } })
        : admin.ask(api.patrolPlans.edit, {
            body: {
              id: plan.id,
              version: 7,
              name: '逐项巡检计划',
              kind: 'plan',
              template_id: template,
              site_ids: [of.site],
              every: 'day',
              weekdays: [1],
              share: 'one',
              user_ids: [of.manager],
              fromTime: '08:00',
              toTime: '18:00',
              days: 1,
            },
          }),
    stands: words('SELECT status::text AS at FROM patrol_plans WHERE id = $1', plan.id),
  }
  const templateOf: Machine = {
    lines: TEMPLATE,
    reasons: [],
    async put(situation) {
      await write('UPDATE patrol_templates SET status = $2, version = 7 WHERE id = $1', [spare, situation[0]])
      await write('UPDATE patrol_plans SET status = 1, template_id = $2 WHERE id = $1', [
        plan.id,
        situation.endsWith('in use') ? spare : template,
      ])
    },
    ask: (command) =>
      admin.ask(api.patrolTemplates[command as 'stop'], {
        body: { id: spare, version: 7, ...(command === 'edit' ? { name: '备用模板', items: ITEMS } : {}) },
      }),
    stands: words('SELECT status::text AS at FROM patrol_templates WHERE id = $1', spare),
  }

  const patrol = await made(
    admin.ask(api.patrols.begin, { body: { site_id: of.site, template_id: template } }),
  )
  const item = await one('SELECT id FROM patrol_items WHERE patrol_id = $1', [patrol])
  const patrolOf: Machine = {
    lines: PATROL,
    reasons: ['abandon'],
    put: (situation) =>
      write(
        `UPDATE patrols SET status = $2::smallint, inspector_id = $3, version = 7, digest = NULL,
           submitted_at = CASE WHEN $2::smallint = 2 THEN now() END
         WHERE id = $1`,
        [patrol, Number(situation[0]), situation.endsWith('theirs') ? of.manager : me],
      ),
    ask: (command, reason) =>
      command === 'submit'
        ? admin.ask(api.patrols.submit, {
            body: { id: patrol, items: [{ id: item.id, verdict: 'passed', remark: '', pictures: [] }] },
          })
        : admin.ask(api.patrols.abandon, { body: { id: patrol, version: 7, reason } }),
    stands: words('SELECT status::text AS at FROM patrols WHERE id = $1', patrol),
  }

  const round = await newPlan('逐项巡检任务')
  const task = await one(
    `INSERT INTO patrol_tasks (tenant_id, id, bc_id, site_id, plan_id, day, user_ids, opens_at, closes_at, lapses_at)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, $2, now()::date, '{}', now(), now(), now()
     FROM sites WHERE id = $1 RETURNING id`,
    [of.site, round.id],
  )
  const still = Math.floor(Date.now() / 1000)
  const taskOf: Machine = {
    lines: TASK,
    reasons: ['excuse'],
    async put(situation) {
      const state = Number(situation[0])
      const isRemote = situation.includes('remote')
      // What was done about it before is somebody else's now.
      await write(
        `UPDATE patrols SET status = 3, task_id = NULL, submitted_at = NULL, picture = NULL, digest = NULL
         WHERE task_id = $1`,
        [task.id],
      )
      await write('UPDATE patrol_plans SET kind = $2, template_id = $3 WHERE id = $1', [
        round.id,
        isRemote ? 'remote' : 'plan',
        isRemote ? null : template,
      ])
      await write(
        `UPDATE patrol_tasks SET version = 7, user_ids = ARRAY[$2::uuid], outcome = $3,
           opens_at = now() + $4 * interval '1 hour', closes_at = now() + ($4 + 2) * interval '1 hour',
           lapses_at = now() + ($4 + 26) * interval '1 hour'
         WHERE id = $1`,
        [
          task.id,
          situation.endsWith('mine') ? me : of.manager,
          [3, 4, 6].includes(state) ? state : null,
          new Map([
            [1, 1],
            [5, -30],
          ]).get(state) ?? -1,
        ],
      )
      await write(
        `UPDATE devices SET site_id = $2, bind_status = 2, device_status = 1, last_seen = now(), deleted_at = NULL,
           last_picture = 'still.jpg', last_picture_at = to_timestamp($3)
         WHERE id = $1`,
        [of.device, of.site, still],
      )
      await write('UPDATE sites SET status = 1 WHERE id = $1', [of.site])
    },
    ask(command, reason) {
      if (command === 'begin') return admin.ask(api.patrols.begin, { body: { task_id: task.id } })
      if (command === 'excuse')
        return admin.ask(api.patrolTasks.excuse, { body: { id: task.id, version: 7, reason } })
      return admin.ask(api.patrols.remote, {
        body: {
          site_id: of.site,
          device_id: of.device,
          picture: 'still.jpg',
          picture_at: still,
          tidiness: 2,
          task_id: task.id,
        },
      })
    },
    stands: words(
      `SELECT coalesce(outcome, CASE WHEN opens_at > now() THEN 1 WHEN lapses_at > now() THEN 2 ELSE 5 END)::text AS at
       FROM patrol_tasks WHERE id = $1`,
      task.id,
    ),
  }

  const pair = await one(`SELECT id FROM alarm_pairs WHERE device_id = $1 AND type = 'smoking'`, [of.device])
  const trustOf: Machine = {
    lines: TRUST,
    reasons: ['pinNotify', 'pinReview', 'unpin'],
    put: (situation) =>
      write('UPDATE alarm_pairs SET state = $2, version = 7 WHERE id = $1', [pair.id, situation]),
    ask: (command, reason) =>
      admin.ask(api.trusts[command as 'unpin'], { body: { id: pair.id, version: 7, reason } }),
    stands: words('SELECT state AS at FROM alarm_pairs WHERE id = $1', pair.id),
  }
  // Nothing of it is under way while other records of the site are tried.
  await correction.put('4 lately')
  await patrolOf.put('3')
  return {
    correctionActions: correction,
    violationActions: violationOf,
    visitActions: visitOf,
    patrolActions: patrolOf,
    taskActions: taskOf,
    planActions: planOf,
    templateActions: templateOf,
    trustActions: trustOf,
  }
}
