import type { FileStore } from '../../features/files/file-store.ts'
import { loadSharp } from '../../kit/native.ts'
import { row, uuid } from '../../kit/row.ts'
import type { Database } from '../connect.ts'
import { lottery } from './names.ts'

const SEED = 7
/** Drawn faces of the demo's workers: nobody's picture, so nobody's consent is missing. */
const VARIANTS = 24
const SKIN = ['#f2d3b8', '#e6bd98', '#d8a77d', '#c98f66']
const HAIR = ['#1d1a18', '#2c2420', '#3b322c', '#55504c']
const SHIRT = ['#2f6fb3', '#33798a', '#7a5c3e', '#4a5568']
const WALL = ['#e9edf2', '#eef0ea', '#f1ece6', '#e6ecef']

function portrait(variant: number): string {
  const l = lottery(SEED + variant)
  const [skin, hair, shirt, wall] = [SKIN, HAIR, SHIRT, WALL].map((list) => l.pick(list))
  const wide = 46 + l.below(10)
  const brow = 104 + l.below(8)
  const smile = 6 + l.below(9)
  const cap = l.below(3) === 0
  return `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="300">
    <rect width="240" height="300" fill="${wall}"/>
    <path d="M30 300 q10 -78 90 -82 q80 4 90 82 z" fill="${shirt}"/>
    <rect x="102" y="182" width="36" height="48" rx="14" fill="${skin}"/>
    <ellipse cx="120" cy="134" rx="${wide}" ry="62" fill="${skin}"/>
    <path d="M${120 - wide - 2} 128 q-2 -66 ${wide + 2} -66 q${wide + 4} 0 ${wide + 2} 66 q-8 -34 -${wide + 2} -36 q-${wide - 8} 2 -${wide + 2} 36 z" fill="${hair}"/>
    ${cap ? `<path d="M${118 - wide} 96 q${wide} -62 ${2 * wide + 4} 0 l14 8 h-${2 * wide + 30} z" fill="#f2b705"/>` : ''}
    <path d="M92 ${brow} h18 M130 ${brow} h18" stroke="${hair}" stroke-width="4" stroke-linecap="round"/>
    <circle cx="101" cy="${brow + 14}" r="4.5" fill="#26211e"/><circle cx="139" cy="${brow + 14}" r="4.5" fill="#26211e"/>
    <path d="M120 ${brow + 20} v18 h8" fill="none" stroke="#00000030" stroke-width="3"/>
    <path d="M104 168 q16 ${smile} 32 0" fill="none" stroke="#9c5a4a" stroke-width="4" stroke-linecap="round"/>
  </svg>`
}

/** Gives the demo's workers their faces; the pictures lie in the file store like any uploaded one. */
export async function seedFaces(db: Database, files: FileStore, now: Date): Promise<void> {
  const sharp = await loadSharp()
  const pictures = await Promise.all(
    Array.from({ length: VARIANTS }, (_, i) =>
      sharp(Buffer.from(portrait(i)))
        .jpeg({ quality: 84 })
        .toBuffer(),
    ),
  )
  const workers = await db.tx(
    { tenant: '', bcs: null, sites: null, user: null, system: true },
    (tx) =>
      tx.query(
        'seed.workers',
        row({ tenant_id: uuid, id: uuid, bc_id: uuid }),
        'SELECT tenant_id, id, bc_id FROM workers WHERE w_face IS NULL',
        [],
      ),
    { readOnly: true },
  )
  const l = lottery(SEED)
  const faces = await Promise.all(
    workers.rows.map(async (w) => {
      const bytes = l.pick(pictures)
      return { ...w, key: await files.put(bytes, 'jpg'), bytes: bytes.length }
    }),
  )
  await db.tx({ tenant: '', bcs: null, sites: null, user: null, system: true }, async (tx) => {
    await tx.run(
      'seed.facefiles',
      `INSERT INTO files (key, tenant_id, bc_id, kind, bytes, at)
       SELECT key, tenant_id, bc_id, 'face', bytes, $2
       FROM json_to_recordset($1::json) AS x(key text, tenant_id uuid, bc_id uuid, bytes int)`,
      [JSON.stringify(faces), now],
    )
    await tx.run(
      'seed.faces',
      `UPDATE workers w SET w_face = x.key, consent_how = 'paper', consent_at = $2, consent_by = '入职登记'
       FROM json_to_recordset($1::json) AS x(tenant_id uuid, id uuid, key text)
       WHERE w.tenant_id = x.tenant_id AND w.id = x.id`,
      [JSON.stringify(faces), now],
    )
  })
}
