import { promiseActions } from '@zhuguan/contract/features/promises/promises.actions.ts'
import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import type { PromiseRow } from '@zhuguan/contract/features/promises/promises.record.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'

export interface Asking {
  kind: 'keep' | 'extend' | 'object'
  promise: PromiseRow
}

/** What this person may do to a promise. */
export function usePromiseActions(ask: (a: Asking) => void): (promise: PromiseRow) => RowAction[] {
  const actor = useActor()
  return (p) => {
    const what = `“${p.content}”`
    const one = { id: p.id, version: p.version }
    return actionsOf(promiseActions, p, actor, {
      keep: { open: () => ask({ kind: 'keep', promise: p }) },
      extend: { open: () => ask({ kind: 'extend', promise: p }) },
      object: { open: () => ask({ kind: 'object', promise: p }) },
      uphold: {
        confirm: `${what}的异议成立，记为未兑现：请写明理由，业主看得到`,
        run: (reason) => call(promisesApi.uphold, { body: { ...one, reason } }),
      },
      dismiss: {
        confirm: `驳回对${what}的异议，仍是已兑现：请写明理由，业主看得到`,
        run: (reason) => call(promisesApi.dismiss, { body: { ...one, reason } }),
      },
      break: {
        confirm: `认定${what}没有兑现：请写明理由，业主看得到`,
        run: (reason) => call(promisesApi.break, { body: { ...one, reason } }),
      },
      withdraw: {
        confirm: `撤回${what}：已过到期的仍算没有兑现，请写明理由，业主看得到`,
        run: (reason) => call(promisesApi.withdraw, { body: { ...one, reason } }),
      },
    })
  }
}
