import { crc32, createDeflateRaw } from 'node:zlib'

const ENTITY: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (s: string) =>
  s.replace(/[&<>"]/g, (c) => ENTITY[c]!).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
/**
 * The last row of a sheet and the longest cell that Excel takes; what goes beyond it makes it refuse the whole
 * file.
 */
const MOST_ROWS = 1_048_576
const MOST_CHARACTERS = 32_767
const CUT = '…（内容太长，已截断）'
const TOO_MANY = '已到 Excel 一张表的行数上限，其余的行没有导出。请缩小范围，分几次导出。'
const fitting = (s: string) =>
  s.length > MOST_CHARACTERS ? `${s.slice(0, MOST_CHARACTERS - CUT.length - 1).toWellFormed()}${CUT}` : s
/** Text that a spreadsheet would run as a formula is kept as text (= + - @). */
const FORMULA = /^[=+\-@\t\r]/
const NUMBER = /^[+-]?\d+(\.\d+)?$/
const kept = (s: string) => (FORMULA.test(s) && !NUMBER.test(s) ? `'${s}` : s)
/** What a cell holds: Excel adds up numbers and sorts days, which it does not do with text. */
export type CellKind = 'text' | 'number' | 'money' | 'percent' | 'day' | 'time'
/** In this order in the styles; the first is Excel's own. */
const STYLED: readonly CellKind[] = ['number', 'day', 'time', 'percent', 'money']
const FORMATS = { day: [164, 'yyyy\\-mm\\-dd'], time: [165, 'yyyy\\-mm\\-dd hh:mm'] } as const
const PERCENT = 9
const MONEY = 4
/** More digits than a double holds would be changed: they stay text. */
const EXACT = /^-?(?=(?:\d\.?){1,15}$)\d+(\.\d+)?$/
const textCell = (s: string) =>
  `<c t="inlineStr"><is><t xml:space="preserve">${escape(fitting(kept(s)))}</t></is></c>`
const cell = (s: string, kind: CellKind) =>
  kind !== 'text' && EXACT.test(s) ? `<c s="${STYLED.indexOf(kind)}"><v>${s}</v></c>` : textCell(s)
const row = (cells: readonly string[], kinds: readonly CellKind[] = []) =>
  `<row>${cells.map((s, i) => cell(s, kinds[i] ?? 'text')).join('')}</row>`

const XML = '<?xml version="1.0" encoding="UTF-8"?>'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const SHEETS = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const formatOf: Record<CellKind, number> = {
  text: 0,
  number: 0,
  day: FORMATS.day[0],
  time: FORMATS.time[0],
  percent: PERCENT,
  money: MONEY,
}
const STYLES =
  `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="2">` +
  Object.values(FORMATS)
    .map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`)
    .join('') +
  '</numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
  `<cellXfs count="${STYLED.length}">` +
  STYLED.map((kind) => `<xf numFmtId="${formatOf[kind]}" applyNumberFormat="1"/>`).join('') +
  '</cellXfs></styleSheet>'
/** The files of a workbook around its sheets. */
const frame = (names: readonly string[]): Record<string, string> => ({
  '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEETS}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${SHEETS}.styles+xml"/>${names.map((_, i) => `<Override PartName="/${sheetPath(i)}" ContentType="${SHEETS}.worksheet+xml"/>`).join('')}</Types>`,
  '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships">${names.map((_, i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`).join('')}<Relationship Id="styles" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': STYLES,
  'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${names.map((name, i) => `<sheet name="${escape(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
})
const sheetPath = (i: number) => `xl/worksheets/sheet${i + 1}.xml`
const FLUSH = 64 * 1024

async function* sheetXml({ titles, rows, kinds }: SheetOf, mostRows: number) {
  let text = `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${titles.length}" width="18" customWidth="1"/></cols><sheetData>${row(titles)}`
  let written = 1
  for await (const r of rows) {
    written += 1
    // Leaving the loop ends the source too: its cursor and its connection.
    if (written === mostRows) {
      text += row([TOO_MANY])
      break
    }
    text += row(r, kinds)
    if (text.length > FLUSH) {
      yield Buffer.from(text)
      text = ''
    }
  }
  yield Buffer.from(`${text}</sheetData></worksheet>`)
}

