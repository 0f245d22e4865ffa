import { liveApi } from '@zhuguan/contract/features/live/live.api.ts'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'

import { DEMO_PASSWORD } from '../../server/database/seed/demo.ts'
import { caller, type Caller, type Result, signIn, travelling } from './client.ts'
import { setStage } from './stage.ts'

const OUT_MS = 1_000
const STREAM_MS = 5_000
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))

/** How long until this caller is refused. */
async function refusedAfter(who: Caller, limit: number): Promise<number> {
  const at = performance.now()
  while ((await who.ask(sitesApi.list)).status !== 401) {
    if (performance.now() - at > limit * 3) return Infinity
    await pause(20)
  }
  return performance.now() - at
}
/** How long an open stream lasts from now on. */
async function streamOf(url: string, who: Caller): Promise<() => Promise<number>> {
  const response = await fetch(url + liveApi.stream.path, { headers: who.headers })
  const reader = response.body!.getReader()
  await reader.read()
  const closed = (async () => {
    while (!(await reader.read().catch(() => ({ done: true }))).done);
    return performance.now()
  })()
  return async () => {
    const at = performance.now()
    return Promise.race([
      closed.then((end) => Math.max(0, end - at)),
      pause(STREAM_MS * 3).then(() => Infinity),
    ])
  }
}

