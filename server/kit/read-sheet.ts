import { createInflateRaw, crc32 } from 'node:zlib'

import { invalid } from './refuse.ts'

/** A row as it stands in the file: its number there and the text of its cells. */
export interface SheetRow {
  n: number
  cells: string[]
}
const NOT_EXCEL = '这不是 Excel 文件，请选择 .xlsx 文件'
const OLD_EXCEL = '这是旧版或加了密码的 Excel 文件，请在 Excel 里去掉密码，另存为 .xlsx 再上传'
const BROKEN = '这个 Excel 文件已损坏，请重新保存一次再上传'
/** What a small file may unpack to: more is a bomb, not a list of people. */
const MAX_UNPACKED = 160 * 1024 * 1024
const MAX_ROW = 1024 * 1024
const MAX_COLUMNS = 200
const bad = (why: string) => invalid('file', why)

interface Entry {
  method: number
  packed: Buffer
  crc: number
}
/** The directory at the end of a zip; the bytes are in memory already. */
function entriesOf(zip: Buffer): Map<string, Entry> {
  if (zip.length > 8 && zip.readUInt32BE(0) === 0xd0cf11e0) throw bad(OLD_EXCEL)
  if (zip.length < 22 || zip.readUInt32LE(0) !== 0x04034b50) throw bad(NOT_EXCEL)
  let end = zip.length - 22
  while (end > Math.max(0, zip.length - 66_000) && zip.readUInt32LE(end) !== 0x06054b50) end -= 1
  if (zip.readUInt32LE(end) !== 0x06054b50) throw bad(BROKEN)
  const entries = new Map<string, Entry>()
  try {
    let at = zip.readUInt32LE(end + 16)
    for (let i = zip.readUInt16LE(end + 10); i > 0; i -= 1) {
      if (zip.readUInt32LE(at) !== 0x02014b50) throw bad(BROKEN)
      if (zip.readUInt16LE(at + 8) & 1) throw bad(OLD_EXCEL)
      const [size, nameLength, extra, comment, local] = [
        zip.readUInt32LE(at + 20),
        zip.readUInt16LE(at + 28),
        zip.readUInt16LE(at + 30),
        zip.readUInt16LE(at + 32),
        zip.readUInt32LE(at + 42),
      ]
      const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
      entries.set(zip.toString('utf8', at + 46, at + 46 + nameLength).replace(/^\//, ''), {
        method: zip.readUInt16LE(at + 10),
        packed: zip.subarray(from, from + size),
        crc: zip.readUInt32LE(at + 16),
      })
      at += 46 + nameLength + extra + comment
    }
  } catch (error) {
    throw error instanceof RangeError ? bad(BROKEN) : error
  }
  return entries
}

/** The text of an entry in pieces, inflated off the main thread; the pieces of all entries share one allowance. */
async function* textOf(entry: Entry, allowance: { left: number }): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const source = entry.method === 8 ? createInflateRaw() : entry.method === 0 ? undefined : null
  if (source === null) throw bad(BROKEN)
  source?.end(entry.packed)
  let crc = 0
  try {
    for await (const chunk of (source ?? [entry.packed]) as AsyncIterable<Buffer>) {
      allowance.left -= chunk.length
      if (allowance.left < 0) throw bad('文件内容太大，请分成几个文件上传')
      crc = crc32(chunk, crc)
      yield decoder.decode(chunk, { stream: true })
    }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? bad(BROKEN) : error
  }
  if (crc !== entry.crc) throw bad(BROKEN)
}
async function wholeText(entry: Entry | undefined, allowance: { left: number }): Promise<string> {
  let text = ''
  if (entry) for await (const piece of textOf(entry, allowance)) text += piece
  return bare(text)
}
/** Some programs write every name with a prefix. */
const bare = (xml: string) =>
  /<\w+:(worksheet|workbook|sst|styleSheet|row|si|Relationships)\b/.test(xml)
    ? xml.replace(/<(\/?)\w+:/g, '<$1')
    : xml

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
/** Only the five names of XML: nothing that a document defines itself is ever expanded. Characters that no text has are left out. */
const plain = (xml: string) =>
  xml
    .replace(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w+));/g, (_, hex: string, dec: string, name: string) =>
      name ? (NAMED[name] ?? '') : character(hex ? parseInt(hex, 16) : Number(dec)),
    )
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => character(parseInt(hex, 16)))
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff\u200b-\u200f\u202a-\u202e]/g, '')
    .toWellFormed()
const character = (code: number) => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '')
/** The runs of a text, without the reading aids that stand above Chinese and Japanese words. */
const runs = (xml: string) =>
  [...xml.replace(/<rPh\b.*?<\/rPh>/gs, '').matchAll(/<t(?:\s[^>]*)?>(.*?)<\/t>/gs)]
    .map((m) => plain(m[1]!))
    .join('')

