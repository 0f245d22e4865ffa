import { randomBytes } from 'node:crypto'

import { uuidv7 } from '../../kit/ids.ts'
import { row, text, uuid } from '../../kit/row.ts'
import type { Tx } from '../connect.ts'
import { insert } from './rows.ts'

const MINUTE_MS = 60_000
const PAIRED_DAYS_AGO = 20
const DAY_MS = 86_400_000

type Scene = { kind: string; seconds: number; words?: string }
const of = (kind: string, seconds: number, words = ''): Scene => ({ kind, seconds, words })
/** The walls in the showrooms of the demo: three for guests, one for the house. */
const ARRANGED: readonly (readonly [name: string, scenes: readonly Scene[]])[] = [
  [
    '一楼门厅轮播',
    [of('figures', 15), of('now', 20), of('case', 15), of('rail', 20), of('rings', 15), of('praise', 12)],
  ],
  ['二楼洽谈区', [of('figures', 15), of('case', 20), of('craft', 15), of('praise', 15)]],
  ['三楼员工办公区', [of('figures', 12), of('alarms', 15), of('ranking', 15), of('now', 15)]],
  ['周末活动', [of('figures', 10), of('notice', 15, '周末到店，免费量房一次'), of('now', 15)]],
]
/** A wall for guests, one for the house, and one that somebody has unplugged an hour ago. */
const WALLS = [
  { name: '门厅大屏', kind: 'public', shows: 0, scene: 'figures', minutesAgo: 0 },
  { name: '办公区屏', kind: 'staff', shows: 2, scene: 'ranking', minutesAgo: 0 },
  { name: '洽谈区屏', kind: 'public', shows: 1, scene: 'case', minutesAgo: 63 },
] as const

/** In the first store of each group's first branch. */
export async function insertScreens(
  tx: Tx,
  {
    admins,
    now,
    tenants,
  }: { tenants: readonly { id: string }[]; admins: ReadonlyMap<number, { name: string }>; now: Date },
): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  for (const [t, admin] of admins) {
    const tenant_id = tenants[t]!.id
    const { rows } = await tx.query(
      'seed.firststore',
      row({ id: uuid, bc_id: uuid, name: text }),
      `SELECT k.id, k.bc_id, k.name FROM stores k JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
       WHERE k.tenant_id = $1 ORDER BY c.sort, c.code, k.name LIMIT 1`,
      [tenant_id],
    )
    const store = rows[0]
    if (!store) continue
    const at = { tenant_id, bc_id: store.bc_id, store_id: store.id }
    const arrangements = ARRANGED.map(([name, scenes]) => ({
      ...at,
      id: uuidv7(),
      name,
      scenes: scenes.map((s) => ({ words: '', ...s, from: null, to: null })),
      changed_by: admin.name,
      changed_at: before(PAIRED_DAYS_AGO * DAY_MS),
      version: 0,
    }))
    await insert(tx, 'arrangements', arrangements)
    await insert(
      tx,
      'screens',
      WALLS.map(({ kind, minutesAgo, name, scene, shows }) => ({
        ...at,
        id: uuidv7(),
        name,
        kind,
        // Nobody has the cookie: what paints in the demo is paired by whoever tries it.
        hash: `\\x${randomBytes(32).toString('hex')}`,
        arrangement_id: arrangements[shows]!.id,
        width: 1_920,
        height: 1_080,
        bundle: '',
        scene,
        item: `0-${scene}`,
        frames: 86_400,
        age: 2,
        said_at: before(minutesAgo * MINUTE_MS),
        moved_at: before(minutesAgo * MINUTE_MS),
        paired_by: admin.name,
        paired_at: before(PAIRED_DAYS_AGO * DAY_MS),
        why: '',
        version: 0,
      })),
    )
  }
}
