import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { api } from '@zhuguan/contract/api.ts'
import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'

import { loadSharp } from '../../server/kit/native.ts'
import { signed } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'
import { sized } from '../size.ts'
import { begins } from './begun.ts'
import { type Caller, enter, type Heard, type Result, send, signIn } from './client.ts'
import { type Faults, faults, mayMount, type SmallDisk, smallDisk } from './faults.ts'
import { program } from './program.ts'
import { setStage, type Stage } from './stage.ts'

const PHASE_MS = sized(5_000, 500)
const ROUND_MS = 40
const ROOM_MB = 24
/** Everybody is answered inside a call's deadline and a tenth. */
const LIMIT_MS = 16_500
/** After the space is back; the embedded database is tried at most every five seconds (docs/decisions/0103). */
const BACK_MS = 8_000
const STAGES = 10
const SEGMENTS = 200
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))

const CAMERAS = 10
const EVENTS = 50
/** Not more than one person may have under way. */
const PHOTO_EVERY = 8
const SIGN_IN_EVERY = 8
const JPEG_END = Buffer.from([0xff, 0xd9])
const JPEG = { 'content-type': 'image/jpeg' }
const eventIds = (mark: string) =>
  Array.from({ length: EVENTS }, (_, i) => `${mark} ${i}`.replaceAll(' ', '-'))

type Kind = 'site' | 'events' | 'photo' | 'device photo' | 'sign-in' | 'view'
interface Read {
  status: number
  code: number
  headers: Headers
  msg?: string
  bytes?: number
}
interface Written {
  kind: Kind
  mark: string
  phase: string
  heard: Heard
  ms: number
  /** What is asked back. */
  key?: string
}
/** Where a phase strikes: what must go on all the while, and what has to be refused politely. */
interface Trouble {
  name: string
  begin(): void | Promise<void>
  end(): void
  /** The database itself may be away: reads may be refused then too, politely. */
  away?: boolean
  /** These must be refused at least once, else nothing was measured. */
  bites: Kind[]
  /** These go on as if nothing had happened. */
  spares: Kind[]
}

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'ballast')
    .map((entry) => join(entry.parentPath, entry.name))

/** A picture that compresses badly, so that a full disk notices it. */
async function aPhoto(): Promise<Buffer> {
  const [width, height] = [480, 360]
  const raw = { width, height, channels: 3 as const }
  return (await loadSharp())(randomBytes(width * height * 3), { raw })
    .jpeg({ quality: 90 })
    .toBuffer()
}

