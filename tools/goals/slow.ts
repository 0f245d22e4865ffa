import { spawnSync } from 'node:child_process'

import { api } from '@zhuguan/contract/api.ts'
import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'

import { loadSharp } from '../../server/kit/native.ts'
import { sendFile } from '../../server/testing/device.ts'
import { filmLasting } from '../../server/testing/films.ts'
import { sized } from '../size.ts'
import { type Caller, enter, type Result, send, signIn } from './client.ts'
import { bystander, type Bystander } from './overload.ts'
import { type SlowCrowd, slowCrowd, type SlowPlan } from './slow-crowd.ts'
import { type Served, setStage, type Stage } from './stage.ts'

const IDLE = sized(10_000, 200)
/** Of the control: as many as show what one costs. */
const FEW = sized(1_000, 100)
const EACH = 40
const MB = 1_000_000
const MOST_BYTES = 300 * MB
const OTHERS_MS = 1_000
/** A request has 15 s to arrive (docs/decisions/0102), looked at each second; a reader who reads nothing has ten and a look. */
const SENDING_MS = 18_000
const READING_MS = 30_000
const SENDERS = sized(600, 20)
/** People who send photos slowly, four at a time: as many as held every place before. */
const MANY = 5
const JPEG = { 'content-type': 'image/jpeg' }
const READERS = sized(120, 10)
/** One after the other on each connection: more than the machine's own buffers swallow. */
const ASKED = 3
const FEW_PEOPLE = 4
const CLIP_BYTES = 7_500_000
const HEARD_MS = 20_000
/** Files that a process may have open beside its connections. */
const SPARE = 1_000
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))

const head = (method: string, path: string, headers: Record<string, string>) =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...Object.entries(headers).map(([k, v]) => `${k}: ${v}`),
  ].join('\r\n')
const whole = (text: string) => `${text}\r\n\r\n`
const stream = (who: Caller) => whole(head('GET', api.live.stream.path, who.headers))

/** As many people of one branch as it takes; each has a password that the demo's have, and signs in. */
async function crowdOf(stage: Stage, url: string, people: number): Promise<Caller[]> {
  await stage.owner.query(
    `WITH model AS (SELECT * FROM users WHERE user_name = 'inspector'),
       made AS (
         INSERT INTO users (tenant_id, id, user_name, nickname, password, bc_id)
         SELECT m.tenant_id, gen_random_uuid(), 'quiet' || i, 'quiet' || i, m.password, m.bc_id
         FROM model m, generate_series(1, ${people}) i
         RETURNING tenant_id, id)
     INSERT INTO user_roles (tenant_id, user_id, role_id)
     SELECT d.tenant_id, d.id, r.role_id FROM made d, user_roles r JOIN model m ON m.id = r.user_id`,
  )
  const all: Caller[] = []
  const model = await signIn(url, 'inspector')
  for (let i = 0; i < people; i += 8)
    all.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(8, people - i) }, async (_, j) => {
          const heard = await enter(url, `quiet${i + j + 1}`, undefined, {
            'x-forwarded-for': `10.7.${i & 255}.${j}`,
          })
          if (heard.code !== 200) throw new Error(`quiet${i + j + 1}: ${heard.msg}`)
          const { token, tenant_id } = heard.data as { token: string; tenant_id: string }
          return { ...model, headers: { token, 'tenant-id': tenant_id } }
        }),
      )),
    )
  return all
}

interface Crowds {
  all: SlowCrowd[]
  port: number
}
/** The same for each of the processes that hold connections. */
async function sum(crowds: Crowds, word = '') {
  const tolls = await Promise.all(crowds.all.map((crowd) => crowd.tell(word)))
  const of = (name: 'taken' | 'refused' | 'open' | 'cut' | 'heard') =>
    tolls.reduce((total, toll) => total + toll[name], 0)
  return {
    taken: of('taken'),
    refused: of('refused'),
    open: of('open'),
    cut: of('cut'),
    heard: of('heard'),
    lastHeardMs: Math.max(...tolls.map((toll) => toll.lastHeardMs)),
  }
}
const openAll = (crowds: Crowds, heads: string[], how: Partial<SlowPlan> = {}) =>
  Promise.all(
    crowds.all.map((crowd, i) =>
      crowd.open({
        port: crowds.port,
        heads: heads.filter((_, j) => j % crowds.all.length === i),
        atOnce: 50,
        ...how,
      }),
    ),
  )
