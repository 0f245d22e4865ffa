import { NOTICES } from '@zhuguan/contract/features/consents/notices.record.ts'
import { customerActions, unlessConsultant } from '@zhuguan/contract/features/customers/customers.actions.ts'
import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { customerHeld, type CustomerRow } from '@zhuguan/contract/features/customers/customers.record.ts'
import { type Actor, hasPermission, waitsFor } from '@zhuguan/contract/kit/permits.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'

export interface Asking {
  kind: 'assign' | 'edit' | 'follow' | 'hand' | 'lose' | 'merge' | 'plan'
  customers: readonly CustomerRow[]
}

/** The facts of a customer are the consultant's, or of who leads the store. */
export const mayEdit = (k: CustomerRow, actor: Actor): boolean =>
  hasPermission(actor, 'customer:edit') && unlessConsultant(k, actor) === undefined

/** What this person may do with a customer: a follow-up first, it is what is done most. */
export function useCustomerActions(ask: (a: Asking) => void): (customer: CustomerRow) => RowAction[] {
  const actor = useActor()
  return (k) => {
    const one = { id: k.id, version: k.version }
    const open = (kind: Asking['kind']) => ({ open: () => ask({ kind, customers: [k] }) })
    const isTheirs =
      k.held === customerHeld.code.assigned &&
      hasPermission(actor, 'customer:follow') &&
      (waitsFor(actor, k.consultant_id) || hasPermission(actor, 'customer:assign'))
    const follows: RowAction[] = isTheirs
      ? [
          { key: 'follow', label: '跟进', ...open('follow') },
          { key: 'plan', label: '计划', ...open('plan') },
        ]
      : []
    const edits: RowAction[] = mayEdit(k, actor) ? [{ key: 'edit', label: '编辑', ...open('edit') }] : []
    const tells: RowAction[] =
      isTheirs && !k.notice
        ? [
            {
              key: 'told',
              label: '已告知',
              confirm: `已经告诉 ${k.name}（${NOTICES.customer.version} 版）：${NOTICES.customer.words}`,
              run: () => call(customersApi.told, { body: one }),
            },
          ]
        : []
    const moves = actionsOf(customerActions, k, actor, {
      claim: { run: () => call(customersApi.claim, { body: one }) },
      assign: open('assign'),
      hand: open('hand'),
      lose: open('lose'),
      revive: { run: () => call(customersApi.revive, { body: one }), confirm: `恢复跟进 ${k.name}？` },
      refuse: {
        run: (reason) => call(customersApi.refuse, { body: { ...one, reason } }),
        confirm: `${k.name} 不愿再联系：以后不能计划电话和微信，也不会被导入。请写明客户怎样说`,
      },
      accept: {
        run: (reason) => call(customersApi.accept, { body: { ...one, reason } }),
        confirm: `${k.name} 又可以联系了：请写明客户怎样说`,
      },
      merge: open('merge'),
    })
    const first = moves.filter((m) => m.key === 'claim' || m.key === 'assign')
    return [...follows, ...first, ...edits, ...tells, ...moves.filter((m) => !first.includes(m))]
  }
}
