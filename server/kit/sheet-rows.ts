import { type Attributes, elements, type Reader, readAll } from './read-xml.ts'
import { bad, BROKEN, entriesOf, NOT_EXCEL } from './read-zip.ts'

/** A row as it stands in the file: its number there and the text of its cells. */
export interface SheetRow {
  n: number
  cells: string[]
}
/** What a small file may unpack to: more is a bomb, not a list of people. */
const MAX_UNPACKED = 160 * 1024 * 1024
const MAX_COLUMNS = 200
/** What one row may hold; Excel itself ends a cell at 32,767 characters. */
const MAX_ROW = 1024 * 1024

const character = (code: number) => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '')
/** Excel's own escapes; characters that no text has are left out. */
const clean = (text: string) =>
  text
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => character(parseInt(hex, 16)))
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff\u200b-\u200f\u202a-\u202e]/g, '')
    .toWellFormed()

const DATES = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
/** Excel takes no longer one; the search below is quadratic in it. */
const MAX_FORMAT = 255
const dated = (format: string) =>
  format.length <= MAX_FORMAT && /[ymdh]/i.test(format.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''))
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
  if (v.trim() === '') return ''
  if (Number.isNaN(n)) return clean(v)
  if (Number.isInteger(n) && Math.abs(n) < 1e15) return n.toFixed(0)
  return String(parseFloat(n.toPrecision(15)))
}
const columnOf = (ref: string) => Array.from(ref).reduce((n, c) => n * 26 + c.charCodeAt(0) - 64, 0) - 1

interface Book {
  /** The relation of the first sheet. */
  first: string | undefined
  epoch: number
}
const bookReader = (): Reader<Book> => {
  const book: Book = { first: undefined, epoch: EPOCH[1900] }
  return {
    open(name, a) {
      if (name === 'sheet') book.first ??= a.id
      if (name === 'workbookPr' && (a.date1904 === '1' || a.date1904 === 'true')) book.epoch = EPOCH[1904]
    },
    end: (emit) => emit(book),
  }
}
const linksReader = (): Reader<Map<string, string>> => {
  const targets = new Map<string, string>()
  return {
    open(name, a) {
      if (name === 'Relationship' && a.Id && a.Target) targets.set(a.Id, a.Target)
    },
    end: (emit) => emit(targets),
  }
}
/** The cell styles that show a number as a date. */
const stylesReader = (): Reader<Set<number>> => {
  const own = new Map<number, boolean>()
  const formats: number[] = []
  let inCells = false
  return {
    open(name, a) {
      if (name === 'cellXfs') inCells = true
      if (name === 'numFmt') own.set(Number(a.numFmtId), dated(a.formatCode ?? ''))
      if (name === 'xf' && inCells) formats.push(Number(a.numFmtId ?? 0))
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
    end: (emit) => emit(new Set(formats.flatMap((id, i) => ((own.get(id) ?? DATES(id)) ? [i] : [])))),
  }
}
/** The texts of all runs, without the reading aids that stand above Chinese and Japanese words. */
function runs() {
  let text = ''
  let [aids, inside] = [0, false]
  return {
    open(name: string) {
      if (name === 'rPh') aids += 1
      if (name === 't' && aids === 0) inside = true
    },
    text(piece: string) {
      if (inside) text += piece
      return inside ? piece.length : 0
    },
    close(name: string) {
      if (name === 'rPh') aids -= 1
      if (name === 't') inside = false
    },
    take: () => {
      const whole = clean(text)
      text = ''
      return whole
    },
  }
}
const stringsReader = (): Reader<string> => {
  const r = runs()
  return {
    open: (name) => r.open(name),
    text: (piece) => void r.text(piece),
    close(name, emit) {
      r.close(name)
      if (name === 'si') emit(r.take())
    },
  }
}

interface Meaning {
  shared: readonly string[]
  dates: ReadonlySet<number>
  epoch: number
}
const rowsReader = ({ shared, dates, epoch }: Meaning): Reader<SheetRow> => {
  let [n, column, held] = [0, -1, 0]
  let cells: string[] = []
  let cell: Attributes | null = null
  let [value, formula]: [string, string | null] = ['', null]
  let within: 'v' | 'f' | null = null
  const inline = runs()

  function cellText({ t: type, s: style }: Attributes): string {
    if (formula !== null) return `=${clean(formula)}`
    if (type === 'inlineStr') return inline.take()
    if (type === 's') return shared[Number(value)] ?? ''
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    if (type === 'd') return value.slice(0, 10)
    if (type === 'str' || type === 'e') return clean(value)
    return dates.has(Number(style ?? -1)) && value !== '' ? dateText(Number(value), epoch) : numberText(value)
  }
  return {
    open(name, a) {
      if (name === 'row') {
        ;[n, column, held, cells] = [Number(a.r ?? n + 1), -1, 0, []]
      } else if (name === 'c') {
        const ref = /^([A-Z]{1,3})\d+$/.exec(a.r ?? '')?.[1]
        column = ref ? columnOf(ref) : column + 1
        ;[cell, value, formula] = [a, '', null]
        inline.take()
      } else if (name === 'v') within = 'v'
      else if (name === 'f') [within, formula] = ['f', '']
      inline.open(name)
    },
    text(piece) {
      held += inline.text(piece)
      if (within) held += piece.length
      if (held > MAX_ROW) throw bad(BROKEN)
      if (within === 'v') value += piece
      else if (within === 'f') formula += piece
    },
    close(name, emit) {
      inline.close(name)
      if (name === 'v' || name === 'f') within = null
      if (name === 'c' && cell) {
        if (column >= 0 && column < MAX_COLUMNS) {
          while (cells.length < column) cells.push('')
          cells[column] = cellText(cell).trim()
        }
        cell = null
      }
      if (name === 'row' && cells.some((c) => c !== '')) emit({ n, cells })
    },
  }
}

/**
 * The rows of an xlsx's first sheet, as somebody else wrote it: read in a thread of its own (`readSheet`). A formula
 * comes as its text with =, so that whoever imports can refuse it.
 */
export async function* sheetRows(zip: Buffer): AsyncGenerator<SheetRow> {
  const entries = entriesOf(zip)
  const allowance = { left: MAX_UNPACKED }
  const [book] = await readAll(entries.get('xl/workbook.xml'), allowance, bookReader)
  if (!book?.first) throw bad(NOT_EXCEL)
  const [links] = await readAll(entries.get('xl/_rels/workbook.xml.rels'), allowance, linksReader)
  const target = links?.get(book.first)
  const sheet = entries.get(target?.startsWith('/') ? target.slice(1) : `xl/${target}`)
  if (!sheet) throw bad(NOT_EXCEL)
  const [dates = new Set<number>()] = await readAll(entries.get('xl/styles.xml'), allowance, stylesReader)
  const shared = await readAll(entries.get('xl/sharedStrings.xml'), allowance, stringsReader)
  yield* elements(sheet, allowance, () => rowsReader({ shared, dates, epoch: book.epoch }))
}
