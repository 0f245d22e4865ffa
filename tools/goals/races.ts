import { api } from '@zhuguan/contract/api.ts'
import { alarmActions } from '@zhuguan/contract/features/alarms/alarms.actions.ts'
import { deviceActions } from '@zhuguan/contract/features/devices/devices.actions.ts'
import { siteActions } from '@zhuguan/contract/features/sites/sites.actions.ts'

import { report } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'
import { draw } from '../../simulator/pictures.ts'
import { type Caller, dice, type Heard, type Result, send, signIn } from './client.ts'
import { type Stage, setStage } from './stage.ts'

/**
 * G-17: every from→to pair of every state machine by HTTP; clerks in random order on the same record; the same command a
 * hundred times at once. A success raises the version by one and writes one line, so that a lost update cannot hide.
 * Control: a version raised by hand is found.
 */
export async function races(seed: number): Promise<Result> {
  const stage = await setStage()
  try {
    await stage.owner.query(`SET app.tenant = '*'`)
    const { url } = await stage.serve()
    const problems: string[] = []
    const pairs = await everyPair(stage, url, problems)
    const walked = await interleave(stage, url, seed, problems)
    const winners = await submitAtOnce(stage, url, problems)
    for (const p of problems.slice(0, 20)) console.log(`seed ${seed} ${p}`)
    return {
      value: `pairs ${pairs}, commands by clerks ${walked.commands} (${walked.won} won), lost updates ${walked.lost}, winners of 100 ${winners.join('/')}, wrong ${problems.length}, control ${walked.control ? 'found' : 'MISSED'}`,
      ok: problems.length === 0 && walked.lost === 0 && walked.control && pairs >= 50 && walked.won > 50,
    }
  } finally {
    await stage.close()
  }
}

const one = async <R>(stage: Stage, text: string, values: unknown[] = []): Promise<R> =>
  (await stage.owner.query(text, values)).rows[0] as R
const DONE = (h: Heard) => h.code === 200

