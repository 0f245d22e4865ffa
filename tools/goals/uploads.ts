import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { api } from '@zhuguan/contract/api.ts'
import { workersImport } from '@zhuguan/contract/features/workers/workers.import.ts'

import { sized } from '../size.ts'
import { type Caller, dice, type Result, signIn } from './client.ts'
import { HIDDEN, honestBook, hostileBooks, hostilePictures } from './hostile-files.ts'
import { setStage } from './stage.ts'

const NAMES = sized(500, 10)
/** What no answer may hold: a file outside, the installation's key, a source, this machine's people. */
const SENTINEL = 'SENTINEL-a93f17'
const SLOW_MS = 8_000

/** Names that climb, hide, cut or confuse, in every writing that a server might undo. */
function names(seed: number): string[] {
  const { pick, below } = dice(seed)
  const targets = [
    'secret.key',
    'sentinel.txt',
    'etc/passwd',
    'postgres/cluster/PG_VERSION',
    'package.json',
    'x.jpg',
  ]
  const ups = [
    '../',
    '..\\',
    '..%2f',
    '%2e%2e/',
    '%2e%2e%2f',
    '..%5c',
    '....//',
    '..;/',
    '%252e%252e%252f',
    '..%c0%af',
    './',
    '/',
    '//',
    '\\\\host\\',
    'file:///',
    'C:\\',
    '~/',
  ]
  const ends = [
    '',
    '\0',
    '%00.jpg',
    '.jpg',
    '.JPG',
    ' ',
    '.',
    '::$DATA',
    '/',
    '?x',
    '#x',
    '\n',
    '\u202egpj.exe',
    ';.jpg',
  ]
  const odd = [
    'CON',
    'NUL.jpg',
    '.htaccess',
    '-rf',
    '$(id)',
    '`id`',
    '|id',
    '"><script>',
    "'; DROP TABLE files; --",
    'x'.repeat(300),
    '照片'.repeat(80),
    '😀.jpg',
    '__proto__',
    'constructor.jpg',
  ]
  const all = new Set<string>(odd)
  while (all.size < NAMES) all.add(pick(ups).repeat(1 + below(6)) + pick(targets) + pick(ends))
  return [...all]
}
const filesUnder = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile() && !join(e.parentPath, e.name).includes('/postgres/'))
    .map((e) => join(e.parentPath, e.name).slice(folder.length))

/**
 * G-21: hostile names at every door that takes one, and hostile pictures and workbooks, while somebody else works.
 * Controls: an honest file, its thumbnail and workbook go through; a sentinel in reach is found; a stall is noticed.
 */
