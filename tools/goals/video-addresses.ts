import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'

import { report, sendFile } from '../../server/testing/device.ts'
import { filmLasting } from '../../server/testing/films.ts'
import { gives, openGateway, type TestGateway } from '../../server/testing/video-gateway.ts'
import { sized } from '../size.ts'
import { type Caller, dice, noId, type Result, signIn } from './client.ts'
import type { Plant } from './plants.ts'
import { type Served, setStage, type Stage } from './stage.ts'

const DEAD_MS = 5_000
const GUESSES = sized(1_500, 20)
const RANGES = [
  '',
  'bytes=0-',
  'bytes=0-0',
  'bytes=5-9',
  'bytes=-5',
  'bytes=9-5',
  'bytes=0-1,3-4',
  'bytes=99999999-',
]
const PLAYLIST = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MAP:URI="head.mp4"\n#EXTINF:2,\nseg.m4s\n'
const SECRET = 'these are the pictures'

const MOVIE = filmLasting(600, Buffer.from(SECRET))

interface Camera {
  id: string
  sn: string
  recording: string
}
/** Addresses that somebody has, and the cookie that goes with them. */
interface Opened {
  addresses: string[]
  cookie: string
  views: string[]
}
const cookieOf = (headers: Headers) => headers.get('set-cookie')?.split(';')[0] ?? ''

/** Counts what is asked for and what was given although it should not have been. */
function judge() {
  const open: string[] = []
  let asked = 0
  async function shut(name: string, url: string, headers: Record<string, string> = {}): Promise<void> {
    asked += 1
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(15_000) })
    const text = await response.text()
    const refused = response.status === 403 && !text.includes(SECRET) && !text.includes('EXTM3U')
    if (!refused) open.push(`${name}: ${response.status} ${text.slice(0, 60)}`)
  }
  async function refused(name: string, who: Caller, ...what: Parameters<Caller['ask']>): Promise<void> {
    asked += 1
    const heard = await who.ask(...what)
    if (heard.code === 200) open.push(`${name}: ${heard.text.slice(0, 80)}`)
  }
  return { open, asked: () => asked, shut, refused }
}

/** Every address of a camera that a person can come by: the stream, its playlist's names, a recording. */
async function openAll(url: string, who: Caller, camera: Camera): Promise<Opened> {
  const view = await who.ask(streamsApi.open, {
    body: { device_id: camera.id, purpose: 'patrol', said: true },
  })
  const { address, view: id } = view.data as { address: string; view: string }
  const cookie = cookieOf(view.headers)
  const list = await (await fetch(url + address, { headers: { cookie } })).text()
  const names = [...list.matchAll(/\/osmcore\S+?key=[\w-]+/g)].map((m) => m[0])
  const recording = await who.ask(recordingsApi.open, {
    body: { id: camera.recording, purpose: 'patrol', said: true },
  })
  return {
    addresses: [address, ...names, (recording.data as { address: string }).address],
    cookie,
    views: [id],
  }
}
async function serves(url: string, { addresses, cookie }: Opened): Promise<number> {
  const answers = await Promise.all(addresses.map((a) => fetch(url + a, { headers: { cookie } })))
  return answers.filter((a) => a.ok).length
}
/** How long until none of them opens any more. */
async function deadAfter(url: string, opened: Opened): Promise<number> {
  const from = performance.now()
  while ((await serves(url, opened)) > 0) {
    if (performance.now() - from > DEAD_MS * 3) return Infinity
    await new Promise((done) => setTimeout(done, 50))
  }
  return performance.now() - from
}

