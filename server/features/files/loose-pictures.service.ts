import type { Tx } from '../../database/connect.ts'
import { row, text, timestamptz } from '../../kit/row.ts'
import { dropFiles, type FileStore } from './files.service.ts'

interface Namer {
  column: string
  /** Of rows that have a time: nothing is named so long before it was there. */
  at?: string
}
/** Wherever a row names a picture or a paper; a test compares it with the database. */
export const NAMERS: Readonly<Record<string, readonly Namer[]>> = {
  alarms: [
    { column: 'picture', at: 'at' },
    { column: 'clip', at: 'at' },
  ],
  attendance_events: [{ column: 'picture', at: 'at' }],
  case_pictures: [{ column: 'picture' }, { column: 'masked_picture' }],
  consents: [{ column: 'proof' }],
  contract_files: [{ column: 'key' }],
  corrections: [{ column: 'pictures' }],
  correction_logs: [{ column: 'pictures' }],
  devices: [{ column: 'last_picture' }],
  dispatches: [{ column: 'photo' }, { column: 'signature' }, { column: 'damage_photo' }],
  feedback: [{ column: 'pictures' }],
  feedback_events: [{ column: 'pictures' }],
  goods_changes: [{ column: 'photos' }, { column: 'answer_photos' }],
  judgements: [{ column: 'photos' }],
  logistics_nodes: [{ column: 'photo' }],
  patrols: [{ column: 'picture' }],
  patrol_items: [{ column: 'pictures' }],
  person_requests: [{ column: 'picture' }],
  products: [{ column: 'picture' }],
  promise_events: [{ column: 'pictures' }],
  questions: [{ column: 'pictures' }],
  question_answers: [{ column: 'pictures' }],
  recordings: [{ column: 'key' }],
  site_events: [{ column: 'picture', at: 'at' }],
  thread_messages: [{ column: 'pictures', at: 'at' }],
  thread_outcomes: [{ column: 'pictures', at: 'at' }],
  tidiness_checks: [{ column: 'picture', at: 'at' }],
  violations: [{ column: 'picture' }],
  visits: [{ column: 'picture', at: 'at' }],
  worker_documents: [{ column: 'picture' }],
  workers: [{ column: 'w_face' }],
}
/** Events are of seven days before they are told, at most. */
const BEFORE = `interval '10 days'`
const MANY = /^(pictures|photos|answer_photos)$/
const named = Object.entries(NAMERS).flatMap(([table, columns]) =>
  columns.map(({ column, at }) => {
    const one = `n.${column}`
    const since = at ? ` AND n.${at} > $3::timestamptz - ${BEFORE}` : ''
    const from = `SELECT ${MANY.test(column) ? `unnest(${one})` : one} AS key FROM ${table} n WHERE n.tenant_id = $1`
    return `${from} AND ${one} ${MANY.test(column) ? '&& $2::text[]' : '= ANY ($2::text[])'}${since}`
  }),
)

/** Those of these files that nothing names, the oldest first. */
async function unnamedOf(
  tx: Tx,
  tenant: string,
  held: readonly { key: string; at: Date }[],
): Promise<string[]> {
  const keys = held.map((r) => r.key)
  const kept = await tx.query('files.named', row({ key: text }), named.join('\nUNION ALL '), [
    tenant,
    keys,
    held[0]!.at,
  ])
  const isNamed = new Set(kept.rows.map((r) => r.key))
  return keys.filter((k) => !isNamed.has(k))
}
/** Those of these files of devices that nothing names leave at once. */
export async function dropUnnamedFiles(
  tx: Tx,
  files: FileStore,
  tenant: string,
  keys: readonly string[],
): Promise<void> {
  const { rows } = await tx.query(
    'files.hold',
    row({ key: text, at: timestamptz }),
    `SELECT f.key, f.at
     FROM files f
     WHERE f.tenant_id = $1 AND f.key = ANY ($2::text[]) AND f.device_id IS NOT NULL
     ORDER BY f.at, f.key
     FOR UPDATE OF f`,
    [tenant, keys],
  )
  const loose = rows.length ? await unnamedOf(tx, tenant, rows) : []
  if (loose.length) await dropFiles(tx, files, tenant, loose)
}

/** Those of these pictures that nothing names any longer and that prove nothing leave, whoever uploaded them. */
export async function dropForgotten(
  tx: Tx,
  files: FileStore,
  tenant: string,
  keys: readonly string[],
): Promise<void> {
  const { rows } = await tx.query(
    'files.forgotten',
    row({ key: text, at: timestamptz }),
    `SELECT f.key, f.at
     FROM files f
     WHERE f.tenant_id = $1 AND f.key = ANY ($2::text[]) AND f.kind = 'picture' AND f.proves IS NULL
       AND f.order_id IS NULL
     ORDER BY f.at, f.key
     FOR UPDATE OF f`,
    [tenant, keys],
  )
  const loose = rows.length ? await unnamedOf(tx, tenant, rows) : []
  if (loose.length) await dropFiles(tx, files, tenant, loose)
}

const PIECE = 2_000
export interface Looking {
  tenant: string
  /** Uploads of devices, or of people and those who have a link. */
  ofDevices: boolean
  after: Date
  key: string
  before: Date
}
/**
 * Pictures and papers that were uploaded between two moments and that nothing names leave with their files. They are
 * held first and looked for afterwards, so that whoever names one meanwhile either finds it gone or keeps it.
 */
export async function forgetPictures(
  tx: Tx,
  files: FileStore,
  { tenant, ofDevices, after, key, before }: Looking,
): Promise<{ removed: number; last: { at: Date; key: string } | undefined }> {
  const { rows } = await tx.query(
    'files.loose',
    row({ key: text, at: timestamptz }),
    `SELECT f.key, f.at
     FROM files f
     WHERE f.tenant_id = $1 AND f.kind IN ('picture', 'pdf') AND f.proves IS NULL AND f.order_id IS NULL
       AND (f.device_id IS NOT NULL) = $2 AND ($2 OR f.site_id IS NULL)
       AND (f.at, f.key) > ($3::timestamptz, $4) AND f.at < $5
     ORDER BY f.at, f.key
     LIMIT ${PIECE}
     FOR UPDATE OF f SKIP LOCKED`,
    [tenant, ofDevices, after, key, before],
  )
  if (rows.length === 0) return { removed: 0, last: undefined }
  const loose = await unnamedOf(tx, tenant, rows)
  if (loose.length) await dropFiles(tx, files, tenant, loose)
  return { removed: loose.length, last: rows.length === PIECE ? rows.at(-1) : undefined }
}