const closeAll = (crowds: Crowds) => Promise.all(crowds.all.map((crowd) => crowd.close()))

interface Seen {
  wrong: string[]
  told: string[]
}
const said = (name: string, by: Bystander) =>
  `${name}: another person p50 ${by.p50.toFixed(0)} p99 ${by.p99.toFixed(0)} ms, ${by.failed} of ${by.asked} failed`

/** One server and the crowd before it; what goes wrong is named. */
async function besieged(stage: Stage, server: Served, idle: number): Promise<Seen> {
  const { url, memory } = server
  const seen: Seen = { wrong: [], told: [] }
  const crowds: Crowds = { all: [slowCrowd(), slowCrowd()], port: Number(new URL(url).port) }
  const other = await signIn(url, 'branch_gm')
  const create = { width: 400, height: 300, channels: 3 as const, background: '#456' }
  const photo = await (await loadSharp())({ create }).jpeg().toBuffer()
  let alone = 0
  /** What another person notices meanwhile. */
  async function beside(name: string, work: () => Promise<void>): Promise<void> {
    const by = bystander(url, other)
    await work()
    const noticed = await by.tell()
    seen.told.push(said(name, noticed))
    console.log(seen.told.at(-1))
    if (noticed.failed) seen.wrong.push(`${name}: another person failed ${noticed.failed} times`)
    if (alone && noticed.p99 > Math.max(OTHERS_MS, alone * 4))
      seen.wrong.push(`${name}: another person waited ${noticed.p99.toFixed(0)} ms`)
    if (!alone) alone = noticed.p99
  }
  const grown = async (name: string, before: number, per = 1) => {
    const growth = (await memory()) - before
    seen.told.push(`${name}: ${(growth / MB).toFixed(0)} MB`)
    console.log(seen.told.at(-1))
    if (growth * per > MOST_BYTES) seen.wrong.push(`${name}: ${((growth * per) / MB).toFixed(0)} MB`)
  }
  try {
    const people = await crowdOf(stage, url, Math.ceil(idle / EACH))
    await beside('nobody else', () => pause(3_000) as Promise<void>)
    const bc = (
      await stage.owner.query<{ bc: string }>(`SELECT bc_id AS bc FROM sites WHERE code = 'GDHZ001'`)
    ).rows[0]!.bc

    const before = await memory()
    await beside('streams opening', async () => {
      await openAll(
        crowds,
        Array.from({ length: idle }, (_, i) => stream(people[i % people.length]!)),
      )
    })
    const opened = await sum(crowds)
    if (opened.taken !== idle) seen.wrong.push(`streams: ${opened.taken} of ${idle} taken`)
    await beside('streams idle', () => pause(5_000) as Promise<void>)
    const word = '"topic":"site"'
    await sum(crowds, word)
    await beside('a change told', async () => {
      await other.ask(api.sites.add, { body: { ws_name: '人人听到', bc_id: bc, address: '某路' } })
      for (const until = performance.now() + HEARD_MS; performance.now() < until; await pause(250))
        if ((await sum(crowds, word)).heard >= idle) break
    })
    const heard = await sum(crowds, word)
    seen.told.push(`${heard.heard} of ${idle} heard it, the last after ${heard.lastHeardMs.toFixed(0)} ms`)
    console.log(seen.told.at(-1))
    if (heard.heard !== idle) seen.wrong.push(`a change was heard by ${heard.heard} of ${idle}`)
    await grown(`${idle} idle streams`, before, IDLE / idle)
    await closeAll(crowds)

    await beside('slow senders', async () => {
      const body = { 'content-length': '100000' }
      const headers = { ...people[0]!.headers, 'content-type': 'application/json' }
      const upload = (i: number) => ({
        ...people[i % MANY]!.headers,
        'content-type': 'image/jpeg',
        'content-length': '8000000',
      })
      await openAll(
        crowds,
        Array.from(
          { length: SENDERS },
          (_, i) =>
            [
              head('POST', api.sites.list.path, headers),
              whole(
                head('POST', api.session.login.path, {
                  'content-type': 'application/json',
                  'content-length': '15000',
                }),
              ),
              whole(head('POST', api.sites.add.path, { ...headers, ...body })),
              whole(head('POST', api.files.upload.path, upload(i))),
              whole(head('POST', deviceDoorApi.events.path, { 'content-length': '100000' })),
            ][i % 5]!,
        ),
        { drip: 'x', atOnce: 100 },
      )
      // Somebody else's photo goes through meanwhile.
      const sent = performance.now()
      const given = await send(url, 'POST', api.files.upload.path, { ...other.headers, ...JPEG }, photo)
      seen.told.push(`somebody else's photo: ${given.code} in ${(performance.now() - sent).toFixed(0)} ms`)
      console.log(seen.told.at(-1))
      if (given.code !== 200)
        seen.wrong.push(`slow senders: somebody else's photo: ${given.code} ${given.msg}`)
      await pause(Math.max(0, SENDING_MS - (performance.now() - sent)))
    })
    const left = (await sum(crowds)).open
    if (left)
      seen.wrong.push(`slow senders: ${left} of ${SENDERS} are still there after ${SENDING_MS / 1_000} s`)
    await closeAll(crowds)

    const camera = stage.devices.find((d) => d.type === 'camera')!
    const clip = filmLasting(60, Buffer.alloc(CLIP_BYTES, 7))
    const { data } = await sendFile(url, camera, clip)
    await stage.owner.query(
      `UPDATE files SET site_id = (SELECT id FROM sites WHERE code = 'GDHZ001'), bc_id = $2 WHERE key = $1`,
      [data.key, bc],
    )
    const whilst = await memory()
    await beside('slow readers', async () => {
      await openAll(
        crowds,
        Array.from({ length: READERS }, (_, i) =>
          whole(head('GET', `${api.files.get.path}?key=${data.key}`, people[i % FEW_PEOPLE]!.headers)).repeat(
            ASKED,
          ),
        ),
        { deaf: true, atOnce: READERS, expects: CLIP_BYTES * ASKED },
      )
      await pause(2_000)
      const first = await sum(crowds)
      seen.told.push(`slow readers: ${first.taken} taken, ${first.refused} refused`)
      await grown(`${READERS} slow readers of ${ASKED} clips, ${FEW_PEOPLE} people`, whilst)
      await pause(READING_MS)
    })
    // A socket that reads nothing does not see that it was cut before it reads again.
    const waited = (await Promise.all(crowds.all.map((crowd) => crowd.wake()))).reduce(
      (n, t) => n + t.whole,
      0,
    )
    seen.told.push(`${READERS - waited} of ${READERS} were cut`)
    if (waited) seen.wrong.push(`slow readers: ${waited} of ${READERS} were waited for`)
    if (server.process.exitCode !== null) seen.wrong.push('the server ended')
  } finally {
    for (const crowd of crowds.all) crowd.end()
  }
  return seen
}

