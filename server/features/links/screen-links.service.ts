import { LINK_HOURS, linkKind } from '@zhuguan/contract/features/links/links.record.ts'

import { bytea, int4, row, uuid } from '../../kit/row.ts'
import type { Tx } from '../../kit/tx.ts'
import { derivedToken } from './links.service.ts'

export interface Wall {
  tenant: string
  bc: string
  id: string
  name: string
  store_id: string
}
interface Shown {
  id: string
  title: string
  /** When its home's consent ends. */
  end: Date
}
const HOUR_MS = 3_600_000

/**
 * The links of a wall to the cases that it shows, made where there are none: they live for as long as a case is shown.
 * @returns the secret by case; none where it was formed under another installation's key
 */
export async function linksOfScreen(
  tx: Tx,
  secretKey: Buffer,
  wall: Wall,
  { cases, newId }: { cases: readonly Shown[]; newId: () => string },
): Promise<Map<string, string>> {
  const { tenant } = wall
  const latest = new Date(tx.now.getTime() + LINK_HOURS[linkKind.code.share].most * HOUR_MS)
  const made = cases.map((k) => {
    const id = newId()
    const { hash } = derivedToken(secretKey, { tenant, id, generation: 1 })
    return { id, hash, target: k.id, title: k.title, end: k.end < latest ? k.end : latest }
  })
  const { rows } = await tx.query(
    'links.ofscreen',
    row({ id: uuid, target_id: uuid, generation: int4, hash: bytea }),
    `INSERT INTO links AS l (tenant_id, id, bc_id, kind, target_id, hash, expires_at, made_name, made_at, generation,
       store_id, title, screen_id)
     SELECT $1, n.id, $2, '${linkKind.code.share}', n.target, n.hash, n.ends, $3, :now, 1, $4, n.title, $5
     FROM unnest($6::uuid[], $7::uuid[], $8::bytea[], $9::timestamptz[], $10::text[]) n(id, target, hash, ends, title)
     ON CONFLICT (tenant_id, screen_id, target_id) WHERE screen_id IS NOT NULL AND revoked_at IS NULL
     DO UPDATE SET expires_at = EXCLUDED.expires_at, title = EXCLUDED.title
     RETURNING l.id, l.target_id, l.generation, l.hash`,
    [
      tenant,
      wall.bc,
      `屏幕 ${wall.name}`,
      wall.store_id,
      wall.id,
      made.map((l) => l.id),
      made.map((l) => l.target),
      made.map((l) => l.hash),
      made.map((l) => l.end),
      made.map((l) => l.title),
    ],
  )
  return new Map(
    rows.flatMap((l) => {
      const { hash, token } = derivedToken(secretKey, { tenant, id: l.id, generation: l.generation })
      return hash.equals(l.hash) ? [[l.target_id, token]] : []
    }),
  )
}