/** G-19: tokens are 256 random bits and stored hashed; who is out is out within a second on every server, streams within five; guessing tells nothing and locks nobody out but the guesser. Control: without a reason nobody is put out. */
export async function sessions(): Promise<Result> {
  const stage = await setStage()
  const failed: string[] = []
  let checks = 0
  const check = (name: string, ok: boolean, more: unknown = '') => {
    checks += 1
    if (!ok) {
      failed.push(name)
      console.log(`${name}: ${String(more)}`)
    }
  }
  try {
    const a = await stage.serve()
    const b = await stage.serve()
    const tell = () => stage.owner.query(`SELECT pg_notify('access', '')`)
    await stage.owner.query(`SET app.tenant = '*'`)
    const tokens = await Promise.all(
      Array.from({ length: 20 }, async () => (await signIn(a.url, 'sales')).headers.token!),
    )
    check(
      'tokens are 256 bits and all different',
      new Set(tokens).size === 20 && tokens.every((t) => Buffer.from(t, 'base64url').length === 32),
    )
    const { rows: kept } = await stage.owner.query<{ all: string }>(
      'SELECT string_agg(s::text, chr(10)) AS all FROM sessions s',
    )
    check(
      'no token is stored',
      tokens.every(
        (t) =>
          !kept[0]!.all.includes(t) && !kept[0]!.all.includes(Buffer.from(t, 'base64url').toString('hex')),
      ),
    )
    const { rows: passwords } = await stage.owner.query<{ password: string }>('SELECT password FROM users')
    check(
      'no password is stored as it travels',
      passwords.every(
        (p) => p.password.startsWith('$argon2id$') && !p.password.includes(travelling(DEMO_PASSWORD)),
      ),
    )

    // The same session on two servers; the reason to end it comes to one.
    const ends: [string, string, (c: Caller) => Promise<unknown>][] = [
      ['sign-out', 'quoter', (c) => caller(a.url, c.headers).ask(sessionApi.logout)],
      [
        'account disabled',
        'examiner',
        async () => {
          await stage.owner.query(`UPDATE users SET status = 2 WHERE user_name = 'examiner'`)
          await tell()
        },
      ],
      [
        'account deleted',
        'acceptor',
        async () => {
          await stage.owner.query(`UPDATE users SET deleted_at = now() WHERE user_name = 'acceptor'`)
          await tell()
        },
      ],
      [
        'session revoked',
        'order_clerk',
        async () => {
          await stage.owner.query(
            `UPDATE sessions SET revoked_at = now() WHERE user_id = (SELECT id FROM users WHERE user_name = 'order_clerk')`,
          )
          await tell()
        },
      ],
    ]
    let slowest = 0
    let slowestStream = 0
    for (const [name, user, end] of ends) {
      const here = await signIn(a.url, user)
      const there = caller(b.url, here.headers)
      check(
        `control: ${name}: works before`,
        (await there.ask(sessionApi.permissionInfo)).code === 200 &&
          (await here.ask(sessionApi.permissionInfo)).code === 200,
      )
      const stream = await streamOf(b.url, there)
      await end(here)
      const lasts = stream()
      const took = Math.max(...(await Promise.all([refusedAfter(here, OUT_MS), refusedAfter(there, OUT_MS)])))
      slowest = Math.max(slowest, took)
      const cut = await lasts
      slowestStream = Math.max(slowestStream, cut)
      check(`${name}: out on both servers within a second`, took <= OUT_MS, took)
      check(`${name}: its stream ends within five seconds`, cut <= STREAM_MS, cut)
    }

    const [mine, other] = [await signIn(a.url, 'service'), await signIn(b.url, 'service')]
    const me = ((await mine.ask(sessionApi.permissionInfo)).data as { user: { id: string } }).user.id
    const changed = await mine.ask(sessionApi.updatePassword, {
      body: { user_id: me, oldPassword: travelling(DEMO_PASSWORD), newPassword: travelling('Better1234') },
    })
    check('password changed', changed.code === 200, changed.msg)
    check('a changed password ends the other sessions', (await refusedAfter(other, OUT_MS)) <= OUT_MS)
    check('and not the one that changed it', (await mine.ask(sessionApi.permissionInfo)).code === 200)
    check(
      'the old password opens nothing',
      (
        await caller(a.url, {}).ask(sessionApi.login, {
          body: { username: 'service', password: travelling(DEMO_PASSWORD) },
        })
      ).code !== 200,
    )

    // Guessing: what is said and how long it takes must not tell whether the name exists.
    const guess = async (username: string, from: string) => {
      const at = performance.now()
      const heard = await caller(a.url, { 'x-forwarded-for': from }).ask(sessionApi.login, {
        body: { username, password: travelling('nope-1234') },
      })
      return { ms: performance.now() - at, heard }
    }
    const times: [number[], number[]] = [[], []]
    for (let i = 0; i < 9; i += 1) {
      const [known, none] = [
        await guess('inspector', `10.1.0.${i}`),
        await guess(`nobody${i}`, `10.1.1.${i}`),
      ]
      check(
        'a wrong password and a name that does not exist read the same',
        known.heard.msg === none.heard.msg &&
          known.heard.code === none.heard.code &&
          known.heard.status === none.heard.status,
        none.heard.msg,
      )
      times[0].push(known.ms)
      times[1].push(none.ms)
    }
    const mid = (l: number[]) => l.sort((x, y) => x - y)[4]!
    check('and take as long', mid(times[0]) / mid(times[1]) < 2 && mid(times[1]) / mid(times[0]) < 2, times)
    let blocked = false
    for (let i = 0; i < 14; i += 1) blocked = (await guess('pm', '10.2.0.1')).heard.code === 429
    check('who guesses is slowed down', blocked)
    const victim = await caller(a.url, { 'x-forwarded-for': '10.3.0.1' }).ask(sessionApi.login, {
      body: { username: 'pm', password: travelling(DEMO_PASSWORD) },
    })
    check('the victim of guessing still gets in', victim.code === 200, victim.msg)

    const late = await signIn(a.url, 'inspector')
    await stage.owner.query(
      `UPDATE sessions SET expires_at = now() - interval '1 minute' WHERE user_id = (SELECT id FROM users WHERE user_name = 'inspector')`,
    )
    await tell()
    await pause(700)
    const expired = await late.ask(sitesApi.list)
    check(
      'an expired session says so',
      expired.code === 500 && expired.msg === 'Token Expiration',
      expired.msg,
    )
    const leak = await caller(a.url, {}).ask(
      { method: 'GET', path: `${sessionApi.permissionInfo.path}` },
      { query: { token: tokens[0] } },
    )
    check('a token in the address opens nothing', leak.status === 401 || leak.status === 404, leak.status)
    return {
      value: `checks ${checks}, failed ${failed.length}${failed.length ? ` (${[...new Set(failed)].join('; ')})` : ''}, slowest revocation ${slowest.toFixed(0)} ms, stream ${slowestStream.toFixed(0)} ms`,
      ok: failed.length === 0 && checks >= 30,
    }
  } finally {
    await stage.close()
  }
}
