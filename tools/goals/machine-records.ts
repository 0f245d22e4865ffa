import { api } from '@zhuguan/contract/api.ts'

import { report, sendFile } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'
import { draw } from '../../simulator/pictures.ts'
import { type Caller, type Heard, send } from './client.ts'
import { contractRecords } from './contract-records.ts'
import { CORRECTED, foundRecords } from './found-records.ts'
import { homeRecords } from './home-records.ts'
import { judgedRecords } from './judged-records.ts'
import { marketRecords } from './market-records.ts'
import { soldRecords } from './sold-records.ts'
import type { Stage } from './stage.ts'
import { ALARM, DEVICE, type Lines, SITE, STAGE, WORKER } from './states.ts'

export interface Machine {
  lines: Lines
  /** Of the record, for who asks it otherwise. */
  id?: string
  /** Commands that need a reason; without one they are refused. */
  reasons: string[]
  /** Puts the record into a situation. */
  put(situation: string): Promise<void>
  ask(command: string, reason: string): Promise<Heard>
  /** Where the record stands, in the words of the table. */
  stands(): Promise<string>
}

/** The site of the records, what is on it and who is at it. */
export interface Place {
  me: string
  bc: string
  site: string
  device: string
  worker: string
  manager: string
  steward: string
}

/** The records that the commands are tried on, all of one site of the first branch. */
export async function machinesOf(stage: Stage, url: string, admin: Caller): Promise<Record<string, Machine>> {
  const one = async <R>(text: string, values: unknown[] = []) =>
    (await stage.owner.query(text, values)).rows[0] as R
  const write = async (text: string, values: unknown[]) => void (await stage.owner.query(text, values))
  const me = (await one<{ id: string }>(`SELECT id FROM users WHERE user_name = 'admin'`)).id
  const camera = stage.devices.filter((d) => d.type === 'camera' && d.sn.includes('HZ'))[0]!
  const picture = await draw({ type: 'smoking', variant: 1, camera: camera.sn, time: 'x' })
  await sendFile(url, camera, picture)
  await report(url, camera, [
    { id: 'pair', kind: 'alarm', at: seconds() - 60, type: 'smoking', confidence: 0.9 },
  ])
  const of = await one<Record<'alarm' | 'device' | 'site' | 'bc' | 'manager' | 'steward', string>>(
    `SELECT a.id AS alarm, d.id AS device, w.id AS site, w.bc_id AS bc, w.manager_id AS manager, w.steward_id AS steward
     FROM devices d
     JOIN alarms a ON a.tenant_id = d.tenant_id AND a.device_id = d.id
     JOIN sites w ON w.tenant_id = d.tenant_id AND w.id = d.site_id
     WHERE d.sn = $1`,
    [camera.sn],
  )
  const elsewhere = (
    await one<{ bc_id: string }>(
      `SELECT c.bc_id FROM companies c JOIN companies h ON h.tenant_id = c.tenant_id
       WHERE h.bc_id = $1 AND c.bc_id <> h.bc_id`,
      [of.bc],
    )
  ).bc_id
  const worker = (
    await one<{ id: string }>('SELECT id FROM workers WHERE bc_id = $1 ORDER BY w_id DESC LIMIT 1', [of.bc])
  ).id
  const words = async (text: string, id: string) => (await one<{ at: string }>(text, [id])).at
  /** A photo that no record has used. */
  const proof = async (variant: number) =>
    (
      (
        await send(
          url,
          'POST',
          api.files.upload.path,
          { ...admin.headers, 'content-type': 'image/jpeg' },
          await draw({ type: 'smoking', variant, camera: camera.sn, time: 'proof' }),
        )
      ).data as { key: string }
    ).key
  // Proof is taken after the alarm and used for one alarm only.
  const pictures = [await proof(2)]

  const alarm: Machine = {
    lines: ALARM,
    reasons: ['cancel', 'back', 'dispute', 'reopen'],
    async put(situation) {
      const [code, step, whose] = situation.replaceAll(',', '').split(' ')
      const closed = Number(code) > 2
      const assignee = whose === 'mine' ? me : of.manager
      await write(
        `UPDATE alarms SET correction_status = $2, step = $3, assignee_id = $4, corrector_id = $5, version = 7,
           closed_at = CASE $6 WHEN 'lately' THEN now() WHEN 'long' THEN now() - interval '400 days' END, verdict = 'none'
         WHERE id = $1`,
        [
          of.alarm,
          code,
          code === '2' ? step : null,
          code === '2' ? assignee : null,
          step === 'submitted' ? assignee : null,
          closed ? step : '',
        ],
      )
      await write(CORRECTED, [of.alarm, situation.endsWith('before mine') ? me : null])
    },
    ask: (command, reason) =>
      admin.ask(api.alarms[command as 'assign'], {
        body: {
          id: of.alarm,
          version: 7,
          ...(command === 'assign' ? { assignee_id: of.manager } : {}),
          ...(command === 'submit' ? { pictures } : {}),
          ...(command === 'cancel' ? { cause: 'wrong' } : {}),
          reason,
        },
      }),
    stands: () =>
      words(
        `SELECT concat_ws(' ', correction_status, CASE WHEN correction_status = 2 THEN step END) AS at FROM alarms WHERE id = $1`,
        of.alarm,
      ),
  }
  const site: Machine = {
    lines: SITE,
    reasons: ['terminate'],
    async put(situation) {
      await write(
        `UPDATE sites SET status = $2, progress = $3, open_alarms = $4, manager_id = $5, steward_id = $6, version = 7 WHERE id = $1`,
        [
          of.site,
          situation.split(' ')[0],
          situation.includes('half') ? 50 : 100,
          situation.includes('corrections') ? 2 : 0,
          situation.includes('without manager') ? null : of.manager,
          situation.includes('without steward') ? null : of.steward,
        ],
      )
      // What was found by patrols and checks: all settled, unless it is what the situation is about.
      await write(
        `UPDATE corrections SET correction_status = $2, step = NULL, assignee_id = NULL
         WHERE site_id = $1 AND source <> 'alarm'`,
        [of.site, situation.includes('to be mended') ? 1 : 4],
      )
    },
    ask: (action, reason) =>
      admin.ask(api.sites.state, { body: { id: of.site, version: 7, action, reason } }),
    stands: () => words('SELECT status::text AS at FROM sites WHERE id = $1', of.site),
  }
  const device: Machine = {
    lines: DEVICE,
    reasons: ['fault', 'recover', 'remove'],
    async put(situation) {
      await site.put('1 half accepted')
      await write(
        `UPDATE devices SET bc_id = $4, device_status = $2, bind_status = CASE WHEN $3::uuid IS NULL THEN 1 ELSE 2 END,
           site_id = $3::uuid, last_seen = date_trunc('second', now()), version = 7, deleted_at = NULL WHERE id = $1`,
        [of.device, situation[0], situation.endsWith('bound') ? of.site : null, of.bc],
      )
    },
    ask(action, remark) {
      if (action === 'distribute')
        return admin.ask(api.deviceStock.distribution, { body: { ids: [of.device], bc_id: elsewhere } })
      if (action === 'bind')
        return admin.ask(api.devices.bind, {
          body: { id: of.device, version: 7, site_id: of.site, remark: '' },
        })
      return admin.ask(api.devices.change, { body: { id: of.device, version: 7, action, remark } })
    },
    stands: () =>
      words(
        `SELECT CASE WHEN deleted_at IS NOT NULL THEN 'gone'
           ELSE device_status || CASE bind_status WHEN 2 THEN ' bound' ELSE ' free' END END AS at
         FROM devices WHERE id = $1`,
        of.device,
      ),
  }
  let tried = 'waterproofing'
  const statuses: Record<string, number> = { started: 2, terminated: 3, finished: 4 }
  const stages = (
    await stage.owner.query<{ stage: string }>(
      'SELECT stage FROM site_stages WHERE site_id = $1 ORDER BY sort',
      [of.site],
    )
  ).rows.map((r) => r.stage)
  const stageOf: Machine = {
    lines: STAGE,
    reasons: ['redo'],
    async put(situation) {
      const last = situation.includes('last')
      tried = last ? stages.at(-1)! : stages[3]!
      await write(
        `UPDATE sites SET status = $2, start_date = '2026-01-01', open_alarms = 0, manager_id = $3, version = 7 WHERE id = $1`,
        [of.site, statuses[situation.split(' ').at(-1)!] ?? 1, of.manager],
      )
      const everyOther = situation.includes('alone') ? '2026-01-05' : null
      await write(
        `UPDATE site_stages SET actual_start = $2::date, actual_finish = $2::date WHERE site_id = $1`,
        [of.site, everyOther],
      )
      await write(
        `UPDATE site_stages SET actual_start = $3::date, actual_finish = $4::date WHERE site_id = $1 AND stage = $2`,
        [
          of.site,
          tried,
          situation[0] === '1' ? null : '2026-01-06',
          situation[0] === '3' ? '2026-01-07' : null,
        ],
      )
    },
    ask: (action, reason) =>
      admin.ask(api.stages.change, { body: { id: of.site, version: 7, stage: tried, action, reason } }),
    stands: () =>
      words(
        `SELECT (CASE WHEN actual_finish IS NOT NULL THEN 3 WHEN actual_start IS NOT NULL THEN 2 ELSE 1 END)::text AS at
         FROM site_stages WHERE site_id = $1 AND stage = '${tried}'`,
        of.site,
      ),
  }
  const workerOf: Machine = {
    lines: WORKER,
    reasons: ['stop'],
    put: (situation) =>
      write('UPDATE workers SET status = $2, version = 7 WHERE id = $1', [worker, situation]),
    ask: (action, reason) =>
      admin.ask(api.workers.state, { body: { id: worker, version: 7, action, reason } }),
    stands: () => words('SELECT status::text AS at FROM workers WHERE id = $1', worker),
  }
  const place = { ...of, me, worker }
  return {
    alarmActions: alarm,
    siteActions: site,
    deviceActions: device,
    stageActions: stageOf,
    workerActions: workerOf,
    ...(await foundRecords(stage, admin, place, proof)),
    ...(await homeRecords(stage, url, admin, place, proof)),
    ...(await soldRecords(stage, admin)),
    ...(await contractRecords(stage, url, admin)),
    ...(await marketRecords(stage, url, admin, place, proof)),
    ...(await judgedRecords(stage, admin, { bc: of.bc, me, other: of.manager })),
  }
}
