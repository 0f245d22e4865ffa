import { KEPT_DAYS } from '@zhuguan/contract/features/keeping/keeping.record.ts'
import type {
  Handed,
  ImportColumn,
  ImportDef,
  ImportRow,
  ImportState,
} from '@zhuguan/contract/kit/imports.ts'
import { IMPORT_STEP, MAX_IMPORT_ROWS } from '@zhuguan/contract/kit/imports.ts'

import type { Tx } from '../../database/connect.ts'
import { LOCKS } from '../../database/locks.ts'
import { readSheet } from '../../kit/read-sheet.ts'
import { found, invalid, outside, Refused } from '../../kit/refuse.ts'
import { int4, jsonb, row, text, there } from '../../kit/row.ts'
import { whole } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { mine, stateOf, type Who } from './imports.queries.ts'

/** A row by the keys of its columns. */
export type Cells = Record<string, string>
export interface CellError {
  column: string
  text: string
}
export type Checked<V> = { value: V } | { errors: CellError[] }
export interface Stored {
  id: string
  handed?: Handed
}
/** The refusals of a service, by column; anything else is a bug. */
export function asErrors(error: Error, column: string): CellError[] {
  if (!(error instanceof Refused)) throw error
  const fields = (error.data as { fields?: Record<string, string> } | null)?.fields
  return fields
    ? Object.entries(fields).map(([field, text]) => ({ column: field, text }))
    : [{ column, text: error.message }]
}
/** The parts that a kind of record brings to the engine. */
export interface Importer<V = never> {
  def: ImportDef
  /** The columns that name the record, with the one to blame when two rows have it. */
  keys(cells: Cells): { column: string; key: string }[]
  /** All rows of a step at once, so that the database is asked once a step; answers in the same order. */
  check(tx: Tx, call: Call, rows: readonly Cells[]): Promise<Checked<V>[]>
  /** Stores them; answers the new id of each and what it hands over, or why it was not stored after all. */
  store(tx: Tx, call: Call, values: readonly V[]): Promise<(Stored | CellError)[]>
  /** Rows a call may take, where one row takes longer than usual. */
  step?: number
}

const BATCH = 1_000
const MAX_CELL = 500
const FORMULA = '是公式，请复制后“粘贴为数值”'

/**
 * Two steps of one import take turns. Every statement of a step is planned anew: a plan made while the table was small
 * would be kept while the import makes it large (20,000 rows: 3 s a step instead of 0.2).
 */
async function hold(tx: Tx, call: Who, def: ImportDef, id: string): Promise<void> {
  tx.send('imports.plan', 'SET LOCAL plan_cache_mode = force_custom_plan')
  found(
    (
      await tx.query(
        'imports.hold',
        there,
        'SELECT 1 FROM imports WHERE tenant_id = $1 AND user_id = $2 AND kind = $3 AND id = $4 FOR UPDATE',
        [...mine(call, def), id],
      )
    ).rows[0],
  )
}

const asCells = (columns: readonly ImportColumn[], cells: readonly string[]): Cells =>
  Object.fromEntries(columns.map((c, i) => [c.key, cells[i] ?? '']))