const heartbeat = (device: Stage['devices'][number]): [Record<string, string>, Buffer] => {
  const events = [{ id: `h${device.sn}`, kind: 'heartbeat', at: seconds(), signal: 80 }]
  const { headers, body } = signed(device, Buffer.from(JSON.stringify({ events })))
  return [headers, body]
}
/** Somebody at one server, who writes and reads what can be written and read, and remembers what was said. */
async function visit(stage: Stage, url: string, name: string) {
  const { rows } = await stage.owner.query<{ bc: string; site: string }>(
    `SELECT bc_id AS bc, id AS site FROM sites WHERE code = 'GDHZ001'`,
  )
  const { bc, site } = rows[0]!
  const [who, pm, photo] = [await signIn(url, 'branch_gm'), await signIn(url, 'pm'), await aPhoto()]
  // Another person: who writes has as much under way as one person may.
  const reader = await signIn(url, 'admin')
  const cameras = stage.devices.filter((d) => d.type === 'camera').slice(0, CAMERAS)
  const { key: kept } = (await put(url, reader, photo)).data as { key: string }
  const { bytes } = await get(url, reader, kept)
  const written: Written[] = []
  const problems: string[] = []
  let reads = 0

  async function timed(kind: Kind, mark: string, phase: string, asked: Promise<Heard>): Promise<void> {
    const from = performance.now()
    const heard = await asked
    const key = (heard.data as { key?: string } | null)?.key
    written.push({ kind, mark, phase, heard, ms: performance.now() - from, ...(key ? { key } : {}) })
  }
  const reported = (mark: string, n: number) => {
    const events = eventIds(mark).map((id) => ({ id, kind: 'visitor', at: seconds() - 1, seconds: 9 }))
    return signed(cameras[n % cameras.length]!, Buffer.from(JSON.stringify({ events })))
  }
  /** One of each thing that can be written. */
  function write(phase: string, n: number): Promise<void>[] {
    const mark = `${name} ${phase} ${n}`
    const report = reported(mark, n)
    const file = signed(cameras[n % cameras.length]!, photo)
    const facts = { bc_id: bc, address: '满'.repeat(120), community: '盘'.repeat(60) }
    const view = { name: `goal-${n % 40}`, value: { n, text: '视'.repeat(500) } }
    const asked: [Kind, Promise<Heard>][] = [
      ['site', who.ask(api.sites.add, { body: { ws_name: mark, ...facts } })],
      ['events', send(url, 'POST', deviceDoorApi.events.path, report.headers, report.body)],
      ['view', pm.ask(api.views.save, { body: view })],
    ]
    if (n % PHOTO_EVERY === 0)
      asked.push(
        ['photo', put(url, who, photo)],
        [
          'device photo',
          send(url, 'POST', deviceDoorApi.files.path, { ...file.headers, ...JPEG }, file.body),
        ],
      )
    if (n % SIGN_IN_EVERY === 0)
      asked.push(['sign-in', enter(url, 'inspector', undefined, { 'x-forwarded-for': `10.9.1.${n % 250}` })])
    return asked.map(([kind, answer]) => timed(kind, mark, phase, answer))
  }
  /** What only reads. */
  async function read(phase: string, away: boolean): Promise<void> {
    const asked: [string, Promise<Read>][] = [
      ['list', reader.ask(api.sites.list)],
      ['details', reader.ask(api.sites.details, { query: { id: site } })],
      ['alarms', reader.ask(api.alarms.list)],
      ['cards', reader.ask(api.home.cards)],
      ['permissions', reader.ask(api.session.permissionInfo)],
      ['picture', get(url, reader, kept)],
    ]
    for (const [what, answer] of asked) {
      const heard = await answer
      reads += 1
      const whole = what !== 'picture' || heard.bytes === bytes
      if ((heard.code === 200 && whole) || (away && isPolite(heard))) continue
      problems.push(`${phase}: reading ${what}: ${heard.status} ${heard.code} ${heard.msg ?? ''}`)
    }
  }
  // A device that the server has not met yet is looked up first.
  for (const camera of cameras) await send(url, 'POST', deviceDoorApi.events.path, ...heartbeat(camera))
  return {
    written,
    problems,
    reads: () => reads,
    write,
    read,
    /** Whether everything is well again. */
    async works(): Promise<boolean> {
      const from = written.length
      await Promise.all(write('after', from - (from % SIGN_IN_EVERY)))
      return written.slice(from).every((w) => w.heard.code === 200)
    },
    picture: (key: string) => get(url, who, key),
  }
}
type Visitor = Awaited<ReturnType<typeof visit>>

const isPolite = ({ status, headers }: { status: number; headers: Headers }): boolean =>
  (status === 503 || status === 429) && Number(headers.get('retry-after')) > 0
const put = (url: string, who: Caller, bytes: Buffer): Promise<Heard> =>
  send(url, 'POST', api.files.upload.path, { ...who.headers, ...JPEG }, bytes)
async function get(url: string, who: Caller, key: string) {
  const none = { status: 599, code: 599, bytes: 0, headers: new Headers() }
  const answer = await fetch(`${url}${api.files.get.path}?key=${key}`, { headers: who.headers }).catch(
    () => {},
  )
  if (!answer) return none
  const { status, headers } = answer
  return answer.arrayBuffer().then(
    (body) => ({ status, code: status, bytes: body.byteLength, headers }),
    () => none,
  )
}

const CHINESE = /[\u4e00-\u9fff]{4}/
/** The reason why a refusal is none: it says neither what happened nor when to come again. */
function unclear({ heard, ms }: Written): string | undefined {
  if (heard.code === 200) return undefined
  if (ms > LIMIT_MS) return `only after ${ms.toFixed(0)} ms`
  if (!isPolite(heard)) return `no 503 with Retry-After`
  if (!CHINESE.test(heard.msg) || heard.msg.includes('系统繁忙')) return 'no sentence'
  return undefined
}

