import { api } from '@zhuguan/contract/api.ts'
import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'

import { signed } from '../../server/testing/device.ts'
import { networkTo } from '../../server/testing/proxy.ts'
import { seconds } from '../../server/testing/time.ts'
import { type Caller, type Heard, type Result, send, signIn } from './client.ts'
import { hearer } from './hearer.ts'
import { type Served, setStage, type Stage } from './stage.ts'

/** A call's deadline (docs/decisions/0101) and a tenth more. */
const LIMIT_MS = 16_500
const BACK_MS = 2_000
/** The connection that hears of changes is asked every five seconds and given up after five. */
const HEARD_MS = 15_000
const SESSION_MINUTES = 60
const HOUR_MS = 3_600_000
const LOOKS_MS = 3_500
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))

interface Answer {
  what: string
  heard: Heard
  ms: number
}
const timed = async (what: string, asked: Promise<Heard>): Promise<Answer> => {
  const from = performance.now()
  const late = pause(LIMIT_MS + 1_000).then(() => ({ status: 0, code: 0, msg: 'no answer' }) as Heard)
  const heard = await Promise.race([asked, late])
  return { what, heard, ms: performance.now() - from }
}

/** Everything that needs the database, once: people, a stranger, devices and a machine that looks whether we are ready. */
function everything(stage: Stage, url: string, who: Caller, mark: string): Promise<Answer>[] {
  const device = stage.devices.find((d) => d.type === 'camera')!
  const event = { id: `n${mark}`, kind: 'visitor', at: seconds() - 1, seconds: 9 }
  const report = signed(device, Buffer.from(JSON.stringify({ events: [event] })))
  const stranger = { ...who.headers, token: `x${mark}`.padEnd(43, 'x') }
  return [
    ...Array.from({ length: 8 }, (_, i) => timed(`list ${i}`, who.ask(api.sites.list))),
    timed('details', who.ask(api.home.cards)),
    timed('unknown token', send(url, api.sites.list.method, api.sites.list.path, stranger)),
    timed(
      'sign-in',
      send(
        url,
        'POST',
        api.session.login.path,
        { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.77' },
        JSON.stringify({ username: `nobody${mark}`, password: '0'.repeat(64) }),
      ),
    ),
    timed('device', send(url, 'POST', deviceDoorApi.events.path, report.headers, report.body)),
    timed('ready', send(url, 'GET', '/readyz', {})),
  ]
}
/** Answered in time, and where it was refused, as the wire says: 503 (429 where one person asks too much) with Retry-After. */
const wrongIn = (answers: Answer[], mayWork: boolean): string[] =>
  answers
    .filter(({ heard, ms }) => {
      const polite =
        (heard.status === 503 || heard.status === 429) && Number(heard.headers?.get('retry-after')) > 0
      return (
        ms > LIMIT_MS ||
        !(polite || (mayWork && heard.status > 0 && heard.status < 500 && heard.code !== 500))
      )
    })
    .map(({ what, heard, ms }) => `${what}: ${heard.status} ${heard.msg} after ${ms.toFixed(0)} ms`)

async function backAfter(who: Caller): Promise<number> {
  const from = performance.now()
  while ((await who.ask(api.sites.list)).code !== 200 && performance.now() - from < BACK_MS * 5)
    await pause(20)
  return performance.now() - from
}

/**
 * The database is slow, silent, and comes and goes, as seen by a server behind a network that does so. The one with a
 * hole waits for as long as the database likes.
 */
async function farAway(stage: Stage, wrong: string[]): Promise<{ told: string; found: boolean }> {
  const network = await networkTo(stage.logins.app)
  const logins = { app: network.url(stage.logins.app), system: network.url(stage.logins.system) }
  try {
    const [server, patient, near] = [
      await stage.serve({ logins }),
      await stage.serve({ logins, plant: 'patient' }),
      await stage.serve(),
    ]
    let exits = 0
    server.process.once('exit', () => (exits += 1))
    const who = await signIn(server.url, 'branch_gm')
    const waits = await signIn(patient.url, 'branch_gm')
    const writer = await signIn(near.url, 'branch_gm')
    const { rows } = await stage.owner.query<{ bc: string }>(
      `SELECT bc_id AS bc FROM sites WHERE code = 'GDHZ001'`,
    )
    const listener = hearer(server.url, who)
    await listener.ready()
    const told: string[] = []
    /** Writes where the network is well, and where it is not: what was acknowledged must be heard. */
    const written = new Set<string>()
    const write = async (by: Caller) => {
      const heard = await by.ask(api.sites.add, {
        body: { ws_name: '断网时', bc_id: rows[0]!.bc, address: '某路' },
      })
      if (heard.code === 200) written.add((heard.data as { id: string }).id)
    }
    const judge = (name: string, answers: Answer[], mayWork: boolean) => {
      for (const why of wrongIn(answers, mayWork)) wrong.push(`${name}: ${why}`)
      told.push(`${name} ${Math.max(...answers.map(({ ms }) => ms)).toFixed(0)} ms`)
    }

    network.slow(150)
    judge('slow', await Promise.all(everything(stage, server.url, who, 's')), true)
    network.slow(0)

    network.freeze(true)
    const [quiet, hidden] = await Promise.all([
      Promise.all(everything(stage, server.url, who, 'f')),
      Promise.all(everything(stage, patient.url, waits, 'p')),
      ...Array.from({ length: 5 }, () => write(writer)),
    ])
    judge('silent', quiet, false)
    const found = wrongIn(hidden, false).length > 0
    network.freeze(false)
    const afterSilence = await backAfter(who)

    const flapping: Answer[] = []
    for (let i = 0; i < 10; i += 1) {
      network.cut(true)
      const down = everything(stage, server.url, who, `d${i}`)
      await Promise.all([pause(150), write(who), write(writer)])
      network.cut(false)
      const up = everything(stage, server.url, who, `u${i}`)
      await Promise.all([pause(350), write(who)])
      flapping.push(...(await Promise.all([...down, ...up])))
    }
    judge('flapping', flapping, true)
    const afterFlapping = await backAfter(who)
    for (const ms of [afterSilence, afterFlapping])
      if (ms > BACK_MS) wrong.push(`back only after ${ms.toFixed(0)} ms`)

    const heardAll = await listener.until(written, HEARD_MS)
    if (!heardAll)
      wrong.push(`the stream did not tell of ${listener.missing(written).length} of ${written.size} sites`)
    const deaf = listener.missing(new Set([...written, 'never told'])).length > 0
    if (exits) wrong.push('the server ended')
    listener.close()
    for (const one of [server, patient, near]) await one.end()
    return {
      told: `${told.join(', ')}; back after ${afterSilence.toFixed(0)} and ${afterFlapping.toFixed(0)} ms; ${written.size} changes heard over ${listener.times()} streams`,
      found: found && deaf,
    }
  } finally {
    network.freeze(false)
    await network.close()
  }
}

const isIn = async (who: Caller) => (await who.ask(api.session.permissionInfo)).code === 200

/** Written down apart from the servers: what was done, and for which moment. */
async function watchJobs(stage: Stage): Promise<void> {
  await stage.owner.query(
    `CREATE TABLE goal_jobs (tenant_id uuid, kind text, done_for timestamptz);
     CREATE FUNCTION goal_job() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
       $$ BEGIN INSERT INTO public.goal_jobs VALUES (NEW.tenant_id, NEW.kind, NEW.done_for); RETURN NEW; END $$;
     CREATE TRIGGER goal_job AFTER UPDATE OF done_for ON job_runs FOR EACH ROW
       WHEN (NEW.done_for IS NOT NULL) EXECUTE FUNCTION goal_job()`,
  )
}

/** Two servers' clock jumps ahead and back: a session lives no longer for it, and no scheduled work is done twice. */
async function clockJumps(stage: Stage, wrong: string[]): Promise<{ told: string; found: boolean }> {
  const twice = async () =>
    (
      await stage.owner.query<{ kind: string; times: string }>(
        `SELECT kind, count(*) AS times FROM goal_jobs GROUP BY tenant_id, kind, done_for HAVING count(*) > 1`,
      )
    ).rows
  const servers = [
    await stage.serve({ sessionMinutes: SESSION_MINUTES }),
    await stage.serve({ sessionMinutes: SESSION_MINUTES }),
  ]
  const [first] = servers as [Served, Served]
  const jump = async (hours: number) => {
    for (const server of servers) await server.shift(hours * HOUR_MS)
    await pause(LOOKS_MS)
  }
  const check = (ok: boolean, why: string) => {
    if (!ok) wrong.push(why)
  }
  const early = await signIn(first.url, 'pm')
  check(await isIn(early), 'a fresh session is refused')
  await jump(26)
  check(!(await isIn(early)), 'a session outlives its hour when the clock jumps ahead')
  const ahead = await signIn(first.url, 'pm')
  const kept = await signIn(first.url, 'steward')
  check(await isIn(ahead), 'nobody signs in while the clock is ahead')
  await isIn(kept)
  await jump(0)
  // An hour and a bit after they signed in, by the clock that is right again.
  await jump((SESSION_MINUTES + 5) / 60)
  check(!(await isIn(ahead)), 'a session opened while the clock was ahead never ends')
  // The same session with a right beginning and an end that nobody would give it is the hole.
  await stage.owner.query(
    `UPDATE sessions s SET created_at = $1, expires_at = $2 FROM users u WHERE u.id = s.user_id AND u.user_name = 'steward'`,
    [new Date(), new Date(Date.now() + 400 * 24 * HOUR_MS)],
  )
  await stage.owner.query(`SELECT pg_notify('access', '')`)
  await pause(200)
  const foundSession = await isIn(kept)
  await jump(26)
  await jump(-26)
  await jump(0)
  const done = await stage.owner.query(`SELECT 1 FROM goal_jobs`)
  for (const { kind, times } of await twice()) wrong.push(`${kind} was done ${times} times for one moment`)
  check((done.rowCount ?? 0) > 10, 'hardly any work was due')
  await stage.owner.query(`UPDATE job_runs SET done_for = NULL, done = '{}', held_until = NULL`)
  await pause(LOOKS_MS)
  const foundJob = (await twice()).length > 0
  for (const server of servers) await server.end()
  return {
    told: `${done.rowCount} jobs done over six jumps of the clock`,
    found: foundSession && foundJob,
  }
}

/**
 * G-12: the database is slow, silent or comes and goes: everybody is answered within the deadline and a tenth, streams tell
 * of everything, and it works again at once. The clock jumps: no session lives for ever, no work is done twice. Controls:
 * a server without a deadline, a stream that misses one, a session without an end and work that was forgotten are all found.
 */
export async function adrift(): Promise<Result> {
  const stage = await setStage()
  const wrong: string[] = []
  try {
    await stage.owner.query(`SET app.tenant = '*'`)
    await watchJobs(stage)
    const far = await farAway(stage, wrong)
    console.log(far.told)
    const clock = await clockJumps(stage, wrong)
    for (const why of wrong) console.log(`wrong: ${why}`)
    const control = far.found && clock.found
    console.log(`control: network ${far.found}, clock ${clock.found}`)
    return {
      value: `${far.told}; ${clock.told}; wrong ${wrong.length}, control ${control ? 'found' : 'MISSED'}`,
      ok: wrong.length === 0 && control,
    }
  } finally {
    await stage.close()
  }
}