/** The sign that our own workbook put before a text that looks like a formula is not part of it. */
const clean = (text: string) => text.replace(/^'(?=[=+\-@\t\r])/, '').slice(0, MAX_CELL + 1)
const heading = (text: string) => text.replace(/[\s*＊:：]/g, '')

/** The place of the columns in this file; the order is the clerk's, what is not ours is passed over. */
function places(columns: readonly ImportColumn[], titles: readonly string[]): number[] {
  const at = titles.map(heading)
  const missing = columns.filter((c) => c.required && !at.includes(heading(c.title)))
  if (missing.length)
    throw invalid('file', `第一行应是表头，没有找到：${missing.map((c) => c.title).join('、')}。请用模板填写`)
  const twice = columns.find((c) => at.indexOf(heading(c.title)) !== at.lastIndexOf(heading(c.title)))
  if (twice) throw invalid('file', `“${twice.title}”这一列出现了两次`)
  return columns.map((c) => at.indexOf(heading(c.title)))
}

interface NewRow {
  row: number
  cells: string[]
  twins: Twin[]
}
async function keepRows(tx: Tx, call: Call, id: string, rows: readonly NewRow[]): Promise<void> {
  await tx.run(
    'imports.rows',
    `INSERT INTO import_rows (tenant_id, import_id, row_no, cells, twins)
     SELECT $1, $2, row, cells, twins
     FROM json_to_recordset($3::json) AS x(row int, cells jsonb, twins jsonb)`,
    [call.user.tenant, id, JSON.stringify(rows)],
  )
}
/** An earlier row that is known by the same thing. */
interface Twin {
  column: string
  row: number
}
type Key = ReturnType<Importer['keys']>[number]
const twinsAmong = (rows: ReadonlyMap<string, number>, keys: readonly Key[]): Twin[] =>
  keys.flatMap(({ column, key }) => (rows.has(key) ? [{ column, row: rows.get(key)! }] : []))

/** Reads the workbook into rows, batch by batch; nothing is judged yet but the heading. */
export async function upload(
  tx: Tx,
  call: Call,
  { def, keys }: Pick<Importer, 'def' | 'keys'>,
  name: string,
  bytes: Buffer,
): Promise<ImportState> {
  // Single sites name nobody and nothing new.
  const { scope } = call.user
  if (!scope.bcs && !scope.stores?.length && !whole(scope)) throw outside()
  await tx.run(
    'imports.replace',
    'DELETE FROM imports WHERE tenant_id = $1 AND user_id = $2 AND kind = $3',
    mine(call, def),
  )
  const id = call.newId()
  await tx.run(
    'imports.add',
    'INSERT INTO imports (tenant_id, user_id, kind, id, file_name, total, at) VALUES ($1, $2, $3, $4, $5, 0, $6)',
    [...mine(call, def), id, name, call.now()],
  )
  let where: number[] | undefined
  let waiting: NewRow[] = []
  let total = 0
  const first = new Map<string, number>()
  for await (const { n, cells } of readSheet(bytes)) {
    if (!where) {
      where = places(def.columns, cells)
      continue
    }
    const own = where.map((i) => clean(cells[i] ?? ''))
    if (own.every((c) => c === '')) continue
    if ((total += 1) > MAX_IMPORT_ROWS)
      throw invalid('file', `一次最多导入 ${MAX_IMPORT_ROWS} 行，请分成几个文件`)
    const known = keys(asCells(def.columns, own))
    waiting.push({ row: n, cells: own, twins: twinsAmong(first, known) })
    for (const { key } of known) if (!first.has(key)) first.set(key, n)
    if (waiting.length < BATCH) continue
    await keepRows(tx, call, id, waiting)
    waiting = []
    // Whoever gave up while it was read leaves nothing behind.
    if (call.reply.raw.destroyed) throw new Refused('已取消上传')
  }
  if (total === 0) throw invalid('file', where ? '表头下面没有数据' : '表格是空的')
  await keepRows(tx, call, id, waiting)
  await tx.run('imports.total', 'UPDATE imports SET total = $3 WHERE tenant_id = $1 AND id = $2', [
    call.user.tenant,
    id,
    total,
  ])
  await call.log(tx, {
    action: `上传${def.title}表格`,
    object: 'import',
    objectId: id,
    after: { name, total },
  })
  return stateOf(tx, call, def, id)
}

type Kept = NewRow
/** What is wrong with a cell whatever it is for; empty when nothing is. */
function wrongCell(text: string, required: boolean | undefined): string {
  if (text.startsWith('=')) return FORMULA
  if (text.length > MAX_CELL) return `最多 ${MAX_CELL} 个字`
  return required && text === '' ? '必填' : ''
}
/** The faults of these rows, all reasons of a row at once; values for those that are right. */
async function judge<V>(
  tx: Tx,
  call: Call,
  importer: Importer<V>,
  rows: readonly Kept[],
): Promise<Checked<V>[]> {
  const { columns } = importer.def
  const cells = rows.map((r) => asCells(columns, r.cells))
  const checked = await importer.check(tx, call, cells)
  return rows.map((row, i) => {
    const errors: CellError[] = columns.flatMap((c): CellError[] => {
      const text = wrongCell(cells[i]![c.key]!, c.required)
      return text ? [{ column: c.key, text }] : []
    })
    for (const { column, row: other } of row.twins)
      if (!errors.some((e) => e.column === column)) errors.push({ column, text: `与第 ${other} 行重复` })
    const verdict = checked[i]!
    const found =
      'errors' in verdict
        ? verdict.errors.filter((e) => !errors.some((known) => known.column === e.column))
        : []
    return errors.length || found.length ? { errors: [...errors, ...found] } : verdict
  })
}

interface Outcome {
  row: number
  state: ImportRow['state']
  errors: CellError[]
  ref: string | null
}
const write = (tx: Tx, call: Call, id: string, rows: readonly Outcome[]) =>
  tx.run(
    'imports.write',
    `UPDATE import_rows r
     SET state = x.state, errors = x.errors, ref_id = x.ref
     FROM json_to_recordset($3::json) AS x(row int, state text, errors jsonb, ref uuid)
     WHERE r.tenant_id = $1 AND r.import_id = $2 AND r.row_no = x.row`,
    [call.user.tenant, id, JSON.stringify(rows)],
  )
const take = async (tx: Tx, call: Call, id: string, state: string, step = IMPORT_STEP) =>
  (
    await tx.query(
      'imports.take',
      row<Kept>({ row: int4, cells: jsonb<string[]>(), twins: jsonb<Twin[]>() }),
      `SELECT row_no AS row, cells, twins
       FROM import_rows
       WHERE tenant_id = $1 AND import_id = $2 AND state = $3
       ORDER BY row_no
       LIMIT ${step}`,
      [call.user.tenant, id, state],
    )
  ).rows

/** One step of looking through the rows. */
export async function check<V>(tx: Tx, call: Call, importer: Importer<V>, id: string): Promise<ImportState> {
  await hold(tx, call, importer.def, id)
  const rows = await take(tx, call, id, 'unchecked', importer.step)
  if (rows.length) {
    const verdicts = await judge(tx, call, importer, rows)
    await write(
      tx,
      call,
      id,
      rows.map((r, i) => verdictOf(r.row, verdicts[i]!)),
    )
  }
  return stateOf(tx, call, importer.def, id)
}
const verdictOf = (row: number, v: Checked<unknown>): Outcome => ({
  row,
  state: 'errors' in v ? 'bad' : 'good',
  errors: 'errors' in v ? v.errors : [],
  ref: null,
})

/** A row put right by hand. */
export async function fix<V>(
  tx: Tx,
  call: Call,
  importer: Importer<V>,
  { id, row: at, cells }: { id: string; row: number; cells: string[] },
): Promise<ImportRow> {
  const { def } = importer
  await hold(tx, call, def, id)
  const key = [call.user.tenant, id, at]
  const own = cells.map((c) => clean(c.trim()))
  const known = importer.keys(asCells(def.columns, own))
  const others = (
    await tx.query(
      'imports.others',
      row({ row: int4, cells: jsonb<string[]>() }),
      `SELECT row_no AS row, cells
       FROM import_rows
       WHERE tenant_id = $1 AND import_id = $2 AND row_no <> $3
       ORDER BY row_no DESC`,
      key,
    )
  ).rows
  const twins = twinsAmong(
    new Map(others.flatMap((o) => importer.keys(asCells(def.columns, o.cells)).map((k) => [k.key, o.row]))),
    known,
  )
  const { rowCount } = await tx.run(
    'imports.fix',
    `UPDATE import_rows
     SET cells = $4::jsonb, twins = $5::jsonb
     WHERE tenant_id = $1 AND import_id = $2 AND row_no = $3 AND state IN ('good', 'bad')`,
    [...key, JSON.stringify(own), JSON.stringify(twins)],
  )
  if (!rowCount) throw new Refused('这一行已经导入，不能再改')
  const [verdict] = await judge(tx, call, importer, [{ row: at, cells: own, twins }])
  const outcome = verdictOf(at, verdict!)
  await write(tx, call, id, [outcome])
  return { row: at, cells: own, state: outcome.state, errors: outcome.errors }
}

/** One step of storing: checked once more, stored and marked in one transaction, so that nothing is stored twice however often it is called. */
export async function run<V>(
  tx: Tx,
  call: Call,
  importer: Importer<V>,
  id: string,
): Promise<ImportState & { handed: Handed[] }> {
  const { def } = importer
  await hold(tx, call, def, id)
  const rows = await take(tx, call, id, 'good', importer.step)
  const handed: Handed[] = []
  if (rows.length) {
    // Two clerks with the same list: the second finds what the first has stored.
    await tx.run('imports.turn', 'SELECT pg_advisory_xact_lock($1::int, hashtext($2))', [
      LOCKS.imports,
      `${call.user.tenant}${def.permission}`,
    ])
    const verdicts = await judge(tx, call, importer, rows)
    const outcomes = rows.map((r, i) => verdictOf(r.row, verdicts[i]!))
    const ready = outcomes.filter((o) => o.state === 'good')
    const stored = ready.length
      ? await importer.store(
          tx,
          call,
          verdicts.flatMap((v) => ('value' in v ? [v.value] : [])),
        )
      : []
    ready.forEach((o, i) => {
      const it = stored[i]!
      Object.assign(o, 'id' in it ? { state: 'done', ref: it.id } : { state: 'bad', errors: [it] })
      if ('id' in it && it.handed) handed.push(it.handed)
    })
    await write(tx, call, id, outcomes)
    const ids = outcomes.flatMap((o) => (o.ref ? [o.ref] : []))
    await call.log(tx, {
      action: `导入${def.title}`,
      object: 'import',
      objectId: id,
      after: { rows: ids.length, ids },
    })
  }
  return { ...(await stateOf(tx, call, def, id)), handed }
}

export async function rowsOf(
  tx: Tx,
  call: Call,
  def: ImportDef,
  q: { id: string; state?: string | undefined; pageNo: number; pageSize: number },
) {
  await stateOf(tx, call, def, q.id)
  const values = [call.user.tenant, q.id, q.state ?? null]
  const where = `tenant_id = $1 AND import_id = $2 AND ($3::text IS NULL OR state = $3)`
  const { rows } = await tx.query(
    'imports.page',
    row<ImportRow>({
      row: int4,
      cells: jsonb<string[]>(),
      state: text.of({ values: ['unchecked', 'good', 'bad', 'done'] }),
      errors: jsonb<{ column: string; text: string }[]>(),
    }),
    `SELECT row_no AS row, cells, state, errors
     FROM import_rows
     WHERE ${where}
     ORDER BY row_no
     LIMIT ${q.pageSize} OFFSET $4::int`,
    [...values, (q.pageNo - 1) * q.pageSize],
  )
  const [total] = (
    await tx.query(
      'imports.count',
      row({ n: int4 }),
      `SELECT count(*)::int AS n FROM import_rows WHERE ${where}`,
      values,
    )
  ).rows
  return { list: rows, pageNo: q.pageNo, pageSize: q.pageSize, totalCount: total!.n }
}

/** What is stored stays; the rest is forgotten. */
export async function drop(tx: Tx, call: Call, def: ImportDef, id: string): Promise<void> {
  const state = await stateOf(tx, call, def, id)
  await tx.run(
    'imports.drop',
    'DELETE FROM imports WHERE tenant_id = $1 AND user_id = $2 AND kind = $3 AND id = $4',
    [...mine(call, def), id],
  )
  await call.log(tx, {
    action: `放弃${def.title}导入`,
    object: 'import',
    objectId: id,
    after: { done: state.done, total: state.total },
  })
}

/** Half-done imports hold people's data: they go after a week. One at a time, with its rows; answers whether there was one. */
export const forgetImport = async (tx: Tx): Promise<boolean> =>
  (
    await tx.run(
      'imports.forget',
      `DELETE FROM imports WHERE (tenant_id, id) IN (
         SELECT tenant_id, id FROM imports WHERE at < :now - interval '${KEPT_DAYS.imports} days' LIMIT 1 FOR UPDATE SKIP LOCKED)`,
      [],
    )
  ).rowCount === 1