interface Audit {
  lost: string[]
  partial: string[]
  /** Refused, and there all the same: whole, where the database fell while it was asked. */
  unsure: number
}
/**
 * Files that no row names. Where the database fell while it was asked, nobody knows whether the row is there: such a file
 * stays, but whole.
 */
async function leftBehind(stage: Stage, folder: string, before: Set<string>, away: boolean) {
  const { rows } = await stage.owner.query<{ key: string }>(`SELECT key FROM files`)
  const keys = rows.map(({ key }) => key.split('.')[0]!)
  const isWhole = (path: string) =>
    !path.endsWith('.part') && readFileSync(path).subarray(-2).equals(JPEG_END)
  const unnamed = filesUnder(folder).filter(
    (path) => !before.has(path) && !keys.some((key) => path.includes(key)),
  )
  const half = unnamed.filter((path) => !(away && isWhole(path)))
  return {
    half: half.map((path) => `left behind: ${path.slice(folder.length)}`),
    kept: unnamed.length - half.length,
  }
}

/** What is there, beside what was said. */
async function audit(stage: Stage, visitor: Visitor, folder: string): Promise<Audit> {
  const { lost, partial } = { lost: [] as string[], partial: [] as string[] }
  let unsure = 0
  const all = async <T extends object>(text: string) => (await stage.owner.query<T>(text)).rows
  const sites = new Map(
    (
      await all<{ name: string; n: number; stages: number; logs: number }>(
        `SELECT s.ws_name AS name, count(DISTINCT s.id)::int AS n, count(DISTINCT t.stage)::int AS stages,
           count(DISTINCT l.id)::int AS logs
         FROM sites s LEFT JOIN site_stages t ON t.site_id = s.id
           LEFT JOIN user_logs l ON l.object_id = s.id::text
         GROUP BY s.ws_name`,
      )
    ).map((row) => [row.name, row]),
  )
  const events = new Map<string, number>()
  for (const { id } of await all<{ id: string }>(`SELECT event_id AS id FROM raw_events`))
    events.set(id, (events.get(id) ?? 0) + 1)
  const keys = new Set((await all<{ key: string }>(`SELECT key FROM files`)).map((row) => row.key))
  const mentioned = new Set<string>()
  for (const { kind, mark, heard, key } of visitor.written) {
    const done = heard.code === 200
    if (kind === 'site') {
      const found = sites.get(mark)
      if (done && !found) lost.push(`site ${mark}`)
      if (found && (found.n !== 1 || found.stages !== STAGES || found.logs < 1))
        partial.push(`site ${mark}: ${found.n} times, ${found.stages} stages, ${found.logs} lines`)
      if (!done && found) unsure += 1
    }
    if (kind === 'events') {
      const ids = eventIds(mark)
      const counts = ids.map((id) => events.get(id) ?? 0)
      const there = counts.filter((n) => n > 0).length
      if (done && there < ids.length) lost.push(`events ${mark}: ${there} of ${ids.length}`)
      if (counts.some((n) => n > 1)) partial.push(`events ${mark} twice`)
      if (!done && there > 0 && there < ids.length) partial.push(`events ${mark}: ${there} of ${ids.length}`)
      if (!done && there === ids.length) unsure += 1
    }
    if (key && (kind === 'photo' || kind === 'device photo')) {
      mentioned.add(key)
      if (!keys.has(key)) lost.push(`${kind} ${mark}: no row`)
    }
  }
  const half = await all<{ n: number }>(
    `SELECT abs((SELECT count(*) FROM raw_events WHERE kind = 'visitor') - (SELECT count(*) FROM visits))::int AS n`,
  )
  if (half[0]!.n) partial.push(`${half[0]!.n} events without their effect`)
  for (const key of mentioned) {
    const read = await visitor.picture(key)
    // A device's picture without an event belongs to nobody yet: then its bytes are looked at where they lie.
    const onDisk = filesUnder(folder).find((path) => path.includes(key.split('.')[0]!))
    if (read.code === 200 ? read.bytes === 0 : !onDisk || statSync(onDisk).size === 0)
      partial.push(`picture ${key}: ${read.status}, ${read.bytes} bytes`)
  }
  return { lost, partial, unsure }
}

