import type { FileStore } from '../../features/files/file-store.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { loadSharp } from '../../kit/native.ts'
import { bool, row, text, uuid } from '../../kit/row.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import type { Database, Scope } from '../connect.ts'
import { lottery } from './names.ts'

const SEED = 7
/** Drawn faces of the demo's workers: nobody's picture. */
const VARIANTS = 24
const SHEETS = 6
const DAY_MS = 86_400_000
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

/** A signed sheet, without words: lines, and a hand that signed. */
function sheet(variant: number): string {
  const l = lottery(SEED * 100 + variant)
  const lines = Array.from(
    { length: 9 },
    (_, i) => `<path d="M36 ${92 + i * 22} h${190 + l.below(60)}" stroke="#8a93a0" stroke-width="5"/>`,
  )
  const pen = Array.from({ length: 5 }, () => `q${8 + l.below(10)} ${l.below(34) - 30} ${14 + l.below(8)} 0`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="420">
    <rect width="320" height="420" fill="#6f6459"/>
    <rect x="14" y="16" width="292" height="388" fill="#fbfaf6"/>
    <path d="M92 56 h136" stroke="#39424e" stroke-width="10"/>
    ${lines.join('')}
    <path d="M176 350 ${pen.join(' ')}" fill="none" stroke="#1d3f8f" stroke-width="4" stroke-linecap="round"/>
    <circle cx="${90 + l.below(20)}" cy="344" r="24" fill="none" stroke="#c5221f" stroke-width="4"/>
  </svg>`
}

type Story = 'kept' | 'pending' | 'agreed' | 'refused' | 'withdrawn' | 'unasked'
const SCOPE = '只用于工地考勤打卡时核对本人'
const EVERYWHERE: Scope = { tenant: '', bcs: null, sites: null, user: null, system: true }
/** People who stand on no site, and so clock in nowhere: who has no face, one after the other. */
const WITHOUT: readonly Story[] = ['refused', 'withdrawn', 'agreed', 'unasked']
const EACH = 3
/** Of the others, one in so many has a face from before consents were kept. */
const PENDING_ONE_IN = 19
const HOWS = ['written', 'written', 'written', 'electronic', 'spoken'] as const
const ASKED_DAYS_AGO = 60
const WITHDRAWN_DAYS_AGO = 12

/** Gives the demo's workers their faces and consents; the pictures lie in the file store like any uploaded one. */
export async function seedFaces(db: Database, files: FileStore, now: Date): Promise<void> {
  const sharp = await loadSharp()
  const drawn = (of: (variant: number) => string, n: number) =>
    Promise.all(
      Array.from({ length: n }, (_, i) =>
        sharp(Buffer.from(of(i)))
          .jpeg({ quality: 84 })
          .toBuffer(),
      ),
    )
  const [portraits, sheets] = await Promise.all([drawn(portrait, VARIANTS), drawn(sheet, SHEETS)])
  const { rows } = await db.tx(
    EVERYWHERE,
    (tx) =>
      tx.query(
        'seed.workers',
        row({ tenant_id: uuid, id: uuid, bc_id: uuid, sited: bool, by: text }),
        `SELECT k.tenant_id, k.id, k.bc_id, EXISTS (
           SELECT 1 FROM site_members m WHERE m.tenant_id = k.tenant_id AND m.worker_id = k.id) AS sited,
           coalesce((SELECT u.nickname FROM users u
             WHERE u.tenant_id = k.tenant_id AND u.bc_id = k.bc_id AND u.post IS NOT NULL
             ORDER BY u.post DESC, u.user_name LIMIT 1), '入职登记') AS by
         FROM workers k
         WHERE k.w_face IS NULL
         ORDER BY k.tenant_id, k.w_id`,
        [],
      ),
    { readOnly: true },
  )
  const l = lottery(SEED)
  const away = new Map<string, number>()
  function storyOf(w: (typeof rows)[number], i: number): Story {
    if (w.sited) return i % PENDING_ONE_IN === 0 ? 'pending' : 'kept'
    const n = away.get(w.tenant_id) ?? 0
    away.set(w.tenant_id, n + 1)
    return n < EACH * WITHOUT.length ? WITHOUT[n % WITHOUT.length]! : 'kept'
  }
  async function put(kind: 'face' | 'consent', bytes: Buffer, w: (typeof rows)[number]) {
    const { tenant_id, bc_id } = w
    return { key: await files.put(bytes, 'jpg'), tenant_id, bc_id, kind, bytes: bytes.length }
  }
  const people = await Promise.all(
    rows.map(async (w, i) => {
      const story = storyOf(w, i)
      const how = story === 'refused' ? 'spoken' : HOWS[i % HOWS.length]!
      const isAsked = story !== 'pending' && story !== 'unasked'
      const picture = l.pick(portraits)
      const asked = addDays(shanghaiDay(now), -ASKED_DAYS_AGO - (i % 40))
      return {
        ...w,
        story,
        how,
        asked,
        face: story === 'kept' || story === 'pending' ? await put('face', picture, w) : null,
        proof: isAsked && how === 'written' ? await put('consent', sheets[i % SHEETS]!, w) : null,
        consent: isAsked ? uuidv7() : null,
      }
    }),
  )
  const STATES: Partial<Record<Story, number>> = { refused: 2, withdrawn: 3 }
  const consents = people
    .filter((w) => w.consent)
    .map((w) => ({
      tenant_id: w.tenant_id,
      id: w.consent,
      subject_id: w.id,
      state: STATES[w.story] ?? 1,
      how: w.how,
      answered_on: w.asked,
      proof: w.proof?.key ?? null,
      by: w.by,
    }))
  await db.tx(EVERYWHERE, async (tx) => {
    await tx.run(
      'seed.facefiles',
      `INSERT INTO files (key, tenant_id, bc_id, kind, bytes, at)
       SELECT key, tenant_id, bc_id, kind, bytes, $2
       FROM json_to_recordset($1::json) AS x(key text, tenant_id uuid, bc_id uuid, kind text, bytes int)`,
      [JSON.stringify(people.flatMap((w) => [w.face, w.proof]).filter(Boolean)), now],
    )
    await tx.run(
      'seed.faces',
      `UPDATE workers w SET w_face = x.key
       FROM json_to_recordset($1::json) AS x(tenant_id uuid, id uuid, key text)
       WHERE w.tenant_id = x.tenant_id AND w.id = x.id`,
      [JSON.stringify(people.filter((w) => w.face).map((w) => ({ ...w, key: w.face!.key })))],
    )
    await tx.run(
      'seed.consents',
      `INSERT INTO consents (tenant_id, id, kind, subject_type, subject_id, state, how, answered_on, scope, proof,
         recorded_by, recorded_at, withdrawn_by, withdrawn_at, withdrawn_why)
       SELECT tenant_id, id, 'face', 'worker', subject_id, state, how, answered_on, $2, proof,
         "by", (answered_on + time '10:00') AT TIME ZONE 'Asia/Shanghai',
         CASE WHEN state = 3 THEN "by" END, CASE WHEN state = 3 THEN $3::timestamptz END,
         CASE WHEN state = 3 THEN '本人不愿意再刷脸，改用补卡' END
       FROM json_to_recordset($1::json) AS x(tenant_id uuid, id uuid, subject_id uuid, state smallint, how text,
         answered_on date, proof text, "by" text)`,
      [JSON.stringify(consents), SCOPE, new Date(now.getTime() - WITHDRAWN_DAYS_AGO * DAY_MS)],
    )
  })
}