async function furnish(stage: Stage, url: string): Promise<Camera[]> {
  await stage.owner.query(`SET app.tenant = '*'`)
  const { rows } = await stage.owner.query<{ id: string; sn: string; code: string }>(
    `SELECT DISTINCT ON (c.code) d.id, d.sn, c.code
     FROM devices d JOIN sites w ON w.id = d.site_id JOIN companies c ON c.bc_id = d.bc_id
     JOIN users u ON u.id = w.manager_id
     WHERE d.type = 'camera' AND c.code IN ('HZ', 'NB', 'SZ') ORDER BY c.code, u.user_name = 'pm' DESC, d.sn`,
  )
  const cameras: Camera[] = []
  const now = Math.floor(Date.now() / 1_000)
  for (const { id, sn, code } of rows.toSorted(
    (a, b) => 'HZ NB SZ'.indexOf(a.code) - 'HZ NB SZ'.indexOf(b.code),
  )) {
    const device = stage.devices.find((d) => d.sn === sn)!
    const { data } = await sendFile(url, device, MOVIE)
    await report(url, device, [
      { id: 'beat', kind: 'heartbeat', at: now, signal: 90, frameAt: now },
      {
        id: 'film',
        kind: 'recording',
        at: now,
        from: now - 60,
        to: now,
        file: data.key,
        bytes: MOVIE.length,
      },
    ])
    for (let i = 0; i < 100 && cameras.at(-1)?.id !== id; i += 1) {
      const found = await stage.owner.query<{ id: string }>('SELECT id FROM recordings WHERE key = $1', [
        data.key,
      ])
      if (found.rows[0]) cameras.push({ id, sn, recording: found.rows[0].id })
      else await new Promise((done) => setTimeout(done, 50))
    }
    if (code && cameras.at(-1)?.id !== id) throw new Error(`${code}: no recording`)
  }
  await stage.owner.query(
    `UPDATE devices SET device_status = 1, last_seen = now() WHERE id = ANY ($1::uuid[])`,
    [cameras.map((c) => c.id)],
  )
  return cameras
}

function furnishGateway(gateway: TestGateway, cameras: readonly Camera[]): void {
  for (const { sn } of cameras) {
    gateway.answers.set(`/${sn}/index.m3u8`, gives(PLAYLIST))
    gateway.answers.set(`/${sn}/seg.m4s`, gives(SECRET, 'video/mp4'))
    gateway.answers.set(`/${sn}/head.mp4`, gives(SECRET, 'video/mp4'))
  }
}

/** Everything that must not open, with any range; answers what did. */
async function attack(stage: Stage, server: Served, cameras: readonly Camera[], seed: number) {
  const { url } = server
  const { below, pick } = dice(seed)
  const found = judge()
  const [own, sibling, foreign] = cameras as [Camera, Camera, Camera]
  const [pm, again, gm] = [await signIn(url, 'pm'), await signIn(url, 'pm'), await signIn(url, 'branch_gm')]
  const mine = await openAll(url, pm, own)
  const theirs = await openAll(url, gm, own)
  const control = await serves(url, mine)
  // Shared: another person's browser, one's own other session, none, a cookie of somebody else's making.
  const second = cookieOf(
    (
      await again.ask(streamsApi.open, {
        body: { device_id: own.id, purpose: 'patrol', said: true },
      })
    ).headers,
  )
  const forged = `${mine.cookie.split('=')[0]}=${theirs.cookie.split('=')[1]}`
  for (const address of mine.addresses)
    for (const cookie of ['', theirs.cookie, second, forged])
      for (const range of RANGES)
        await found.shut(`shared ${address.slice(0, 30)}`, url + address, {
          cookie,
          ...(range ? { range } : {}),
        })
  // Guessed: a letter changed, cut, put together from two; each kind's address at the other kind's door.
  for (let i = 0; i < GUESSES; i += 1) {
    const address = pick(mine.addresses)
    const [path = '', key = ''] = address.split('?key=')
    const at = below(key.length)
    const other = (pick(theirs.addresses).split('?key=')[1] ?? '').slice(at)
    const letter = key[at] === 'A' ? 'B' : 'A'
    const made = pick([
      key.slice(0, at) + letter + key.slice(at + 1),
      key.slice(0, at),
      key.slice(0, at) + other,
      Buffer.from(key).toString('base64url'),
      noId(),
    ])
    // The last letter's spare bits say nothing: the same bytes are the same address.
    if (made !== key && !Buffer.from(made, 'base64url').equals(Buffer.from(key, 'base64url')))
      await found.shut('guessed', `${url}${path}?key=${encodeURIComponent(made)}`, { cookie: mine.cookie })
  }
  for (const address of mine.addresses) {
    const [path = '', key = ''] = address.split('?key=')
    const door = path === streamsApi.play.path ? recordingsApi.play.path : streamsApi.play.path
    await found.shut('at the other door', `${url}${door}?key=${key}`, { cookie: mine.cookie })
  }
  // Of another branch and another group.
  for (const camera of [sibling, foreign]) {
    const body = { purpose: 'patrol', said: true }
    await found.refused('camera', pm, streamsApi.open, { body: { ...body, device_id: camera.id } })
    await found.refused('recording', pm, recordingsApi.open, { body: { ...body, id: camera.recording } })
  }
  await found.refused('offer of another', gm, streamsApi.offer, { body: { view: mine.views[0], sdp: 'v=0' } })
  await gm.ask(streamsApi.close, { body: { views: mine.views } })
  const left = await serves(url, mine)
  if (left !== control) found.open.push(`a stranger closed it: ${left} of ${control}`)
  return { ...found, control, pm, gm, mine, theirs }
}