/**
 * G-16: ten thousand people's pages listen and do nothing, hundreds send a byte a second, a hundred read nothing of what
 * they asked for: somebody else works on, and the memory stays small. Control: a server that keeps something for every
 * stream and waits for slow senders as long as they like.
 */
export async function slow(): Promise<Result> {
  const most = Number(spawnSync('sh', ['-c', 'ulimit -Hn']).stdout.toString()) || Infinity
  const idle = Math.min(IDLE, Math.floor((most - SPARE) / EACH) * EACH)
  if (idle < IDLE) console.log(`SKIPPED in part: this machine allows ${most} open files, so ${idle} streams`)
  const stage = await setStage()
  try {
    await stage.owner.query(`SET app.tenant = '*'`)
    const server = await stage.serve()
    const { wrong, told } = await besieged(stage, server, idle)
    await server.end()
    await stage.owner.query(
      `DELETE FROM user_roles WHERE user_id IN (SELECT id FROM users WHERE user_name LIKE 'quiet%')`,
    )
    await stage.owner.query(`UPDATE users SET user_name = 'gone' || user_name WHERE user_name LIKE 'quiet%'`)
    const planted = await stage.serve({ plant: 'hospitable' })
    const found = (await besieged(stage, planted, FEW)).wrong
    const control = ['idle streams', 'slow senders', 'slow readers'].every((what) =>
      found.some((why) => why.includes(what)),
    )
    for (const why of wrong) console.log(`wrong: ${why}`)
    for (const why of found) console.log(`control: ${why}`)
    return {
      value: `${told.join('; ')}; wrong ${wrong.length}, control ${control ? 'found' : 'MISSED'}`,
      ok: wrong.length === 0 && control && idle === IDLE,
    }
  } finally {
    await stage.close()
  }
}
