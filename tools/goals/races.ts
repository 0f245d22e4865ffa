import { api } from '@zhuguan/contract/api.ts'

import { report } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'
import { sized } from '../size.ts'
import { type Caller, dice, type Heard, type Result, signIn } from './client.ts'
import { goodsAtOnce } from './interleavings.ts'
import { machines } from './machines.ts'
import { type Stage, setStage } from './stage.ts'

/**
 * G-17: every from→to pair of every state machine by HTTP, judged by a table of its own (states.ts); clerks in random
 * order on the same record; the same command a hundred times at once. A success raises the version by one and writes one
 * line, so that a lost update cannot hide.
 * The goods of delivery have rounds of their own (interleavings.ts), ROUNDS of them with KILLS of the server between.
 * Controls: a version raised by hand, a command that arrives elsewhere, a machine without a table are found.
 */
export async function races(seed: number): Promise<Result> {
  const stage = await setStage()
  try {
    await stage.owner.query(`SET app.tenant = '*'`)
    const served = await stage.serve()
    const { url } = served
    const problems: string[] = []
    const judged = await machines(stage, served)
    problems.push(...judged.problems)
    const walked = await interleave(stage, url, seed, problems)
    const winners = await submitAtOnce(stage, url, problems)
    await served.end()
    const goods = await goodsAtOnce(stage, seed, {
      rounds: sized(Number(process.env.ROUNDS ?? 10_000), 5),
      kills: sized(Number(process.env.KILLS ?? 50), 1),
    })
    problems.push(...goods.problems)
    const controls = [walked.control, judged.control, ...goods.controls]
    for (const p of problems.slice(0, 20)) console.log(`seed ${seed} ${p}`)
    return {
      value: [
        `pairs ${judged.pairs}`,
        `commands by clerks ${walked.commands} (${walked.won} won)`,
        `lost updates ${walked.lost}`,
        `winners of 100 ${winners.join('/')}`,
        `interleavings ${goods.rounds} of 2–20 people with ${goods.kills} kills in ${goods.seconds} s`,
        `${goods.commands} commands of ${goods.calls.size} calls (${goods.won} done, ${goods.unheard} unheard)`,
        `races with a known winner ${goods.raced}`,
        `wrong ${problems.length}`,
        `controls ${controls.every(Boolean) ? 'found' : `MISSED ${controls.join('/')}`}`,
      ].join(', '),
      ok:
        problems.length === 0 &&
        walked.lost === 0 &&
        controls.every(Boolean) &&
        judged.pairs >= 1_000 &&
        goods.kills > 0 &&
        goods.won > goods.rounds &&
        walked.won > 30,
    }
  } finally {
    await stage.close()
  }
}

const one = async <R>(stage: Stage, text: string, values: unknown[] = []): Promise<R> =>
  (await stage.owner.query(text, values)).rows[0] as R
const DONE = (h: Heard) => h.code === 200

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
        `SELECT a.version, (SELECT count(*)::int FROM correction_logs l WHERE l.correction_id = a.id) AS lines, (SELECT count(*)::int FROM user_logs l WHERE l.object = 'alarm' AND l.object_id = a.id::text AND l.outcome = 'done') AS logs,
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