/** The disks of one installation, each to be filled, and each file to fail. */
interface Disks {
  tables: SmallDisk
  log: SmallDisk
  uploads: SmallDisk
  temp: SmallDisk
  faults: Faults | undefined
}
/** PostgreSQL keeps segments for later: they are used up one by one, until it needs a new one and falls. */
async function useUpLog({ owner }: Stage): Promise<void> {
  for (let i = 0; i < SEGMENTS; i += 1)
    await owner.query(`SELECT pg_switch_wal(), pg_logical_emit_message(true, 'goal', 'x')`).catch(() => {})
}
const DATABASE: Kind[] = ['site', 'events', 'sign-in', 'view']
const FILES: Kind[] = ['photo', 'device photo']
function troubles({ tables, log, uploads, temp, faults: io }: Disks, stage: Stage): Trouble[] {
  const full = (name: string, disk: SmallDisk, more: Omit<Trouble, 'name' | 'begin' | 'end'>): Trouble => ({
    name: `${name} full`,
    begin: disk.fill,
    end: disk.free,
    ...more,
  })
  const broken = (name: string, more: Omit<Trouble, 'name' | 'begin' | 'end'>): Trouble => ({
    name: `${name} failing`,
    begin: () => io!.set(name, true),
    end: () => io!.set(name, false),
    ...more,
  })
  return [
    full('uploads', uploads, { bites: FILES, spares: DATABASE }),
    full('temp', temp, { bites: [], spares: [...DATABASE, ...FILES] }),
    full('tables', tables, { bites: ['site', 'events'], spares: [] }),
    {
      ...full('log', log, { bites: ['site', 'events'], spares: [], away: true }),
      async begin() {
        log.fill()
        await useUpLog(stage)
      },
    },
    ...(io
      ? [
          broken('uploads', { bites: FILES, spares: DATABASE }),
          broken('tables', { bites: [], spares: [], away: true }),
          broken('log', { bites: ['site', 'events'], spares: [], away: true }),
        ]
      : []),
  ]
}

/** One trouble, while everybody goes on; answers how long after it all is well again. */
async function suffer(trouble: Trouble, visitors: Visitor[]): Promise<number> {
  await trouble.begin()
  const until = performance.now() + PHASE_MS
  const open = new Set<Promise<void>>()
  const reading = new Set<Visitor>()
  const go = (work: Promise<void>) => {
    const p: Promise<void> = work.finally(() => open.delete(p))
    open.add(p)
  }
  for (let n = 0; performance.now() < until; n += 1) {
    for (const visitor of visitors) {
      if (open.size < 60) visitor.write(trouble.name, n).forEach(go)
      // The next round of reading when the last one was answered: nobody is to be overloaded here.
      if (!reading.has(visitor)) {
        reading.add(visitor)
        go(visitor.read(trouble.name, trouble.away ?? false).finally(() => reading.delete(visitor)))
      }
    }
    await pause(ROUND_MS)
  }
  trouble.end()
  const from = performance.now()
  await Promise.all(open)
  const [first] = visitors as [Visitor]
  while (!(await first.works()) && performance.now() - from < BACK_MS * 4) await pause(200)
  return performance.now() - from
}

/**
 * G-11: the disk under the tables, under their log, under the uploads and under temporary files is full, or fails with an
 * input/output error. Reads go on, writes are refused in a sentence with 503 and Retry-After, nothing is half there, and
 * when there is room again everything works by itself. Control: a server that forgets an error's cause, says that it
 * did what it did not, and leaves half an upload behind, in the same trouble.
 */