const DEFLATED = 8
const SIZES_FOLLOW_UTF8 = 0x0808
function header(
  name: Buffer,
  signature: number,
  sizes: { crc: number; packed: number; size: number; offset?: number },
): Buffer {
  const central = signature === 0x02014b50
  const b = Buffer.alloc(central ? 46 : 30)
  b.writeUInt32LE(signature, 0)
  let at = 4
  if (central) at = b.writeUInt16LE(20, at)
  at = b.writeUInt16LE(20, at)
  at = b.writeUInt16LE(SIZES_FOLLOW_UTF8, at)
  at = b.writeUInt16LE(DEFLATED, at)
  at = b.writeUInt16LE(0, at)
  at = b.writeUInt16LE(0x21, at)
  at = b.writeUInt32LE(sizes.crc, at)
  at = b.writeUInt32LE(sizes.packed, at)
  at = b.writeUInt32LE(sizes.size, at)
  at = b.writeUInt16LE(name.length, at)
  if (central) b.writeUInt32LE(sizes.offset ?? 0, 42)
  return Buffer.concat([b, name])
}

type Rows = AsyncIterable<readonly string[]> | Iterable<readonly string[]>
export interface SheetOf {
  name: string
  titles: readonly string[]
  /** The kinds of the columns; text where nothing is said. Days and times come as Excel's day numbers. */
  kinds?: readonly CellKind[]
  rows: Rows
}

/** An xlsx of one sheet as a stream of bytes: constant memory whatever the number of rows. */
export const workbook = (
  name: string,
  titles: readonly string[],
  rows: Rows,
  mostRows = MOST_ROWS,
  kinds: readonly CellKind[] = [],
): AsyncGenerator<Buffer> => workbookOf([{ name, titles, rows, kinds }], mostRows)

export async function* workbookOf(sheets: readonly SheetOf[], mostRows = MOST_ROWS): AsyncGenerator<Buffer> {
  const entries: { name: Buffer; crc: number; packed: number; size: number; offset: number }[] = []
  let offset = 0
  const parts: [string, AsyncIterable<Buffer>][] = [
    ...Object.entries(frame(sheets.map((s) => s.name))).map(
      ([path, text]): [string, AsyncIterable<Buffer>] => [
        path,
        (async function* () {
          yield Buffer.from(text)
        })(),
      ],
    ),
    ...sheets.map((s, i): [string, AsyncIterable<Buffer>] => [sheetPath(i), sheetXml(s, mostRows)]),
  ]
  for (const [path, content] of parts) {
    const entry = { name: Buffer.from(path), crc: 0, packed: 0, size: 0, offset }
    const local = header(entry.name, 0x04034b50, { crc: 0, packed: 0, size: 0 })
    offset += local.length
    yield local
    const deflate = createDeflateRaw({ level: 1 })
    const pump = (async () => {
      for await (const chunk of content) {
        entry.crc = crc32(chunk, entry.crc)
        entry.size += chunk.length
        if (!deflate.write(chunk)) await new Promise((resolve) => deflate.once('drain', resolve))
      }
      deflate.end()
    })()
    pump.catch((error: Error) => deflate.destroy(error))
    for await (const chunk of deflate as AsyncIterable<Buffer>) {
      entry.packed += chunk.length
      offset += chunk.length
      yield chunk
    }
    const tail = Buffer.alloc(16)
    tail.writeUInt32LE(0x08074b50, 0)
    tail.writeUInt32LE(entry.crc, 4)
    tail.writeUInt32LE(entry.packed, 8)
    tail.writeUInt32LE(entry.size, 12)
    offset += tail.length
    yield tail
    entries.push(entry)
  }
  const directory = Buffer.concat(entries.map((e) => header(e.name, 0x02014b50, e)))
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  yield Buffer.concat([directory, end])
}
