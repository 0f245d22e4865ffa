import { Readable } from 'node:stream'

import type { ImportDef } from '@zhuguan/contract/kit/imports.ts'

import { invalid } from '../../kit/refuse.ts'
import { type Call, type Feature, serve } from '../../kit/serve.ts'
import { Where } from '../../kit/statement.ts'
import { workbookOf } from '../../kit/workbook.ts'
import { sendWorkbook } from '../exports/exports.service.ts'
import { latest, stateOf } from './imports.queries.ts'
import { check, drop, fix, type Importer, rowsOf, run, upload } from './imports.service.ts'

/** The heading, one example, and a sheet that says what belongs in each column. */
async function sendTemplate(call: Call, def: ImportDef): Promise<void> {
  const name = `${def.title}导入模板`
  const sheets = [
    { name: def.title, titles: def.columns.map((c) => (c.required ? `${c.title}*` : c.title)), rows: [] },
    {
      name: '填写说明',
      titles: ['列', '必填', '怎么填', '例子'],
      rows: def.columns.map((c) => [c.title, c.required ? '必填' : '', c.hint, c.example]),
    },
  ]
  await call.reply
    .header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}.xlsx`)
    .send(Readable.from(workbookOf(sheets)))
}

export function importFeature<V>(importer: Importer<V>): Feature {
  const { def } = importer
  return serve(def.api, {
    template: (_input, call) => sendTemplate(call, def),
    upload: ({ query }, call) => {
      const bytes = call.request.body
      if (!Buffer.isBuffer(bytes) || bytes.length === 0)
        throw invalid('file', '请选择一个 Excel 文件（.xlsx）')
      return call.write((tx) => upload(tx, call, importer, query.name, bytes))
    },
    latest: (_input, call) => call.read((tx) => latest(tx, call, def)),
    rows: ({ query }, call) => call.read((tx) => rowsOf(tx, call, def, query)),
    check: ({ body }, call) => call.write((tx) => check(tx, call, importer, body.id)),
    fix: ({ body }, call) => call.write((tx) => fix(tx, call, importer, body)),
    run: ({ body }, call) => call.write((tx) => run(tx, call, importer, body.id)),
    async failed({ query }, call) {
      await call.read((tx) => stateOf(tx, call, def, query.id))
      await sendWorkbook(call, `${def.title}导入失败的行`, {
        from: 'import_rows r',
        order: 'r.row_no',
        where: new Where()
          .add((p) => `r.tenant_id = ${p}::uuid`, call.user.tenant)
          .add((p) => `r.import_id = ${p}::uuid`, query.id)
          .plain(`r.state = 'bad'`),
        columns: [
          ...def.columns.map((c, i) => [c.required ? `${c.title}*` : c.title, `r.cells->>${i}`] as const),
          [
            '原因',
            `(SELECT string_agg(CASE WHEN n.title IS NULL
                 OR starts_with(e.value->>'text', n.title) THEN ''
                 ELSE n.title || '：' END || (e.value->>'text'), '；' ORDER BY e.ordinality)
                 FROM jsonb_array_elements(r.errors) WITH ORDINALITY e
                 LEFT JOIN (VALUES ${def.columns.map((c) => `('${c.key}', '${c.title}')`).join(', ')}) n(key,
                 title) ON n.key = e.value->>'column')`,
          ],
          ['原文件行号', 'r.row_no'],
        ],
      })
    },
    drop: ({ body }, call) => call.write((tx) => drop(tx, call, def, body.id)),
  })
}