export async function disks(): Promise<Result> {
  const stage = await setStage()
  const laid: SmallDisk[] = []
  let running: Awaited<ReturnType<typeof program>> | undefined
  try {
    if (!mayMount(stage.folder))
      return { value: 'not measured', ok: true, skipped: 'needs the right to mount' }
    const cluster = join(stage.folder, 'postgres', 'cluster')
    const place = { tables: join(cluster, 'base'), log: join(cluster, 'pg_wal') }
    const uploads = join(stage.folder, 'files')
    const temp = join(stage.folder, 'temp')
    mkdirSync(uploads, { recursive: true })
    mkdirSync(temp, { recursive: true })
    await stage.database.leave('stop')
    // Whoever is cut off leaves no disk behind.
    begins(async () => {
      await running?.stop()
      await stage.close(() => laid.forEach((disk) => disk.remove()))
    })
    const lay = (folder: string, room: number) => {
      const disk = smallDisk(folder, room)
      laid.push(disk)
      return disk
    }
    const io = faults(stage.folder, { ...place, uploads })
    if (!io) console.log('SKIPPED: input/output errors need a C compiler')
    const all = {
      tables: lay(place.tables, ROOM_MB * 8),
      log: lay(place.log, ROOM_MB * 2),
      uploads: lay(uploads, ROOM_MB * 8),
      temp: lay(temp, 1),
      faults: io,
    }
    running = await program({ DATA_DIR: stage.folder, DEMO: '1', TMPDIR: temp, ...io?.env })
    await stage.database.comeBack()
    await stage.owner.query(`SET app.tenant = '*'`)
    const left = join(uploads, 'half.jpg')
    const planted = await stage.serve({ plant: 'careless', path: api.sites.add.path, leaves: left })
    const real = await visit(stage, running.url, 'real')
    const wrong: string[] = []
    const told: string[] = []
    const found = new Set<string>()
    let unnamed = 0
    for (const trouble of troubles(all, stage)) {
      const hurt = trouble.name === 'tables full' || trouble.name === 'uploads full'
      const careless = hurt ? await visit(stage, planted.url, 'planted') : undefined
      rmSync(left, { force: true })
      const before = new Set(filesUnder(uploads))
      const from = real.written.length
      const back = await suffer(trouble, careless ? [real, careless] : [real])
      const mine = real.written.slice(from)
      const during = mine.filter((w) => w.phase === trouble.name)
      const say = (why: string) => wrong.push(`${trouble.name}: ${why}`)
      const refused = during.filter((w) => w.heard.code !== 200)
      for (const w of refused) {
        const why = unclear(w)
        if (why)
          say(`${w.kind} ${why}: ${w.heard.status} ${w.heard.code} ${w.heard.msg} (${w.ms.toFixed(0)} ms)`)
      }
      for (const kind of trouble.bites)
        if (!refused.some((w) => w.kind === kind)) say(`no ${kind} was refused: it was not measured`)
      for (const w of refused)
        if (trouble.spares.includes(w.kind)) say(`${w.kind} was refused: ${w.heard.status} ${w.heard.msg}`)
      if (back > BACK_MS) say(`works again only after ${back.toFixed(0)} ms`)
      if (running.gone()) say(`the server ended: ${running.said().slice(-200)}`)
      await stage.database.comeBack()
      await stage.owner.query(`SET app.tenant = '*'`)
      const behind = await leftBehind(stage, uploads, before, trouble.away ?? false)
      unnamed += behind.kept
      if (careless) {
        if (careless.written.some(unclear)) found.add('unclear')
        if ((await audit(stage, careless, uploads)).lost.length) found.add('lost')
        if (behind.half.some((why) => why.includes('half.jpg'))) found.add('half')
        rmSync(left, { force: true })
      }
      for (const why of behind.half) if (!why.includes('half.jpg')) say(why)
      told.push(`${trouble.name}: ${refused.length} of ${during.length} refused, back ${back.toFixed(0)} ms`)
      console.log(told.at(-1))
    }
    const { lost, partial, unsure } = await audit(stage, real, uploads)
    wrong.push(...lost.map((w) => `lost: ${w}`), ...partial.map((w) => `partial: ${w}`), ...real.problems)
    const counts = new Map<string, number>()
    for (const why of wrong) {
      const short = why.replaceAll(/[0-9a-f-]*\d[0-9a-f-]*/g, 'n')
      counts.set(short, (counts.get(short) ?? 0) + 1)
      if (counts.get(short)! <= 2) console.log(`wrong: ${why}`)
    }
    const control = found.size === 3
    console.log(`control: ${[...found].join(', ')}`)
    return {
      value:
        `${told.length} troubles, ${real.written.length} writes, ${real.reads()} reads; wrong ${wrong.length}, ` +
        `lost ${lost.length}, half ${partial.length}, there although refused ${unsure}, whole files without a row ${unnamed}; ` +
        `${told.map((t) => t.replace(/: .*back/, ' back')).join(', ')}; control ${control ? 'found' : 'MISSED'}`,
      ok: wrong.length === 0 && control && io !== undefined,
    }
  } finally {
    await running?.stop()
    await stage.close(() => laid.forEach((disk) => disk.remove()))
  }
}