/** Each action in each state, by somebody who may; the rule is read from the table of actions alone. */
async function everyPair(stage: Stage, url: string, problems: string[]): Promise<number> {
  const admin = await signIn(url, 'admin')
  const me = (await one<{ id: string }>(stage, `SELECT id FROM users WHERE user_name = 'admin'`)).id
  const camera = stage.devices.find((d) => d.type === 'camera' && d.sn.includes('HZ'))!
  await report(url, camera, [
    { id: 'pair', kind: 'alarm', at: seconds() - 60, type: 'smoking', confidence: 0.9 },
  ])
  const alarm = (
    await one<{ id: string }>(
      stage,
      `SELECT id FROM alarms WHERE device_id = (SELECT id FROM devices WHERE sn = $1)`,
      [camera.sn],
    )
  ).id
  const device = (await one<{ id: string }>(stage, `SELECT id FROM devices WHERE sn = $1`, [camera.sn])).id
  const site = await one<{ id: string; manager_id: string; steward_id: string }>(
    stage,
    `SELECT id, manager_id, steward_id FROM sites WHERE id = $1`,
    [camera.site],
  )
  const actor = { id: me, roles: ['admin'], permissions: ['*:*:*'] }
  let n = 0
  const judge = (noun: string, from: string, name: string, should: boolean, heard: Heard, moved: boolean) => {
    n += 1
    if (DONE(heard) !== should || moved !== should || (!should && heard.code !== 409))
      problems.push(
        `${noun} ${from} ${name}: ${heard.code} ${heard.msg}, ${moved ? 'moved' : 'still'}, should ${should ? 'move' : 'be refused'}`,
      )
  }

  const key = async () => {
    const picture = await draw({ type: 'smoking', variant: 1, camera: camera.sn, time: 'x' })
    const heard = await send(
      url,
      'POST',
      api.files.upload.path,
      { ...admin.headers, 'content-type': 'image/jpeg' },
      picture,
    )
    return (heard.data as { key: string }).key
  }
  for (const status of alarmActions.codes.values as number[]) {
    for (const step of status === 2 ? ['assigned', 'doing', 'submitted'] : [null]) {
      for (const mine of status === 2 ? [true, false] : [true]) {
        for (const name of alarmActions.names) {
          const assignee = status === 2 ? (mine ? me : site.manager_id) : null
          const corrector = step === 'submitted' ? assignee : null
          const closed = status > 2
          await stage.owner.query(
            `UPDATE alarms SET correction_status = $2, step = $3, assignee_id = $4, corrector_id = $5, closed_at = CASE WHEN $6 THEN now() END, version = 7, verdict = 'none' WHERE id = $1`,
            [alarm, status, step, assignee, corrector, closed],
          )
          const why = alarmActions.refusal(
            name,
            {
              correctionStatus: status,
              step,
              assignee_id: assignee,
              assigneeName: '',
              corrector_id: corrector,
              closedAt: closed ? seconds() : null,
              reopenUntil: closed ? seconds() + 86_400 : null,
            } as never,
            actor,
          )
          const more: Record<string, object> = {
            assign: { assignee_id: site.manager_id },
            submit: { pictures: name === 'submit' ? [await key()] : [] },
            back: { reason: '再来' },
            dispute: { reason: '不对' },
            cancel: { cause: 'wrong', reason: '误报' },
            reopen: { reason: '再看' },
          }
          const heard = await admin.ask(api.alarms[name], { body: { id: alarm, version: 7, ...more[name] } })
          judge(
            'alarm',
            `${status}/${step}/${mine}`,
            name,
            why === undefined,
            heard,
            (await one<{ version: number }>(stage, 'SELECT version FROM alarms WHERE id = $1', [alarm]))
              .version === 8,
          )
        }
      }
    }
  }
  for (const status of siteActions.codes.values as number[]) {
    for (const [progress, alarms, manager] of [
      [100, 0, true],
      [50, 0, true],
      [100, 2, true],
      [100, 0, false],
    ] as const) {
      for (const name of siteActions.names) {
        await stage.owner.query(
          `UPDATE sites SET status = $2, progress = $3, open_alarms = $4, manager_id = CASE WHEN $5 THEN $6::uuid END, version = 7 WHERE id = $1`,
          [site.id, status, progress, alarms, manager, site.manager_id],
        )
        const why = siteActions.refusal(
          name,
          {
            status,
            progress,
            openAlarms: alarms,
            steward_id: site.steward_id,
            manager_id: manager ? site.manager_id : null,
            stage: null,
          } as never,
          actor,
        )
        const heard = await admin.ask(api.sites.state, {
          body: { id: site.id, version: 7, action: name, reason: '业主要求' },
        })
        judge(
          'site',
          `${status}/${progress}/${alarms}/${manager}`,
          name,
          why === undefined,
          heard,
          (await one<{ version: number }>(stage, 'SELECT version FROM sites WHERE id = $1', [site.id]))
            .version === 8,
        )
      }
    }
  }
  await stage.owner.query(
    `UPDATE sites SET status = 1, progress = 50, open_alarms = 0, manager_id = $2, version = 0 WHERE id = $1`,
    [site.id, site.manager_id],
  )
  const home = (await one<{ bc_id: string }>(stage, 'SELECT bc_id FROM devices WHERE id = $1', [device]))
    .bc_id
  const elsewhere = (
    await one<{ bc_id: string }>(
      stage,
      'SELECT bc_id FROM companies WHERE bc_id <> $1 AND tenant_id = (SELECT tenant_id FROM companies WHERE bc_id = $1)',
      [home],
    )
  ).bc_id
  for (const status of deviceActions.codes.values as number[]) {
    for (const bound of status <= 2 ? [true] : status >= 5 ? [false] : [true, false]) {
      for (const name of deviceActions.names) {
        await stage.owner.query(
          `UPDATE devices SET bc_id = $5, device_status = $2, bind_status = CASE WHEN $3 THEN 2 ELSE 1 END, site_id = CASE WHEN $3 THEN $4::uuid END, version = 7, deleted_at = NULL WHERE id = $1`,
          [device, status, bound, site.id, home],
        )
        const row = await one<{ bc_id: string }>(stage, 'SELECT bc_id FROM devices WHERE id = $1', [device])
        const why = deviceActions.refusal(
          name,
          { deviceStatus: status, bindStatus: bound ? 2 : 1, bc_id: row.bc_id } as never,
          actor,
        )
        const heard =
          name === 'distribute'
            ? await admin.ask(api.deviceStock.distribution, { body: { ids: [device], bc_id: elsewhere } })
            : name === 'bind'
              ? await admin.ask(api.devices.bind, {
                  body: { id: device, version: 7, site_id: site.id, remark: '' },
                })
              : await admin.ask(api.devices.change, {
                  body: { id: device, version: 7, action: name, remark: '说明原因' },
                })
        judge(
          'device',
          `${status}/${bound ? 'bound' : 'free'}`,
          name,
          why === undefined,
          heard,
          (await one<{ version: number }>(stage, 'SELECT version FROM devices WHERE id = $1', [device]))
            .version === 8,
        )
      }
    }
  }
  await stage.owner.query(
    `UPDATE devices SET bc_id = $3, device_status = 1, bind_status = 2, site_id = $2, deleted_at = NULL WHERE id = $1`,
    [device, site.id, home],
  )
  // What was forced by hand is counted right again.
  await stage.owner.query(
    `UPDATE sites w SET open_alarms = (SELECT count(*) FROM alarms a WHERE a.tenant_id = w.tenant_id AND a.site_id = w.id AND a.correction_status IN (1, 2))`,
  )
  return n
}

