import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

import { Refused } from '../kit/refuse.ts'
import { inWords } from '../kit/system-words.ts'
import { beginAt, doneAt } from '../kit/unfinished.ts'

/**
 * A backup is a gzip of lines: a head, rows of tables, pieces of files, and an end that holds the count and the digest
 * of everything before it. Rows stay the text that PostgreSQL wrote: a number of forty digits never becomes a double.
 */
const FORMAT = 'zhuguan-backup-2'
/** One tenant, for another installation (server/app/move-tenant.ts). */
const TENANT_FORMAT = 'zhuguan-tenant-1'
/** The format of the first release: a picture in one piece, nothing of sequences. */
const FIRST_FORMAT = 'zhuguan-backup-1'

/** The forms that are read, the one that is written first. */
const FORMS = { backup: [FORMAT, FIRST_FORMAT], tenant: [TENANT_FORMAT] }
export type Form = keyof typeof FORMS
export interface Head {
  /** The form it is in, as the file says. */
  format?: string
  migrations: string[]
  /** By name: the last number, and whether it has been given out. */
  sequences?: Record<string, [last: string, called: boolean]>
}
export type Line =
  | { kind: 'head'; head: Head }
  | { kind: 'rows'; table: string; rows: string }
  | { kind: 'file'; file: string; bytes: string }
  | { kind: 'end'; lines: number; digest: string }

export interface Writer {
  head(head: Head): Promise<void>
  /** `rows` is the text of a JSON array. */
  rows(table: string, rows: string): Promise<void>
  /** The pieces of a file follow each other. */
  file(name: string, piece: Buffer): Promise<void>
}

/** Writes the file beside its name and gives it the name when it is whole; answers its bytes. */
export async function writeBackup(
  file: string,
  fill: (to: Writer) => Promise<void>,
  form: Form = 'backup',
): Promise<number> {
  const part = `${file}.part`
  beginAt(part)
  const zip = createGzip({ level: 5 })
  const out = createWriteStream(part, { mode: 0o600, flush: true })
  const written = finished(zip.pipe(out))
  // Awaited below; until then a full disk is not an unhandled rejection.
  written.catch(() => {})
  const hash = createHash('sha256')
  let lines = 0
  const send = async (text: string) => {
    if (!zip.write(text)) await Promise.race([new Promise((r) => zip.once('drain', r)), written])
  }
  const put = async (text: string) => {
    hash.update(text)
    lines += 1
    await send(text)
  }
  try {
    await fill({
      head: (head) => put(`${JSON.stringify({ format: FORMS[form][0], ...head })}\n`),
      rows: (table, rows) => put(`{"table":${JSON.stringify(table)},"rows":${rows.replaceAll('\n', ' ')}}\n`),
      file: (name, piece) => put(`${JSON.stringify({ file: name, bytes: piece.toString('base64') })}\n`),
    })
    await send(`${JSON.stringify({ end: true, lines, digest: hash.digest('hex') })}\n`)
    zip.end()
    await written
    await rename(part, file)
    return (await stat(file)).size
  } catch (error) {
    // Both: the end of one is not the other's, and who waits for a file that nobody ends waits for ever.
    zip.destroy()
    out.destroy()
    await written.catch(() => {})
    await rm(part, { force: true })
    throw error
  } finally {
    doneAt(part)
  }
}

/** The lines as bytes, without what ends them. */
async function* textsOf(file: string): AsyncGenerator<Buffer> {
  const unzip = createGunzip()
  createReadStream(file)
    .on('error', (error) => unzip.destroy(error))
    .pipe(unzip)
  let rest: Buffer[] = []
  for await (const chunk of unzip as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end)])
      rest = []
      from = end + 1
    }
    rest.push(chunk.subarray(from))
  }
  if (rest.some((r) => r.length)) throw new Error('cut off')
}

const ROWS = /^\{"table":"([a-z_0-9]+)","rows":(\[.*\])\}$/s
function lineOf(text: string): Line {
  const rows = ROWS.exec(text)
  if (rows) return { kind: 'rows', table: rows[1]!, rows: rows[2]! }
  const line = JSON.parse(text) as Record<string, unknown>
  if (typeof line.file === 'string' && typeof line.bytes === 'string')
    return { kind: 'file', file: line.file, bytes: line.bytes }
  if (line.end === true) return { kind: 'end', lines: Number(line.lines), digest: String(line.digest) }
  const isKnown = Object.values(FORMS).flat().includes(String(line.format))
  if (!isKnown || !Array.isArray(line.migrations)) throw new Error('format')
  return { kind: 'head', head: line as unknown as Head }
}

export async function* linesOf(file: string): AsyncGenerator<Line> {
  for await (const text of textsOf(file)) yield lineOf(text.toString())
}

const WORDS: Record<Form, string> = { backup: '备份文件', tenant: '集团的导出文件' }

/** Reads the whole file before anything is touched: its form, its end, its digest. */
export async function readHead(file: string, form: Form = 'backup'): Promise<Head> {
  const hash = createHash('sha256')
  let lines = 0
  let head: Head | undefined
  let whole = false
  try {
    for await (const text of textsOf(file)) {
      const line = lineOf(text.toString())
      if (whole || (line.kind === 'head') !== (lines === 0)) throw new Error('order')
      if (line.kind === 'head') head = line.head
      if (line.kind === 'end') {
        whole = line.lines === lines && line.digest === hash.digest('hex')
        if (!whole) throw new Error('an end that fits nothing')
      } else {
        hash.update(text).update('\n')
        lines += 1
      }
    }
  } catch (error) {
    // The system's word is not about what stands in the file.
    if ((error as NodeJS.ErrnoException).syscall)
      throw new Refused(`${WORDS[form]} ${file} 读不出来：${inWords(error)}；没有改动现有数据`)
    whole = false
  }
  if (!whole || !head) throw new Refused(`${WORDS[form]}不完整或已损坏，没有改动现有数据`)
  if (!FORMS[form].includes(head.format!))
    throw new Refused(
      form === 'backup'
        ? '这是一个集团的导出文件，请用 tenant import；没有改动现有数据'
        : '这是整个安装的备份文件，请用 restore；没有改动现有数据',
    )
  return head
}
