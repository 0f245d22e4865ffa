import { outside, refuse } from './refuse.ts'
import { hasBranch, whole } from './scoped.ts'
import type { Scope } from './tx.ts'

/**
 * Refuses who may not change what belongs to this branch: another branch's is not there, the whole group's is changed
 * by who sees all of it. `groups` says so to the others.
 */
export function refuseUnlessOwn(scope: Scope, bc: string | null, groups: string): void {
  if (bc !== null && !hasBranch(scope, bc)) throw outside()
  refuse(bc === null && !whole(scope) ? groups : undefined)
}
