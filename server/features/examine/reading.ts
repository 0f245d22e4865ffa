import {
  type ExamineKind,
  examineKind,
  PAGE_OF_KIND,
} from '@zhuguan/contract/features/examine/examine.record.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import { reachOf } from '../../kit/reach.ts'
import { hasStore, whole } from '../../kit/scoped.ts'
import type { SessionUser } from '../../kit/serve.ts'
import type { Where } from '../../kit/statement.ts'

const PAGES = [...new Set(Object.values(PAGE_OF_KIND))]
const kindsOn = (page: string): ExamineKind[] => examineKind.values.filter((k) => PAGE_OF_KIND[k] === page)

/** Requests `x` of the kinds that this person may read, each where they may: amounts are told to nobody else. */
export function readBy(where: Where, user: SessionUser): Where {
  const held = PAGES.flatMap((page) => {
    const reach = reachOf(user, pageLabel(page))
    return reach ? [{ kinds: kindsOn(page), reach }] : []
  })
  const kinds = held.flatMap((h) => h.kinds)
  // Most people have one reach for all that they read.
  if (user.holdings.length === 1)
    return kinds.length === examineKind.values.length
      ? where
      : where.add((p) => `x.kind = ANY(${p}::text[])`, kinds)
  return where.either(
    held.flatMap(({ kinds: these, reach }) => {
      const at = (column: string) => (p: string) =>
        `(x.kind IN (${these.map((k) => `'${k}'`).join(', ')}) AND x.${column} = ANY(${p}::uuid[]))`
      if (whole(reach)) return [[(p: string) => `x.kind = ANY(${p}::text[])`, these] as const]
      return [[at('bc_id'), reach.bcs ?? []] as const, [at('store_id'), reach.stores ?? []] as const]
    }),
  )
}
/** One request is among them. */
export function reads(
  user: SessionUser,
  r: { kind: ExamineKind; bc_id: string; store_id: string | null },
): boolean {
  const reach = reachOf(user, pageLabel(PAGE_OF_KIND[r.kind]))
  return reach !== undefined && hasStore(reach, r.bc_id, r.store_id)
}