/** Old ones: not kept, past their minutes. */
async function expire(server: Served, { mine, shut }: Awaited<ReturnType<typeof attack>>): Promise<void> {
  await server.shift(11 * 60_000)
  await new Promise((done) => setTimeout(done, 2_500))
  for (const address of mine.addresses)
    for (const range of RANGES)
      await shut('expired', server.url + address, { cookie: mine.cookie, ...(range ? { range } : {}) })
  await server.shift(0)
}

/** How long each way of losing it takes; the slowest. */
async function revocations(stage: Stage, server: Served, own: Camera, open: string[]): Promise<number> {
  const { url } = server
  const sql = (text: string, values: unknown[] = []) => stage.owner.query(text, values)
  const { rows } = await sql('SELECT site_id FROM devices WHERE id = $1', [own.id])
  const site = (rows as { site_id: string }[])[0]!.site_id
  const ways: [string, (who: Caller) => Promise<unknown>, boolean][] = [
    ['signed out', (who) => who.ask(sessionApi.logout), false],
    [
      'session revoked',
      () =>
        sql(
          `UPDATE sessions SET revoked_at = now() WHERE user_id = (SELECT id FROM users WHERE user_name = 'pm')`,
        ),
      false,
    ],
    [
      'right lost',
      () =>
        sql(
          `DELETE FROM role_powers WHERE label = 'device:live' AND role_id IN (SELECT id FROM roles WHERE code = 'pm')`,
        ),
      true,
    ],
  ]
  let slowest = 0
  const lose = async (name: string, live: boolean, way: (who: Caller) => Promise<unknown>) => {
    const who = await signIn(url, 'pm')
    const opened = await openAll(url, who, own)
    // A recording asks for the page, not for the live right.
    if (live) opened.addresses.pop()
    if ((await serves(url, opened)) !== opened.addresses.length) open.push(`${name}: did not open before`)
    await way(who)
    const took = await deadAfter(url, opened)
    slowest = Math.max(slowest, took)
    if (took > DEAD_MS) open.push(`${name}: open for ${took} ms`)
  }
  await lose('camera moved', true, () =>
    sql(
      `UPDATE devices SET site_id = (SELECT id FROM sites WHERE id <> $2 AND bc_id = devices.bc_id LIMIT 1)
       WHERE id = $1`,
      [own.id, site],
    ),
  )
  await sql('UPDATE devices SET site_id = $2 WHERE id = $1', [own.id, site])
  for (const [name, way, live] of ways) await lose(name, live, way)
  return slowest
}

/**
 * G-23: an address of a live picture, its playlist, a segment or a recording opens for its own session alone: guessed,
 * shared, expired, of another branch, with any range it does not, and it is dead within five seconds of its right.
 * Control: it opens for its own, and a server that lends addresses is found out.
 */
export async function videoAddresses(seed: number): Promise<Result> {
  const gateway = await openGateway()
  const stage = await setStage()
  const video = { template: `${gateway.url}/{sn}/index.m3u8`, kind: 'hls' as const, s3: null }
  try {
    const server = await stage.serve({ video })
    const cameras = await furnish(stage, server.url)
    furnishGateway(gateway, cameras)
    const attacked = await attack(stage, server, cameras, seed)
    await expire(server, attacked)
    const slowest = await revocations(stage, server, cameras[0]!, attacked.open)
    const plant: Plant = 'lent'
    const lending = await stage.serve({ video, plant })
    await stage.owner.query(
      `INSERT INTO role_powers (tenant_id, role_id, label)
       SELECT tenant_id, id, 'device:live' FROM roles WHERE code = 'pm' ON CONFLICT DO NOTHING`,
    )
    const lent = (await attack(stage, lending, cameras, seed)).open.length
    for (const line of attacked.open.slice(0, 20)) console.log(line)
    return {
      value: [
        `${attacked.asked()} tries, ${attacked.open.length} open`,
        `${attacked.control} of one's own open, dead after ${Math.round(slowest)} ms`,
        `lent: ${lent} found`,
      ].join('; '),
      ok: attacked.open.length === 0 && attacked.control >= 4 && slowest <= DEAD_MS && lent > 100,
    }
  } finally {
    await stage.close()
    await gateway.close()
  }
}
