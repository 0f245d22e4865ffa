import { createHash } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import sharp from 'sharp'

import { addDays, shanghaiDay } from '../../server/kit/shanghai.ts'
import { report, sendFile } from '../../server/testing/device.ts'
import { FILM_S, filmBytes } from '../../server/testing/films.ts'
import { dayAhead } from '../../server/testing/time.ts'
import { type Caller, send } from './client.ts'
import type { Machine } from './machine-records.ts'
import type { Stage } from './stage.ts'

/** Puts every payload into every text field of a call, beside what `body` gives; as the administrator, or `who`. */
export type Write = (
  endpoint: Endpoint,
  body: (n: number) => object | Promise<object>,
  times?: number,
  who?: Caller,
) => Promise<void>
/** Each has a picture of its own: so few say enough. */
const WITH_PICTURES = 20
/** What leaves a line each time. */
const FEW = 12

/** A picture of its own for every name: cells of grey as its digest says. */
const noise = (name: string): Promise<Buffer> =>
  sharp(createHash('sha512').update(name).digest(), { raw: { width: 8, height: 8, channels: 1 } })
    .resize(320, 320, { kernel: 'nearest' })
    .jpeg()
    .toBuffer()

/** What people write about what was found on a site: each command from a situation that allows it. */
export async function writeFound(
  write: Write,
  stage: Stage,
  url: string,
  admin: Caller,
  machines: Record<string, Machine>,
  of: Record<'bc' | 'site' | 'worker' | 'device' | 'manager', string>,
): Promise<void> {
  const id = async (text: string, values: unknown[] = []) =>
    (await stage.owner.query<{ id: string }>(text, values)).rows[0]!.id
  /** As it stands in this situation, at the version that the machines leave. */
  const at =
    (name: string, situation: string, one: string, more: object = {}) =>
    async () => {
      await machines[name]!.put(situation)
      return { id: one, version: 7, ...more }
    }
  const photo = async (name: string) => {
    // Unlike every other: what is like one of before proves nothing new.
    const picture = await noise(name)
    const headers = { ...admin.headers, 'content-type': 'image/jpeg' }
    return ((await send(url, 'POST', api.files.upload.path, headers, picture)).data as { key: string }).key
  }

  const correction = await id(
    `SELECT id FROM corrections WHERE site_id = $1 AND source = 'tidiness' ORDER BY at DESC LIMIT 1`,
    [of.site],
  )
  const pictures = [await photo('correction')]
  const mine = (more: object = {}) => at('correctionActions', '2 doing mine', correction, more)
  await write(api.corrections.submit, mine({ pictures }))
  await write(api.corrections.dispute, mine())
  await write(api.corrections.back, at('correctionActions', '2 submitted theirs', correction))
  await write(api.corrections.cancel, at('correctionActions', '1', correction, { cause: 'wrong' }))
  await write(api.corrections.reopen, at('correctionActions', '4 lately', correction))
  await machines.correctionActions!.put('4 lately')

  const violation = await id(`SELECT id FROM violations WHERE picture = 'proof.jpg'`)
  await write(api.violations.handle, at('violationActions', '1', violation))
  await write(api.violations.object, at('violationActions', '1', violation))
  await write(api.violations.uphold, at('violationActions', '3', violation))
  await write(api.violations.withdraw, at('violationActions', '3', violation))
  const today = shanghaiDay(new Date())
  const later = addDays(today, 300)
  await write(
    api.violations.add,
    async (n) => ({
      worker_id: of.worker,
      site_id: of.site,
      type: 'helmet',
      day: today,
      time: '00:00',
      pictures: [await photo(`violation ${n}`)],
    }),
    WITH_PICTURES,
  )

  const promise = machines.promiseActions!.id!
  const proof = [await photo('promise')]
  await write(api.promises.keep, at('promiseActions', 'open', promise, { pictures: proof }))
  await write(api.promises.extend, at('promiseActions', 'open', promise, { due: later }))
  await write(api.promises.object, at('promiseActions', 'kept', promise, { channel: 'phone' }))
  await write(api.promises.uphold, at('promiseActions', 'kept objected', promise))
  await write(api.promises.dismiss, at('promiseActions', 'kept objected', promise))
  await write(api.promises.break, at('promiseActions', 'open overdue', promise))
  await write(api.promises.withdraw, at('promiseActions', 'open', promise))
  await write(api.promises.add, () => ({
    site_id: of.site,
    subject: 'other',
    due: later,
    post: 2,
    answers: [],
  }))
  await stage.owner.query(`UPDATE promises SET state = 'withdrawn', objected = false WHERE site_id = $1`, [
    of.site,
  ])

  const expected = {
    site_id: of.site,
    purpose: 'look',
    host_id: of.manager,
    day: dayAhead(40),
    time: '10:00',
  } as const
  await write(api.receptions.add, () => expected)
  const reception = machines.receptionActions!.id!
  await write(api.receptions.arrive, at('receptionActions', 'planned', reception))
  await write(api.receptions.finish, at('receptionActions', 'arrived', reception))
  const given = { score: 2 }
  await write(api.receptions.score, at('receptionActions', 'done', reception, given))
  await write(api.receptions.callback, at('receptionActions', 'done scored low', reception))
  await write(api.receptions.miss, at('receptionActions', 'planned late', reception))
  await write(api.receptions.cancel, at('receptionActions', 'planned', reception))
  const newest = async () =>
    (
      await stage.owner.query<{ n: number }>(
        'SELECT coalesce(max(seq), 0)::int AS n FROM thread_messages WHERE site_id = $1',
        [of.site],
      )
    ).rows[0]!.n
  const home = { site_id: of.site }
  const heard = { ...home, channel: 'phone' } as const
  await write(api.threads.hear, () => heard)
  await write(api.threads.say, async () => ({ ...home, after: await newest() }))
  await write(api.questions.ask, () => ({
    site_id: of.site,
    neededBy: dayAhead(40),
    costs: true,
  }))
  const question = machines.questionActions!.id!
  const contact_id = await id(
    'SELECT id FROM home_contacts WHERE site_id = $1 AND owner_id IS NOT NULL AND ended_at IS NULL',
    [of.site],
  )
  const said = { contact_id, pictures: [await photo('question')] }
  await write(api.questions.record, at('questionActions', 'open', question, said))
  await write(api.questions.withdraw, at('questionActions', 'open', question))

  const warning = await id(`SELECT id FROM warnings WHERE site_id = $1 AND cause = '阴角垂直'`, [of.site])
  const taken = { until: today }
  await write(api.warnings.take, at('warningActions', 'open goods', warning, taken))
  await write(api.warnings.close, at('warningActions', 'open', warning))
  await write(api.owners.addContact, () => ({ site_id: of.site, phone: '', relation: 'other' }))

  const visit = await id('SELECT id FROM visits WHERE site_id = $1 ORDER BY at DESC LIMIT 1', [of.site])
  await write(api.visitors.mark, at('visitActions', '1', visit, { identity: 'owner' }))

  const check = () =>
    id(
      `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, at, result)
       SELECT tenant_id, gen_random_uuid(), bc_id, id, now(), 3 FROM sites WHERE id = $1 RETURNING id`,
      [of.site],
    )
  await write(api.tidiness.judge, async () => ({ id: await check(), version: 0, result: 1 }))
  await write(api.tidiness.correct, async () => ({ id: await check(), version: 0, assignee_id: of.manager }))

  const patrol = await id(`SELECT id FROM patrols WHERE template = '逐项巡检' ORDER BY begun_at LIMIT 1`)
  const item = await id('SELECT id FROM patrol_items WHERE patrol_id = $1', [patrol])
  await write(api.patrols.submit, async () => {
    await machines.patrolActions!.put('1 mine')
    return { id: patrol, items: [{ id: item, verdict: 'passed' }] }
  })
  await write(api.patrols.abandon, at('patrolActions', '1 mine', patrol))
  const task = await id(
    `SELECT t.id FROM patrol_tasks t JOIN patrol_plans p ON p.id = t.plan_id WHERE p.name = '逐项巡检任务' LIMIT 1`,
  )
  await write(api.patrolTasks.excuse, at('taskActions', '5 mine', task))
  await write(api.patrols.remote, async () => {
    await machines.taskActions!.put('2 remote mine')
    const still = await stage.owner.query<{ at: number }>(
      'SELECT extract(epoch FROM last_picture_at)::int AS at FROM devices WHERE id = $1',
      [of.device],
    )
    return {
      site_id: of.site,
      device_id: of.device,
      picture: 'still.jpg',
      picture_at: still.rows[0]!.at,
      tidiness: 2,
      task_id: task,
    }
  })
  await machines.taskActions!.put('6 mine')

  const items = [{ title: '地面清洁', hint: '', weight: 1, photo: false }]
  await write(api.patrolTemplates.add, () => ({ bc_id: of.bc, items }))
  const spare = await id(`SELECT id FROM patrol_templates WHERE name = '备用模板'`)
  await write(api.patrolTemplates.edit, at('templateActions', '1', spare, { items }))
  const template = await id(`SELECT id FROM patrol_templates WHERE name = '逐项巡检'`)
  const plan = {
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
  }
  const known = await id(`SELECT id FROM patrol_plans WHERE name = '逐项巡检计划'`)
  await write(api.patrolPlans.stop, at('planActions', '1', known))
  await write(api.patrolPlans.edit, at('planActions', '1', known, plan))
  await write(api.patrolPlans.add, () => ({ ...plan, bc_id: of.bc }))

  const pair = await id(`SELECT id FROM alarm_pairs WHERE device_id = $1 AND type = 'smoking'`, [of.device])
  await write(api.trusts.pinNotify, at('trustActions', 'notify', pair))
  await write(api.trusts.pinReview, at('trustActions', 'notify', pair))
  await write(api.trusts.unpin, at('trustActions', 'alwaysNotify', pair))

  /** A weight as nobody has touched it. */
  const weight = async (more: object) => {
    await stage.owner.query(`UPDATE rank_weights SET version = 0 WHERE bc_id = $1 AND reason = 'alarms'`, [
      of.bc,
    ])
    return { bc_id: of.bc, kind: 'alarms', version: 0, ...more }
  }
  await write(api.rankings.setWeight, (n) => weight({ weight: 1 + (n % 2) }))
  await write(api.rankings.freeWeight, async () => {
    await admin.ask(api.rankings.setWeight, { body: { ...(await weight({ weight: 2 })), reason: '试试看' } })
    return weight({})
  })

  await write(api.sites.phone, () => ({ id: of.site }))
  const paper = () =>
    id(
      `INSERT INTO worker_documents (tenant_id, id, worker_id, kind, number, added_by, added_at)
       SELECT tenant_id, gen_random_uuid(), id, 'training', 'AQ1', '', now() FROM workers WHERE id = $1 RETURNING id`,
      [of.worker],
    )
  const kept = await paper()
  await write(api.documents.number, () => ({ id: kept }))
  await write(api.documents.del, () => ({ id: kept, version: 0 }), 1)
  await write(
    api.deviceStock.scrap,
    async () => ({
      ids: [
        await id(
          `SELECT id FROM devices WHERE sn LIKE 'SCRIPT-%' AND deleted_at IS NULL ORDER BY sn LIMIT 1`,
        ),
      ],
    }),
    5,
  )

  // What was recorded there, and what is looked at: by a camera that stays where it is.
  const camera = stage.devices.filter((d) => d.type === 'camera' && d.site && d.sn.includes('HZ')).at(-1)!
  const to = Math.floor(Date.now() / 1_000) - 600
  const span = { from: to - FILM_S, to }
  const film = filmBytes('h264')
  const { data } = await sendFile(url, camera, film)
  const event = { id: 'film', kind: 'recording', at: to, ...span, file: data.key, bytes: film.length }
  await report(url, camera, [event])
  const { id: recording, device_id } = (
    await stage.owner.query<{ id: string; device_id: string }>(
      'SELECT r.id, r.device_id FROM recordings r JOIN devices d ON d.id = r.device_id WHERE d.sn = $1 LIMIT 1',
      [camera.sn],
    )
  ).rows[0]!
  const why = { purpose: 'other', said: true }
  await write(api.recordings.open, () => ({ id: recording, ...why }), FEW)
  await write(api.recordings.original, () => ({ id: recording, ...why }), FEW)
  await write(api.recordings.clip, () => ({ device_id, ...span, ...why }), FEW)
  const until = addDays(shanghaiDay(new Date()), 30)
  await write(api.recordings.hold, () => ({ device_id, ...span, until }), FEW)
  const holds = await stage.owner.query<{ id: string }>(
    'SELECT id FROM recording_holds WHERE device_id = $1 AND released_at IS NULL',
    [device_id],
  )
  await write(api.recordings.release, (n) => ({ id: holds.rows[n]?.id }), Math.min(FEW, holds.rows.length))
  await write(api.streams.open, () => ({ device_id, ...why }), FEW)
}