export async function uploads(seed: number): Promise<Result> {
  const stage = await setStage()
  try {
    await stage.owner.query(`SET app.tenant = '*'`)
    writeFileSync(join(stage.folder, 'sentinel.txt'), SENTINEL)
    const key = readFileSync(join(stage.folder, 'secret.key'))
    const forbidden = [
      SENTINEL,
      'root:x:0',
      '"name": "zhuguan"',
      key.toString('utf8'),
      key.toString('base64'),
    ]
    const { url, process: server } = await stage.serve()
    let fell = false
    server.once('exit', () => (fell = true))
    const [gm, other] = await Promise.all([signIn(url, 'branch_gm'), signIn(url, 'inspector')])
    const before = filesUnder(stage.folder)
    const wrong: string[] = []
    const post = async (who: Caller, path: string, type: string, bytes: Buffer) => {
      const answer = await fetch(url + path, {
        method: 'POST',
        headers: { ...who.headers, 'content-type': type },
        body: new Uint8Array(bytes),
      })
      const text = await answer.text()
      const { code = answer.status, data = null } = JSON.parse(text || '{}') as {
        code?: number
        data?: { key?: string; id?: string } | null
      }
      return { status: answer.status, code, data, text }
    }
    const escapes = (text: string) => forbidden.some((f) => f !== '' && text.includes(f))

    // Somebody else goes on working all the while.
    const took: number[] = []
    let working = true
    const work = (async () => {
      while (working) {
        const begun = performance.now()
        const heard = await other.ask(api.sites.list)
        took.push(performance.now() - begun)
        if (heard.code !== 200) wrong.push(`somebody else: ${heard.code}`)
        await new Promise((r) => setTimeout(r, 20))
      }
    })()

    const honest = await hostilePictures()
    const given = await post(gm, api.files.upload.path, 'image/jpeg', honest.real[0]!.bytes)
    const all = names(seed)
    let asked = 0
    for (const name of all) {
      const word = encodeURIComponent(name)
      const doors = [
        `${api.files.get.path}?key=${word}`,
        `${api.files.get.path}?size=thumb&key=${given.data?.key}${word}`,
        `/${name.replace(/[\s\0#?]/g, (c) => encodeURIComponent(c))}`,
        `/assets/${word}`,
      ]
      for (const door of doors) {
        const answer = await fetch(url + door, { headers: gm.headers }).catch(() => undefined)
        const text = answer ? await answer.text() : ''
        asked += 1
        if (escapes(text)) wrong.push(`escape: ${door.slice(0, 100)}`)
        if (answer && answer.status >= 500) wrong.push(`${answer.status}: ${door.slice(0, 100)}`)
      }
      const sent = await post(
        gm,
        `${workersImport.api.upload.path}?name=${word}`,
        'application/octet-stream',
        Buffer.from('no workbook'),
      )
      asked += 1
      if (sent.code === 200 || sent.status >= 500 || escapes(sent.text))
        wrong.push(`upload as ${name.slice(0, 60)}: ${sent.code}`)
    }

    // Content decides, whatever it is called.
    let files = 0
    const timed = async (name: string, fn: () => Promise<string | undefined>) => {
      files += 1
      const begun = performance.now()
      const why = await fn()
      const ms = performance.now() - begun
      if (why) wrong.push(`${name}: ${why}`)
      if (ms > SLOW_MS) wrong.push(`${name}: took ${Math.round(ms)} ms`)
    }
    for (const { name, bytes } of honest.none)
      await timed(name, async () => {
        const sent = await post(gm, api.files.upload.path, 'image/jpeg', bytes)
        return sent.code === 400 ? undefined : `${sent.code} ${sent.text.slice(0, 80)}`
      })
    for (const { name, bytes } of honest.real)
      await timed(name, async () => {
        const sent = await post(gm, api.files.upload.path, 'image/png', bytes)
        if (sent.code !== 200) return `${sent.code} ${sent.text.slice(0, 80)}`
        for (const size of ['full', 'thumb'])
          for (const range of [undefined, 'bytes=0-10']) {
            const door = `${url}${api.files.get.path}?key=${sent.data!.key}&size=${size}`
            const headers = { ...gm.headers, ...(range ? { range } : {}) }
            const got = await fetch(door, { headers })
            const back = Buffer.from(await got.arrayBuffer()).toString('latin1')
            if (![200, 206].includes(got.status)) return `${size} ${got.status}`
            if (HIDDEN.some((h) => back.includes(h))) return `${size} keeps what was hidden in it`
            if (!got.headers.get('content-type')?.startsWith('image/'))
              return `${size} is ${got.headers.get('content-type')}`
            if (got.headers.get('x-content-type-options') !== 'nosniff') return `${size} may be sniffed`
            // Only through the app: not without a session, not by somebody who sees no such record.
            for (const stranger of [{}, other.headers])
              if ((await fetch(door, { headers: { ...stranger, ...(range ? { range } : {}) } })).status < 400)
                return `${size} is open`
          }
        return undefined
      })
    for (const { name, bytes } of hostileBooks())
      await timed(name, async () => {
        const sent = await post(
          gm,
          `${workersImport.api.upload.path}?name=x.xlsx`,
          'application/octet-stream',
          bytes,
        )
        if (sent.status >= 500 || escapes(sent.text)) return `${sent.status} ${sent.text.slice(0, 80)}`
        return sent.code === 200 && !/beyond|before|far|long|outside beside|not there/.test(name)
          ? `taken: ${sent.text.slice(0, 80)}`
          : undefined
      })
    working = false
    await work
    const sorted = took.toSorted((a, b) => a - b)
    const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Infinity
    const strange = filesUnder(stage.folder).filter(
      (f) => !before.includes(f) && !/^\/files\/[0-9a-f]{2}\/[0-9a-f-]{36}\.jpg(\.thumb)?$/.test(f),
    )
    if (strange.length) wrong.push(`strange files: ${strange.slice(0, 5).join(' ')}`)
    if (fell) wrong.push('the server fell')

    // Controls: what must go through goes through, and what would be found is found.
    const { columns } = workersImport
    const book = honestBook([columns.map((c) => c.title), columns.map((c) => c.example)])
    const taken = await post(
      gm,
      `${workersImport.api.upload.path}?name=x.xlsx`,
      'application/octet-stream',
      book,
    )
    writeFileSync(join(stage.folder, 'files', 'planted.html'), SENTINEL)
    const control =
      given.code === 200 &&
      taken.code === 200 &&
      escapes(readFileSync(join(stage.folder, 'sentinel.txt'), 'utf8')) &&
      HIDDEN.some((h) => honest.real[0]!.bytes.toString('latin1').includes(h)) &&
      filesUnder(stage.folder).some((f) => f.endsWith('planted.html'))
    if (!control) console.log(given.text, taken.text)
    for (const w of [...new Set(wrong)].slice(0, 25)) console.log(`seed ${seed} ${w}`)
    return {
      value: `${all.length} names at 5 doors (${asked} asked), ${files} hostile files, escapes or stalls ${wrong.length}; somebody else meanwhile p99 ${Math.round(p99)} ms, slowest ${Math.round(sorted.at(-1) ?? 0)} ms of ${took.length}; control ${control ? 'found' : 'MISSED'}`,
      ok: wrong.length === 0 && files >= 60 && control && all.length === NAMES && p99 < 2_000,
    }
  } finally {
    await stage.close()
  }
}
