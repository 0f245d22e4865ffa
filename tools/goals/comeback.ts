import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

import { api } from '@zhuguan/contract/api.ts'

import { startEmbedded } from '../../server/database/embedded.ts'
import { loadSharp } from '../../server/kit/native.ts'
import { report } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'
import { type Caller, type Result, send, signIn } from './client.ts'
import { command, program } from './program.ts'
import { setStage, type Stage } from './stage.ts'
import { upgraded } from './upgrade.ts'
import { asOwner, differences, pictureOf } from './whole.ts'

const BUSY_MS = 3_000
const MIN_BROKEN = 8
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))

const aPhoto = async (): Promise<Buffer> =>
  (await loadSharp())(randomBytes(300 * 200 * 3), { raw: { width: 300, height: 200, channels: 3 } })
    .jpeg()
    .toBuffer()

interface Author {
  who: Caller
  bc: string
  url: string
}
const author = async (url: string, bc: string): Promise<Author> => ({
  url,
  bc,
  who: await signIn(url, 'branch_gm'),
})
/** A site, what a camera sees, a photo: answers the site's number, undefined when it was refused. */
async function workAt({ who, bc, url }: Author, stage: Stage, name: string, photo?: Buffer) {
  const made = await who.ask(api.sites.add, {
    body: { ws_name: name, bc_id: bc, address: '存路 1 号', area: '88.05' },
  })
  const camera = stage.devices.find((d) => d.type === 'camera')!
  await report(url, camera, [{ id: name, kind: 'visitor', at: seconds() - 2, seconds: 9 }])
  if (photo)
    await send(url, 'POST', api.files.upload.path, { ...who.headers, 'content-type': 'image/jpeg' }, photo)
  return made.code === 200 ? (made.data as { code: string }).code : undefined
}

/** A backup's lines, changed and closed again: with the end that it had, or with one that fits. */
function forged(file: Buffer, change: (lines: string[]) => string[], fitting: boolean): Buffer {
  const lines = change(gunzipSync(file).toString('utf8').trimEnd().split('\n'))
  if (!fitting) return gzipSync(`${lines.join('\n')}\n`)
  const body = lines.slice(0, -1)
  const hash = createHash('sha256')
  for (const line of body) hash.update(`${line}\n`)
  const end = JSON.stringify({ end: true, lines: body.length, digest: hash.digest('hex') })
  return gzipSync(`${[...body, end].join('\n')}\n`)
}
const at = (lines: string[], name: string) => lines.findIndex((line) => line.startsWith(`{"table":"${name}"`))
/** What happens to backups on their way, and what somebody might make of one. */
function broken(file: Buffer): Record<string, Buffer> {
  const middle = Buffer.from(file)
  middle[Math.floor(file.length / 2)]! ^= 0x55
  return {
    'cut in half': file.subarray(0, file.length / 2),
    'its last bytes missing': file.subarray(0, -9),
    'a byte turned over': middle,
    empty: Buffer.alloc(0),
    'another kind of file': Buffer.from('<html>404 Not Found</html>'),
    'a cell changed': forged(file, (all) => all.map((l) => l.replace('GDHZ001', 'GDHZ00X')), false),
    'rows left out': forged(file, (all) => all.toSpliced(at(all, 'sites'), 1), false),
    'no end': forged(file, (all) => all.slice(0, -1), false),
    'an end in the middle': forged(file, (all) => all.toSpliced(5, 0, all.at(-1)!), false),
    'of a newer release': forged(
      file,
      (all) => all.with(0, all[0]!.replace('"migrations":[', '"migrations":["9999-later.sql",')),
      true,
    ),
    'parents left out': forged(file, (all) => all.toSpliced(at(all, 'companies'), 1), true),
    'an unknown table': forged(
      file,
      (all) => all.map((l) => l.replace('{"table":"sites"', '{"table":"sitez"')),
      true,
    ),
    'a file that climbs out': forged(
      file,
      (all) => all.toSpliced(-1, 0, JSON.stringify({ file: '../../climbed.txt', bytes: 'eA==' })),
      true,
    ),
    'a form that nobody knows': forged(
      file,
      (all) => all.with(0, all[0]!.replace('zhuguan-backup', 'other')),
      true,
    ),
  }
}