const DATES = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
const dated = (format: string) => /[ymdh]/i.test(plain(format).replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''))
/** Which cell styles show a number as a date. */
function dateStyles(xml: string): Set<number> {
  const own = new Map(
    [...xml.matchAll(/<numFmt\s[^>]*>/g)].map((m) => [
      Number(/numFmtId="(\d+)"/.exec(m[0])?.[1]),
      dated(/formatCode="([^"]*)"/.exec(m[0])?.[1] ?? ''),
    ]),
  )
  const formats = [...(/<cellXfs\b.*?<\/cellXfs>/s.exec(xml)?.[0] ?? '').matchAll(/<xf\s[^>]*>/g)].map((m) =>
    Number(/numFmtId="(\d+)"/.exec(m[0])?.[1] ?? 0),
  )
  return new Set(formats.flatMap((id, i) => ((own.get(id) ?? DATES(id)) ? [i] : [])))
}
const DAY_MS = 86_400_000
const EPOCH = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) }
function dateText(serial: number, from: number): string {
  const at = new Date(from + Math.round(serial * 86_400) * 1000)
  if (!(serial >= 0) || Number.isNaN(at.getTime())) return String(serial)
  const text = at.toISOString()
  return at.getTime() % DAY_MS ? text.slice(0, 16).replace('T', ' ') : text.slice(0, 10)
}
/** As Excel shows it: no exponents for phones, no noise of halves. */
const numberText = (v: string) => {
  const n = Number(v)
  return v.trim() === ''
    ? ''
    : Number.isNaN(n)
      ? plain(v)
      : Number.isInteger(n) && Math.abs(n) < 1e15
        ? n.toFixed(0)
        : String(parseFloat(n.toPrecision(15)))
}
const columnOf = (ref: string) => [...ref].reduce((n, c) => n * 26 + c.charCodeAt(0) - 64, 0) - 1

/**
 * The rows of an xlsx's first sheet, read in pieces so that the server goes on answering: inflating happens off the main
 * thread and every piece is small. A formula comes as its text with =, so that whoever imports can refuse it.
 */
export async function* readSheet(zip: Buffer): AsyncGenerator<SheetRow> {
  const entries = entriesOf(zip)
  const allowance = { left: MAX_UNPACKED }
  const book = await wholeText(entries.get('xl/workbook.xml'), allowance)
  if (!book) throw bad(NOT_EXCEL)
  const first = /<sheet\s[^>]*\bid="([^"]+)"/.exec(book.replace(/\b\w+:id=/g, 'id='))?.[1]
  const links = [
    ...(await wholeText(entries.get('xl/_rels/workbook.xml.rels'), allowance)).matchAll(
      /<Relationship\s[^>]*>/g,
    ),
  ].map((m) => m[0])
  const target = /Target="([^"]+)"/.exec(links.find((l) => l.includes(`Id="${first}"`)) ?? '')?.[1]
  const sheet = entries.get(target?.startsWith('/') ? target.slice(1) : `xl/${target}`)
  if (!sheet) throw bad(NOT_EXCEL)
  const epoch = EPOCH[/date1904="(1|true)"/.test(book) ? 1904 : 1900]
  const dates = dateStyles(await wholeText(entries.get('xl/styles.xml'), allowance))
  const shared: string[] = []
  const strings = entries.get('xl/sharedStrings.xml')
  if (strings) for await (const si of pieces(strings, 'si', allowance)) shared.push(runs(si))

  const cellText = (attributes: string, inner: string): string => {
    const type = /\bt="(\w+)"/.exec(attributes)?.[1]
    const formula = /<f(?:\s[^>]*)?>(.*?)<\/f>|<f\b[^>]*\/>/s.exec(inner)
    if (formula) return `=${plain(formula[1] ?? '')}`
    if (type === 'inlineStr') return runs(inner)
    const value = /<v(?:\s[^>]*)?>(.*?)<\/v>/s.exec(inner)?.[1] ?? ''
    if (type === 's') return shared[Number(value)] ?? ''
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    if (type === 'd') return value.slice(0, 10)
    if (type === 'str' || type === 'e') return plain(value)
    const style = Number(/\bs="(\d+)"/.exec(attributes)?.[1] ?? -1)
    return dates.has(style) && value !== '' ? dateText(Number(value), epoch) : numberText(value)
  }
  let n = 0
  for await (const row of pieces(sheet, 'row', allowance)) {
    n = Number(/^<row\b[^>]*?\sr="(\d+)"/.exec(row)?.[1] ?? n + 1)
    const cells: string[] = []
    let column = -1
    for (const [, attributes, inner] of row.matchAll(/<c\b([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)) {
      const ref = /\br="([A-Z]{1,3})\d+"/.exec(attributes!)?.[1]
      column = ref ? columnOf(ref) : column + 1
      if (column >= MAX_COLUMNS) break
      while (cells.length < column) cells.push('')
      cells[column] = cellText(attributes!, inner ?? '').trim()
    }
    if (cells.some((c) => c !== '')) yield { n, cells }
  }
}

/** Every `<tag …>…</tag>` of an entry, as soon as it is whole. */
async function* pieces(entry: Entry, tag: string, allowance: { left: number }): AsyncGenerator<string> {
  const whole = new RegExp(`<(?:\\w+:)?${tag}(?:\\s[^>]*?)?(?:/>|>.*?</(?:\\w+:)?${tag}>)`, 'gs')
  let rest = ''
  for await (const piece of textOf(entry, allowance)) {
    rest += piece
    let used = 0
    for (const m of rest.matchAll(whole)) {
      used = m.index + m[0].length
      yield bare(m[0])
    }
    rest = rest.slice(used)
    if (rest.length > MAX_ROW) throw bad(BROKEN)
  }
}
