import { Readable } from 'node:stream'

import type { Call } from '../../kit/serve.ts'
import type { Where } from '../../kit/statement.ts'
import { workbook } from '../../kit/workbook.ts'

export interface Sheet {
  from: string
  where: Where
  order: string
  /** Heading and the SQL expression of text under it. */
  columns: readonly (readonly [title: string, sql: string])[]
}

const CHUNK = 2_000
export const instant = (column: string) =>
  `coalesce(to_char(${column} AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), '')`
/** A code in words, inside the statement. */
export const word = (column: string, codes: { options: { value: number | string; label: string }[] }) =>
  `CASE ${codes.options.map((o) => `WHEN ${column} = ${typeof o.value === 'number' ? o.value : `'${o.value}'`} THEN '${o.label}'`).join(' ')} ELSE coalesce('未知(' || ${column} || ')', '') END`

/** The filtered rows as xlsx, streamed page by page from one snapshot; logged before the first byte leaves. */
export async function sendWorkbook(call: Call, name: string, sheet: Sheet): Promise<void> {
  const { reply } = call
  const read = await call.beginExport()
  await call.write((tx) => call.log(tx, { action: `导出${name}`, object: 'export', objectId: name }))
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
      await tx.query(
        'export.declare',
        `DECLARE export_rows NO SCROLL CURSOR FOR SELECT json_build_array(${cells}) AS cells FROM ${sheet.from} WHERE ${sheet.where.text} ORDER BY ${sheet.order}`,
        sheet.where.values,
      )
      for (;;) {
        const page = (
          await tx.query<{ cells: string[] }>('export.fetch', `FETCH ${CHUNK} FROM export_rows`, [])
        ).rows
        if (page.length === 0 || gone) return
        queue.push(...page.map((r) => r.cells))
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
    ),
  )
  await reply
    .header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}.xlsx`)
    .send(stream)
}