interface Half {
  told: string
  wrong: string[]
  found: string[]
}
/** A backup of the installation while it works, put back into a machine where nothing is. */
async function restored(stage: Stage): Promise<Half> {
  const wrong: string[] = []
  const found: string[] = []
  const check = (ok: boolean, why: string) => {
    if (!ok) wrong.push(why)
  }
  const [busy, quiet] = [join(stage.folder, 'busy.backup'), join(stage.folder, 'quiet.backup')]
  const env = { DATA_DIR: stage.folder, DEMO: '1' }
  const { bc } = (
    await stage.owner.query<{ bc: string }>(`SELECT bc_id AS bc FROM sites WHERE code = 'GDHZ001'`)
  ).rows[0]!
  const server = await stage.serve()
  const writer = await author(server.url, bc)
  const photo = await aPhoto()
  for (let i = 0; i < 5; i += 1)
    check(!!(await workAt(writer, stage, `先有${i}`, photo)), 'a site was refused')

  // While people write: what was acknowledged before it began is in it, and nothing is half.
  let writing = true
  const codes: string[] = []
  const work = (async () => {
    for (let i = 0; writing; i += 1) {
      const code = await workAt(writer, stage, `同时${i}`)
      if (code) codes.push(code)
    }
  })()
  await pause(BUSY_MS / 2)
  const acknowledged = [...codes]
  const taken = await command(env, ['backup', '--file', busy])
  check(taken.code === 0, `a backup beside work: ${taken.said}`)
  writing = false
  await work
  await server.end()
  const before = await pictureOf(stage.ownerUrl, stage.folder)
  check((await command(env, ['backup', '--file', quiet])).code === 0, 'a backup in peace')

  const machine = (name: string) => {
    const folder = join(stage.folder, name)
    mkdirSync(folder)
    chmodSync(folder, 0o755)
    return folder
  }
  const [one, other] = [machine('one'), machine('other')]
  /** Puts a backup into a machine, and looks at it. */
  async function put(folder: string, file: string) {
    const back = await command({ DATA_DIR: folder, DEMO: '1' }, ['restore', '--file', file])
    check(back.code === 0, `restore: ${back.said.slice(0, 300)}`)
    const database = await startEmbedded(folder)
    return { database, picture: () => pictureOf(database.url, folder), ms: back.ms }
  }
  const busyOne = await put(other, busy)
  await asOwner(busyOne.database.url, async (client) => {
    const { rows } = await client.query<{ code: string; stages: number }>(
      `SELECT s.code, count(t.*)::int AS stages FROM sites s LEFT JOIN site_stages t ON t.site_id = s.id
       WHERE s.ws_name LIKE '同时%' GROUP BY s.code`,
    )
    const there = new Set(rows.map((row) => row.code))
    check(
      acknowledged.every((code) => there.has(code)),
      'a write acknowledged before the backup is not in it',
    )
    check(
      rows.every((row) => row.stages === 10),
      'half a site is in it',
    )
  })
  await busyOne.database.stop()
  const log = await command({ DATA_DIR: other, DEMO: '1' }, ['log', 'verify'])
  check(log.code === 0, `the log of a backup beside work: ${log.said}`)

  const copy = await put(one, quiet)
  const away = differences(before, await copy.picture())
  for (const why of away) wrong.push(`restored: ${why}`)

  // Control: a cell, a number, a picture that the copy lacks are seen.
  const whole = await copy.picture()
  const picture = [...whole.keys()].find((name) => name.startsWith('file /files/'))!.slice('file '.length)
  const bytes = readFileSync(join(one, picture))
  rmSync(join(one, picture))
  await asOwner(copy.database.url, async (client) => {
    await client.query(`UPDATE sites SET address = address || ' ' WHERE code = 'GDHZ001'`)
    const { rows } = await client.query<{ name: string }>(
      `SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL LIMIT 1`,
    )
    await client.query(`SELECT setval($1, 999999)`, [rows[0]!.name])
    const spoiled = differences(whole, await copy.picture()).map((why) => why.split(' ')[0]!)
    for (const what of ['table', 'sequence', 'file'])
      if (spoiled.includes(what)) found.push(`a changed ${what}`)
    await client.query(`UPDATE sites SET address = rtrim(address) WHERE code = 'GDHZ001'`)
  })
  writeFileSync(join(one, picture), bytes)

  // Broken ones over it: nothing of it changes. An honest one comes through.
  const standing = await copy.picture()
  const file = join(stage.folder, 'broken.backup')
  const honest = readFileSync(quiet)
  const all = broken(honest)
  for (const [name, content] of Object.entries(all)) {
    writeFileSync(file, content)
    const refused = await command({ DATA_DIR: one, DEMO: '1' }, ['restore', '--file', file])
    check(refused.code === 1, `${name}: taken (${refused.code})`)
    check(
      /[\u4e00-\u9fff]{4}/.test(refused.said) && !refused.said.includes('    at '),
      `${name}: ${refused.said.slice(0, 200)}`,
    )
    const changed = differences(standing, await copy.picture())
    for (const why of changed) wrong.push(`${name}: ${why}`)
  }
  writeFileSync(
    file,
    forged(honest, (lines) => lines.map((l) => l.replace('GDHZ001', 'GDHZ00X')), true),
  )
  const fitting = await command({ DATA_DIR: one, DEMO: '1' }, ['restore', '--file', file])
  if (fitting.code === 0 && differences(standing, await copy.picture()).length)
    found.push('a backup that fits')
  const again = await command({ DATA_DIR: one, DEMO: '1' }, ['restore', '--file', quiet])
  check(
    again.code === 0 && differences(before, await copy.picture()).length === 0,
    `a second restore: ${again.said}`,
  )

  // And it goes on: its people come in, its cameras report, its numbers follow.
  const running = await program({ DATA_DIR: one, DEMO: '1' })
  const next = await author(running.url, bc)
  const { rows } = await stage.owner.query<{ last: string }>(
    `SELECT code AS last FROM sites WHERE bc_id = $1 ORDER BY length(code) DESC, code DESC LIMIT 1`,
    [bc],
  )
  const code = await workAt(next, stage, '还原以后', photo)
  const number = (text: string) => Number(/\d+$/.exec(text)?.[0])
  check(!!code && number(code) === number(rows[0]!.last) + 1, `after ${rows[0]!.last} came ${code}`)
  const hindered = await command({ DATA_DIR: one, DEMO: '1' }, ['restore', '--file', quiet])
  check(hindered.code === 1, 'a restore under a running server was not refused')
  await running.stop()
  await copy.database.stop()
  return {
    told:
      `${before.size} digests equal after restore (${(copy.ms / 1_000).toFixed(1)} s), ${acknowledged.length} of ${acknowledged.length} ` +
      `acknowledged beside a backup, ${Object.keys(all).length} broken refused`,
    wrong: Object.keys(all).length < MIN_BROKEN ? [...wrong, 'too few'] : wrong,
    found,
  }
}

/**
 * G-24: a backup comes back in an empty machine to the last byte, and its numbers go on; broken ones are refused and
 * change nothing; the release before goes on serving while this one upgrades its database, and everything arrives.
 */
export async function comeback(): Promise<Result> {
  const stage = await setStage()
  const wrong: string[] = []
  let first: Half
  try {
    await stage.owner.query(`SET app.tenant = '*'`)
    first = await restored(stage)
  } finally {
    await stage.close()
  }
  const second = await upgraded()
  wrong.push(...first.wrong, ...second.wrong)
  for (const why of wrong) console.log(`wrong: ${why}`)
  const found = [...first.found, ...second.found]
  console.log(`control: ${found.join(', ')}`)
  const control = first.found.length === 4 && (second.found.length === 4 || second.skipped !== undefined)
  return {
    value: `${first.told}; ${second.told}; wrong ${wrong.length}, control ${control ? 'found' : 'MISSED'}`,
    ok: wrong.length === 0 && control && second.skipped === undefined,
  }
}
