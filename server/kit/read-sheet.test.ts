import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

import { expect, test } from 'vitest'

import { zip } from '../testing/zip.ts'
import { readSheet } from './read-sheet.ts'
import { type SheetRow, sheetRows } from './sheet-rows.ts'
import { workbook } from './workbook.ts'

const RELS =
  '<Relationships><Relationship Id="rId3" Type="x/worksheet" Target="worksheets/people.xml"/><Relationship Id="rId1" Target="styles.xml"/></Relationships>'
const book = (sheet: string, more: Record<string, string> = {}) =>
  zip({
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="一" sheetId="1" r:id="rId3"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': RELS,
    'xl/worksheets/people.xml': sheet,
    ...more,
  })
async function rows(bytes: Buffer): Promise<SheetRow[]> {
  const all: SheetRow[] = []
  for await (const r of sheetRows(bytes)) all.push(r)
  return all
}
const cells = async (sheet: string, more?: Record<string, string>) =>
  (await rows(book(`<worksheet><sheetData>${sheet}</sheetData></worksheet>`, more))).map((r) => r.cells)

test('what our own export wrote comes back', async () => {
  const chunks: Buffer[] = []
  for await (const c of workbook(
    '表',
    ['姓名', '备注'],
    [
      ['王 <b>&', '第一行\n第二行'],
      ['', ''],
      ['=1+1', '12'],
    ],
  ))
    chunks.push(c)
  expect(await rows(Buffer.concat(chunks))).toEqual([
    { n: 1, cells: ['姓名', '备注'] },
    { n: 2, cells: ['王 <b>&', '第一行\n第二行'] },
    { n: 4, cells: ["'=1+1", '12'] },
  ])
})

test('what is more than Excel takes ends in words, not in a file that it refuses', async () => {
  const chunks: Buffer[] = []
  const names = Array.from({ length: 9 }, (_, i) => [`第 ${i + 1} 行`])
  for await (const c of workbook('表', ['姓名'], names, 5)) chunks.push(c)
  const read = (await rows(Buffer.concat(chunks))).map((r) => r.cells[0]!)
  expect(read.slice(0, 4)).toEqual(['姓名', '第 1 行', '第 2 行', '第 3 行'])
  expect(read).toHaveLength(5)
  expect(read[4]).toContain('其余的行没有导出')

  const long: Buffer[] = []
  for await (const c of workbook('表', ['备注'], [['字'.repeat(40_000)]])) long.push(c)
  const [, note] = (await rows(Buffer.concat(long))).map((r) => r.cells[0]!)
  expect(note!.length).toBeLessThanOrEqual(32_767)
  expect(note).toMatch(/^字{30000}/)
  expect(note).toMatch(/已截断）$/)
})

test('shared strings, rich text without reading aids, gaps, numbers, booleans, dates of both kinds', async () => {
  const shared =
    '<sst><si><t>张三</t></si><si><r><t>李</t></r><r><t xml:space="preserve"> 四</t></r><rPh sb="0" eb="1"><t>リ</t></rPh></si><si/></sst>'
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="176" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/><numFmt numFmtId="177" formatCode="0.00&quot;day&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="176"/><xf numFmtId="177"/></cellXfs></styleSheet>'
  expect(
    await cells(
      '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c></row><row r="3"/><row r="9"><c r="A9"><v>1.3800138001E10</v></c><c r="B9"><v>0.1</v></c><c r="C9" t="b"><v>1</v></c><c r="D9" s="1"><v>46000</v></c><c r="E9" s="2"><v>46000.5</v></c><c r="F9" s="3"><v>46000</v></c></row>',
      { 'xl/sharedStrings.xml': shared, 'xl/styles.xml': styles },
    ),
  ).toEqual([
    ['张三', '', '李 四'],
    ['13800138001', '0.1', 'TRUE', '2025-12-09', '2025-12-09 12:00', '46000'],
  ])
})

test('an empty row does not swallow the next: rows keep the number they have in the file', async () => {
  expect(
    (
      await rows(
        book(
          '<worksheet><sheetData><row r="3" ht="2"/><row r="9"><c r="A9"/><c r="B9"><v>1</v></c></row><row><c><v>2</v></c></row></sheetData></worksheet>',
        ),
      )
    ).map((r) => [r.n, ...r.cells]),
  ).toEqual([
    [9, '', '1'],
    [10, '2'],
  ])
})

test('names with a prefix, cells without a place, characters written as numbers', async () => {
  const sheet =
    '<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>&#29579;&#x4e94;_x000D_</x:t></x:is></x:c><x:c><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>'
  expect((await rows(book(sheet))).map((r) => r.cells)).toEqual([['王五', '7']])
})

test('a formula comes as its text, whatever it once gave; entities of its own are not expanded, control characters fall out', async () => {
  expect(
    await cells(
      '<row r="1"><c r="A1" t="str"><f>HYPERLINK("http://x","点我")</f><v>点我</v></c><c r="B1"><f t="shared" si="0"/><v>3</v></c><c r="C1" t="inlineStr"><is><t>&secret;a&#0;b&#8238;c\u0001</t></is></c></row>',
    ),
  ).toEqual([['=HYPERLINK("http://x","点我")', '=', 'abc']])
})

