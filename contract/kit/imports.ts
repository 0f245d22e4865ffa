import { z } from 'zod'

import { defineApi, nothing } from './api.ts'
import { optional, paged, uuid } from './paging.ts'

/** A column of an import: what the template says of it, and what an error is named after. */
export interface ImportColumn {
  key: string
  title: string
  required?: boolean
  hint: string
  example: string
}
export const MAX_IMPORT_ROWS = 20_000
/** Rows that one call checks or stores; the browser calls again until none are left, so that nothing runs unseen and anything can be stopped. */
export const IMPORT_STEP = 1_000

export const importState = z.object({
  id: z.string(),
  fileName: z.string(),
  at: z.number().int(),
  total: z.number().int(),
  /** Not looked at yet, ready, not importable as they are, stored. Together they are `total`. */
  unchecked: z.number().int(),
  good: z.number().int(),
  bad: z.number().int(),
  done: z.number().int(),
})
export type ImportState = z.output<typeof importState>
/**
 * The secret that a stored record gives its clerk once: a first password, a device's secret. Nobody is told again.
 */
export const handed = z.object({ name: z.string(), secret: z.string() })
export type Handed = z.output<typeof handed>
export const importRow = z.object({
  /** Its number in the file. */
  row: z.number().int(),
  cells: z.array(z.string()),
  state: z.enum(['unchecked', 'good', 'bad', 'done']),
  /** `column` is empty where the whole row is meant. */
  errors: z.array(z.object({ column: z.string(), text: z.string() })),
})
export type ImportRow = z.output<typeof importRow>

const one = z.object({ id: uuid.meta({ title: '导入' }) })
const MAX_CELL = 500

/** Everything that is said of an import of one kind of record: columns, permission and calls. */
export function defineImport<const C extends readonly ImportColumn[]>({
  title,
  path,
  permission,
  columns,
  hands,
}: {
  title: string
  path: string
  permission: string
  columns: C
  /** The work that is handed over, in words. */ hands?: { name: string; secret: string; note: string }
}) {
  const access = [permission]
  const call = { method: 'POST' as const, access }
  return {
    title,
    permission,
    hands,
    columns: columns as readonly ImportColumn[],
    api: defineApi({
      template: {
        ...call,
        path: `${path}/import/template`,
        title: `${title}导入模板`,
        data: nothing,
        raw: true,
      },
      /** The workbook as bytes. It takes the place of what this person had open before. */
      upload: {
        ...call,
        path: `${path}/import/upload`,
        title: `上传${title}表格`,
        work: 'import',
        query: z.object({ name: z.string().trim().max(120).default('') }),
        data: importState,
      },
      /** The work that this person left open. */
      latest: {
        ...call,
        path: `${path}/import/latest`,
        title: `${title}导入进度`,
        data: importState.nullable(),
      },
      rows: {
        ...call,
        path: `${path}/import/rows`,
        title: `${title}导入预览`,
        data: paged(importRow),
        query: one.extend({
          state: optional(z.enum(['good', 'bad', 'done'])).meta({ title: '状态' }),
          pageNo: z.coerce.number().int().min(1).max(10_000).default(1),
          pageSize: z.coerce.number().int().min(1).max(100).default(20),
        }),
      },
      check: {
        ...call,
        path: `${path}/import/check`,
        title: `检查${title}表格`,
        work: 'import',
        body: one,
        data: importState,
      },
      /** A row put right by hand, checked again. */
      fix: {
        ...call,
        path: `${path}/import/fix`,
        title: `修改${title}导入行`,
        work: 'import',
        body: one.extend({
          row: z.number().int().min(1),
          cells: z.array(z.string().max(MAX_CELL)).length(columns.length),
        }),
        data: importRow,
      },
      run: {
        ...call,
        path: `${path}/import/run`,
        title: `导入${title}`,
        work: 'import',
        body: one,
        data: importState.extend({ handed: z.array(handed) }),
      },
      /** The rows that are not stored, with the reasons; corrected, the same file can be uploaded again. */
      failed: {
        ...call,
        path: `${path}/import/failed`,
        title: `导出${title}导入失败的行`,
        query: one,
        data: nothing,
        raw: true,
      },
      drop: { ...call, path: `${path}/import/drop`, title: `放弃${title}导入`, body: one, data: nothing },
    }),
  }
}
export type ImportDef = ReturnType<typeof defineImport>
