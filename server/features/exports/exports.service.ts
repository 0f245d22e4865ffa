import { Readable } from 'node:stream'

import type { AnyColumn, Columns } from '@zhuguan/contract/kit/columns.ts'

import type { Tx } from '../../database/connect.ts'
import { json, row } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { orderOf, type PageOf, settled, type Where } from '../../kit/statement.ts'
import { type CellKind, workbook } from '../../kit/workbook.ts'

export interface Sheet {
  from: string
  where: Where
  order: string
  /** Heading, the SQL expression under it, and what it holds if not text. */
  columns: readonly (readonly [title: string, sql: string, kind?: CellKind])[]
  /** Cells that are formed outside of the statement, a page of rows at a time. */
  formed?: (tx: Tx, rows: string[][]) => Promise<string[][]>
}

const CHUNK = 2_000
/** The sign of a page where there is nothing; a file's cell is empty. */
const NOTHING = '--'
const cellText = (label: string) => (label === NOTHING ? '' : label)
const literal = (value: number | string) => (typeof value === 'number' ? value : `'${value}'`)
/** A code in words, inside the statement. */
export const word = (
  column: string,
  codes: { options: readonly { value: number | string; label: string }[] },
) => {
  const cases = codes.options.map((o) => `WHEN ${column} = ${literal(o.value)} THEN '${cellText(o.label)}'`)
  return `CASE ${cases.join(' ')} ELSE coalesce('未知(' || ${column} || ')', '') END`
}

const EXCEL_DAY_0 = `DATE '1899-12-30'`
const SHANGHAI_SECONDS = 8 * 3_600
const EXCEL_DAY_OF_1970 = 25_569
/** A day, and a moment of Shanghai given in seconds, as Excel counts days. */
const excelDay = (day: string) => `(${day}::date - ${EXCEL_DAY_0})`
const excelTime = (seconds: string) =>
  `round((${seconds} + ${SHANGHAI_SECONDS})::numeric / 86400 + ${EXCEL_DAY_OF_1970}, 6)`
type Column = readonly [title: string, sql: string, kind: CellKind]
/** Columns that Excel can sort and reckon with, for sheets that write their own statement. */
export const dayColumn = (title: string, day: string): Column => [title, excelDay(day), 'day']
export const timeColumn = (title: string, at: string): Column => [
  title,
  excelTime(`extract(epoch FROM ${at})`),
  'time',
]
/** One of a list's columns over its rows `k`: the heading, what stands under it, and its kind. */
function cellOf({ title, of: spec }: AnyColumn): readonly [string, string, CellKind] | undefined {
  const value = (field: string) => `k."${field}"`
  switch (spec.kind) {
    case 'text':
      return [title, value(spec.field), 'text']
    case 'joined':
      return [
        title,
        `concat_ws('${spec.between}', ${spec.fields.map((f) => `nullif(${value(f)}, '')`).join(', ')})`,
        'text',
      ]
    case 'flag':
      return [title, `CASE WHEN ${value(spec.field)} THEN '是' END`, 'text']
    case 'number':
    case 'price':
      return [title, value(spec.field), 'number']
    case 'money':
      return [title, value(spec.field), 'money']
    case 'percent':
      // As many digits as the page shows.
      return [title, `round(${value(spec.field)}::numeric, 2)`, 'percent']
    case 'day':
      return [title, excelDay(value(spec.field)), 'day']
    case 'time':
      return [title, excelTime(value(spec.field)), 'time']
    case 'share':
      return [
        title,
        `CASE WHEN ${value(spec.whole)} > 0 THEN ${value(spec.part)} || '/' || ${value(spec.whole)} END`,
        'text',
      ]
    case 'lasting':
      return [
        `${title}(小时)`,
        `round((coalesce(${value(spec.to)}, extract(epoch FROM :now::timestamptz)) - ${value(spec.from)})::numeric / 3600, 1)`,
        'number',
      ]
    case 'code':
      return [title, word(value(spec.field), spec.codes), 'text']
    case 'codes':
      return [
        title,
        `(SELECT string_agg(${word('v', { options: spec.codes.options.map((o) => ({ ...o, value: String(o.value) })) })}, '、')
          FROM json_array_elements_text(to_json(${value(spec.field)})) v)`,
        'text',
      ]
    case 'names':
      return [
        title,
        `(SELECT string_agg(v.name, '、') FROM json_to_recordset(to_json(${value(spec.field)})) AS v(name text))`,
        'text',
      ]
    case 'drawn':
      return undefined
  }
}