test('what is no workbook is refused in words', async () => {
  const why = (b: Buffer) =>
    rows(b).then(
      () => '',
      (e: Error) => e.message,
    )
  expect(await why(Buffer.from('工号,姓名\n1,王'))).toContain('不是 Excel')
  expect(await why(Buffer.alloc(0))).toContain('不是 Excel')
  expect(await why(Buffer.from('d0cf11e0a1b11ae10000', 'hex'))).toContain('另存为 .xlsx')
  expect(await why(zip({ 'word/document.xml': '<w/>' }))).toContain('不是 Excel')
  expect(await why(book('<worksheet/>').subarray(0, 200))).toContain('损坏')
  expect(
    await why(
      zip({ 'xl/workbook.xml': '<workbook/>' }, (b) => Buffer.concat([Buffer.from([0xff, 0xff]), b])),
    ),
  ).toContain('损坏')
  expect(await why(book(`<worksheet><sheetData><row>${'x'.repeat(3 * 1024 * 1024)}`))).toContain('损坏')
  expect(await why(book(`<worksheet>${' '.repeat(200 * 1024 * 1024)}</worksheet>`))).toMatch(/太大|损坏/)
})

test('a document made to be slow is refused as fast as it is read', async () => {
  const of = (inner: string) => rows(book(`<worksheet><sheetData>${inner}</sheetData></worksheet>`))
  const slow = {
    'cells that are never closed': `<row r="1">${'<c>'.repeat(350_000)}</row>`,
    'texts that are never closed': `<row r="1">${'<c t="inlineStr"><is><t>'.repeat(60_000)}</row>`,
    'a row of hundred thousand attributes': `<row ${Array.from({ length: 100_000 }, (_, i) => `a${i}="x"`).join(' ')}/>`,
    'a cell of thirty megabytes': `<row><c t="inlineStr"><is><t>${'x'.repeat(30_000_000)}</t></is></c></row>`,
    'nothing but brackets': '<'.repeat(8_000_000),
    'nothing but broken characters': '&#0;'.repeat(500_000),
    'millions of empty cells': `<row r="1">${'<c/>'.repeat(4_100_000)}</row>`,
  }
  for (const [what, inner] of Object.entries(slow)) await expect(of(inner), what).rejects.toThrow('损坏')
})

test('a truncated directory and any flipped byte end in a sentence, never in a crash', async () => {
  const good = book('<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>')
  for (let i = 0; i < good.length; i += 3) {
    const spoiled = Buffer.from(good)
    spoiled[i] = spoiled[i]! ^ 0x55
    const error = await rows(spoiled).then(
      () => null,
      (e: Error & { code?: number }) => e,
    )
    if (error) expect(error.code, `${i}: ${error.stack}`).toBe(400)
  }
})

/** The same in a thread of its own, as the server reads it. */
async function apart(bytes: Buffer, longestMs?: number): Promise<SheetRow[]> {
  const all: SheetRow[] = []
  for await (const r of readSheet(bytes, longestMs)) all.push(r)
  return all
}
const manyRows = (n: number) =>
  book(
    `<worksheet><sheetData>${Array.from(
      { length: n },
      (_, i) => `<row r="${i + 1}"><c><v>${i}</v></c></row>`,
    ).join('')}</sheetData></worksheet>`,
  )

test('a thread reads every row in its order, and stops when nobody wants more', async () => {
  const read = await apart(manyRows(1_203))
  expect(read.map((r) => r.cells[0])).toEqual(Array.from({ length: 1_203 }, (_, i) => String(i)))
  for await (const r of readSheet(manyRows(5_000))) if (r.n === 3) break
})

test('a format code of brackets is no date and takes no time; a longer attribute than any is refused', async () => {
  const styles = (code: string) => ({
    'xl/styles.xml':
      `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${code}"/></numFmts>` +
      '<cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>',
  })
  const sheet =
    '<worksheet><sheetData><row r="1"><c r="A1" s="0"><v>46000</v></c></row></sheetData></worksheet>'
  expect((await apart(book(sheet, styles('['.repeat(5_000)))))[0]?.cells).toEqual(['46000'])
  expect((await apart(book(sheet, styles('y'.repeat(256)))))[0]?.cells).toEqual(['46000'])
  await expect(apart(book(sheet, styles('['.repeat(600_000))))).rejects.toThrow('损坏')
  expect((await apart(book(sheet, styles('yyyy/m/d'))))[0]?.cells).toEqual(['2025-12-09'])
})

test('whatever takes too long is given up, and nobody else waits while it is read', async () => {
  const slow = manyRows(200_000)
  let beats = 0
  const beat = setInterval(() => (beats += 1), 5)
  await expect(apart(slow, 40)).rejects.toThrow('请分成几个文件上传')
  await pause(50)
  clearInterval(beat)
  expect(beats).toBeGreaterThan(3)
})

test.runIf(existsSync('/proc/thread-self'))(
  'a thread for long work gives way to the loop that answers',
  async () => {
    const giveWay = new URL('give-way.ts', import.meta.url).href
    const thread = new Worker(
      `import { parentPort } from 'node:worker_threads'
     import { readlinkSync } from 'node:fs'
     import { getPriority } from 'node:os'
     const { giveWay } = await import(${JSON.stringify(giveWay)})
     giveWay()
     const own = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
     parentPort.postMessage({ own: getPriority(own), main: getPriority(process.pid) })`,
      { eval: true, execArgv: ['--experimental-strip-types'] },
    )
    const [said] = (await once(thread, 'message')) as [{ own: number; main: number }]
    expect(said.own).toBeGreaterThan(said.main)
  },
)