/** Two to twenty clerks, each reading the record and then doing what comes to mind. */
async function interleave(stage: Stage, url: string, seed: number, problems: string[]) {
  const { below, pick } = dice(seed)
  const names = ['branch_gm', 'inspector', 'pm', 'admin']
  const people: Caller[] = await Promise.all(names.map((n) => signIn(url, n)))
  const cameras = stage.devices.filter((d) => d.type === 'camera' && d.sn.includes('HZ')).slice(1, 7)
  let commands = 0
  let won = 0
  let lost = 0
  let control = false
  for (const [round, camera] of cameras.entries()) {
    await report(url, camera, [
      { id: 'race', kind: 'alarm', at: seconds() - 60, type: 'smoking', confidence: 0.9 },
    ])
    const { id, manager } = await one<{ id: string; manager: string }>(
      stage,
      `SELECT a.id, w.manager_id AS manager FROM alarms a JOIN sites w ON w.tenant_id = a.tenant_id AND w.id = a.site_id WHERE a.device_id = (SELECT id FROM devices WHERE sn = $1)`,
      [camera.sn],
    )
    let wins = 0
    const clerk = async () => {
      for (let i = 0; i < 12; i += 1) {
        const who = pick(people)
        const { version } = await one<{ version: number }>(
          stage,
          'SELECT version FROM alarms WHERE id = $1',
          [id],
        )
        const name = pick(['assign', 'cancel', 'reopen', 'assign', 'back', 'pass'] as const)
        const more = {
          assign: { assignee_id: manager },
          cancel: { cause: 'wrong', reason: '误报' },
          reopen: { reason: '再看' },
          back: { reason: '不行' },
          pass: {},
        }[name]
        const heard = await who.ask(api.alarms[name], {
          body: { id, version: Math.max(0, version - (below(6) === 0 ? 1 : 0)), ...more },
        })
        commands += 1
        if (DONE(heard)) wins += 1
        // 403: the alarm is not of that manager's sites.
        else if (![409, 401, 403].includes(heard.code))
          problems.push(`clerk ${name}: ${heard.code} ${heard.msg}`)
      }
    }
    await Promise.all(Array.from({ length: 2 + below(19) }, clerk))
    const settled = () =>
      one<{ version: number; lines: number; logs: number; open: boolean; counted: number; really: number }>(
        stage,
        `SELECT a.version, (SELECT count(*)::int FROM alarm_logs l WHERE l.alarm_id = a.id) AS lines, (SELECT count(*)::int FROM user_logs l WHERE l.object = 'alarm' AND l.object_id = a.id::text AND l.outcome = 'done') AS logs,
      w.open_alarms AS counted, (SELECT count(*)::int FROM alarms o WHERE o.site_id = w.id AND o.correction_status IN (1, 2)) AS really FROM alarms a JOIN sites w ON w.tenant_id = a.tenant_id AND w.id = a.site_id WHERE a.id = $1`,
        [id],
      )
    const wrong = (s: Awaited<ReturnType<typeof settled>>) =>
      Math.abs(s.version - wins) +
      Math.abs(s.lines - wins) +
      Math.abs(s.logs - wins) +
      Math.abs(s.counted - s.really)
    const end = await settled()
    if (wrong(end)) problems.push(`alarm after ${wins} wins: ${JSON.stringify(end)}`)
    lost += wrong(end)
    won += wins
    if (round === 0) {
      await stage.owner.query('UPDATE alarms SET version = version + 1 WHERE id = $1', [id])
      control = wrong(await settled()) > 0
    }
  }
  return { commands, won, lost, control }
}

