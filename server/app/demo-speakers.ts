import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import { SYSTEM } from '../features/session/access.reads.ts'
import { bool, row, text, uuid } from '../kit/row.ts'
import type { Door, Worker } from './demo-door.ts'
import type { STAFF } from './demo-people.ts'

/** The person who speaks with owners in each branch of the demo. */
const CAST = {
  HZ: { steward: 'steward', manager: 'pm', service: 'service', gm: 'branch_gm' },
  NB: { steward: 'steward2', manager: 'pm2', service: 'branch_gm2', gm: 'branch_gm2' },
  SZ: { steward: 'other_steward', manager: 'other_pm', service: 'other', gm: 'other' },
} as const
export type Part = keyof (typeof CAST)['HZ']
export interface Speakers {
  cast: Record<Part, Worker>
  /** Homes that its steward and its manager keep. */
  sites: readonly string[]
  /** These, then those that colleagues keep, each with who acts for it here and who vouches for what they let in. */
  homes: readonly { id: string; keeper: Worker; second: Worker }[]
}

/** The people of a branch who speak with owners, and the homes of which they do; of none where it has no such home. */
export async function speakersOf(
  door: Door,
  branch: { bc: string; code: keyof typeof STAFF },
): Promise<Speakers | undefined> {
  const names = CAST[branch.code]
  const read = () =>
    door.db.tx(SYSTEM, (tx) =>
      tx.query(
        'demo.homes',
        row({ id: uuid, steward: text, own: bool }),
        `SELECT w.id, s.user_name AS steward, s.user_name = $2 AND m.user_name = $3 AS own
         FROM sites w
         JOIN users s ON s.tenant_id = w.tenant_id AND s.id = w.steward_id
         JOIN users m ON m.tenant_id = w.tenant_id AND m.id = w.manager_id
         WHERE w.bc_id = $1 AND w.status = ${siteStatus.code.building}
         ORDER BY own DESC, w.code DESC`,
        [branch.bc, names.steward, names.manager],
      ),
    )
  const all = await door.once(async () => (await read()).rows)
  const sites = all.filter((r) => r.own).map((r) => r.id)
  if (sites.length === 0) return undefined
  const [steward, manager, service, gm] = await Promise.all(
    [names.steward, names.manager, names.service, names.gm].map((user) => door.as(user)),
  )
  const others = new Map<string, Worker>()
  for (const name of new Set(all.filter((r) => !r.own).map((r) => r.steward)))
    others.set(name, await door.as(name))
  const homes = all.map(({ id, own, steward: keeps }) =>
    own ? { id, keeper: steward!, second: service! } : { id, keeper: gm!, second: others.get(keeps)! },
  )
  return { sites, homes, cast: { steward: steward!, manager: manager!, service: service!, gm: gm! } }
}