/** The rows of a list as the page shows them, all that its filters give, sorted as it is. */
export function sendList(
  call: Call,
  name: string,
  columns: Columns,
  page: PageOf,
  marked?: 'marked',
): Promise<void> {
  const { alias, base, joins, where } = page
  // A base that joins by itself is cut first, as it is for the page: what adds columns joins the same tables again.
  const rows = alias
    ? `(SELECT ${alias}.* FROM ${base} WHERE ${where.text}) ${alias} ${joins}`
    : `${base} ${joins} WHERE ${where.text}`
  const sheet: Sheet = {
    from: `(SELECT ${page.columns} FROM ${rows} ORDER BY ${orderOf(page).join(', ')}) k`,
    where: settled(where),
    order: '',
    columns: Object.values(columns)
      .map(cellOf)
      .filter((cell) => cell !== undefined),
  }
  return marked ? sendMarked(call, name, sheet) : sendWorkbook(call, name, sheet)
}
/** Each row says who took it, when, and by which line of the log: also one that was copied into another file. */
function sendMarked(call: Call, name: string, sheet: Sheet): Promise<void> {
  const mark = call.newId().slice(-8)
  const day = shanghaiDay(call.now())
  const at = sheet.where.values.push(`${call.user.nickname} ${day} 导出 ${mark}`)
  return sendWorkbook(
    call,
    name,
    { ...sheet, columns: [...sheet.columns, ['导出标记', `$${at}::text`]] },
    { mark },
  )
}

/** The filtered rows as xlsx, streamed page by page from one snapshot; logged before the first byte leaves. */
export async function sendWorkbook(
  call: Call,
  name: string,
  sheet: Sheet,
  after: { mark: string } | null = null,
): Promise<void> {
  const { reply } = call
  const read = await call.beginExport()
  await call.write((tx) =>
    call.log(tx, { action: `导出${name}`, object: 'export', objectId: name, ...(after && { after }) }),
  )
  const cells = sheet.columns.map(([, sql]) => `coalesce((${sql})::text, '')`).join(', ')
  const rows = (async function* () {
    let queue: string[][] = []
    let wake: () => void = () => {}
    let done = false
    let failure: Error | undefined
    let room: () => void = () => {}
    // Whoever cancels is heard while a page is being fetched, and while the reader has enough: the cursor and its connection end with them.
    let gone = reply.raw.destroyed
    reply.raw.on('close', () => {
      gone = true
      room()
    })
    const source = read(async (tx) => {
      // As JSON: an array's text takes a quarter of the export's time to take apart.
      await tx.run(
        'export.declare',
        `DECLARE export_rows NO SCROLL CURSOR FOR
         SELECT json_build_array(${cells}) AS cells
         FROM ${sheet.from}
         WHERE ${sheet.where.text}${sheet.order && ` ORDER BY ${sheet.order}`}`,
        sheet.where.values,
      )
      for (;;) {
        const page = (
          await tx.query(
            'export.fetch',
            row({ cells: json<string[]>() }),
            `FETCH ${CHUNK} FROM export_rows`,
            [],
          )
        ).rows
        if (page.length === 0 || gone) return
        const rows = page.map((r) => r.cells)
        queue.push(...(sheet.formed ? await sheet.formed(tx, rows) : rows))
        wake()
        if (queue.length > CHUNK && !gone) await new Promise<void>((resolve) => (room = resolve))
        if (gone) return
      }
    }).then(
      () => {
        done = true
        wake()
      },
      (error: Error) => {
        failure = error
        done = true
        wake()
      },
    )
    for (;;) {
      if (queue.length === 0) {
        if (done) break
        await new Promise<void>((resolve) => (wake = resolve))
        continue
      }
      const batch = queue
      queue = []
      room()
      yield* batch
    }
    await source
    if (failure) throw failure
  })()
  // What cannot be read at all is answered as every other mistake, not in the middle of a file.
  const first = await rows.next()
  const all = (async function* () {
    if (!first.done) yield first.value
    yield* rows
  })()
  const stream = Readable.from(
    workbook(
      name,
      sheet.columns.map(([title]) => title),
      all,
      undefined,
      sheet.columns.map(([, , kind]) => kind ?? 'text'),
    ),
  )
  await reply
    .header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}.xlsx`)
    .send(stream)
}