/** A hundred of the same at once: one wins, the others hear that somebody was faster. */
async function submitAtOnce(stage: Stage, url: string, problems: string[]): Promise<number[]> {
  const gm = await signIn(url, 'branch_gm')
  const keeper = await signIn(url, 'device_keeper')
  const camera = stage.devices.filter((d) => d.type === 'camera' && d.sn.includes('HZ'))[8]!
  await report(url, camera, [
    { id: 'once', kind: 'alarm', at: seconds() - 60, type: 'noclothes', confidence: 0.9 },
  ])
  const alarm = await one<{ id: string; manager: string; version: number }>(
    stage,
    `SELECT a.id, a.version, w.manager_id AS manager FROM alarms a JOIN sites w ON w.tenant_id = a.tenant_id AND w.id = a.site_id WHERE a.device_id = (SELECT id FROM devices WHERE sn = $1)`,
    [camera.sn],
  )
  const site = await one<{ id: string; version: number; manager_id: string; steward_id: string }>(
    stage,
    `SELECT id, version, manager_id, steward_id FROM sites WHERE code LIKE 'GDHZ%' AND status = 2 LIMIT 1`,
  )
  const device = await one<{ id: string; version: number }>(
    stage,
    `SELECT id, version FROM devices WHERE sn = $1`,
    [camera.sn],
  )
  const hundred = async (what: string, ask: () => Promise<Heard>) => {
    const heard = await Promise.all(Array.from({ length: 100 }, ask))
    const winners = heard.filter(DONE).length
    const others = heard.filter((h) => !DONE(h) && h.code !== 409)
    if (winners !== 1 || others.length)
      problems.push(
        `${what}: ${winners} winners, ${others.length} other answers ${others[0]?.code} ${others[0]?.msg}`,
      )
    return winners
  }
  return [
    await hundred('assign', () =>
      gm.ask(api.alarms.assign, {
        body: { id: alarm.id, version: alarm.version, assignee_id: alarm.manager },
      }),
    ),
    await hundred('cancel', () =>
      gm.ask(api.alarms.cancel, {
        body: { id: alarm.id, version: alarm.version + 1, cause: 'wrong', reason: '误报' },
      }),
    ),
    await hundred('terminate', () =>
      gm.ask(api.sites.state, {
        body: { id: site.id, version: site.version, action: 'terminate', reason: '业主退单' },
      }),
    ),
    await hundred('people', () =>
      gm.ask(api.sites.people, {
        body: { id: site.id, version: site.version + 1, steward_id: null, manager_id: null },
      }),
    ),
    await hundred('unbind', () =>
      keeper.ask(api.devices.change, {
        body: { id: device.id, version: device.version, action: 'unbind', remark: '' },
      }),
    ),
  ]
}
