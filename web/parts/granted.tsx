import { type Actor, hasPermission } from '@zhuguan/contract/kit/permits.ts'
import type { ReactNode } from 'react'

import type { RowAction } from '../kit/RowActions.tsx'
import { useActor } from './session.ts'

/** Shown to those who hold the permission. */
export const Granted = ({ needs, children }: { needs: string; children: ReactNode }) =>
  hasPermission(useActor(), needs) ? children : null

type Gated = RowAction & { needs?: string }
/** Those of the actions that the person may do: each names the permission that it needs, or none. */
export const grantedTo = (actor: Actor, actions: readonly Gated[]): RowAction[] =>
  actions.filter((a) => a.needs === undefined || hasPermission(actor, a.needs))
export function useGranted(): (actions: readonly Gated[]) => RowAction[] {
  const actor = useActor()
  return (actions) => grantedTo(actor, actions)
}
