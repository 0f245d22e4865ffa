import { contractActions } from '@zhuguan/contract/features/contracts/contracts.actions.ts'
import { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import type { ContractRow } from '@zhuguan/contract/features/contracts/contracts.record.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'

export interface OpenedContract {
  kind:
    | 'deposit'
    | 'pay'
    | 'refund'
    | 'sign'
    | 'plan'
    | 'attach'
    | 'terminate'
    | 'change'
    | 'bill'
    | 'signBill'
  contract: ContractRow
  /** A change that is edited. */
  change?: string
}
/** What this person may do to a contract. */
export function useContractActions(open: (o: OpenedContract) => void): (c: ContractRow) => RowAction[] {
  const actor = useActor()
  return (contract) => {
    const one = { id: contract.id, version: contract.version }
    const opens = (kind: OpenedContract['kind']) => ({ open: () => open({ kind, contract }) })
    return actionsOf(contractActions, contract, actor, {
      deposit: opens('deposit'),
      pay: opens('pay'),
      sign: opens('sign'),
      change: opens('change'),
      giveBack: opens('refund'),
      refund: opens('refund'),
      plan: opens('plan'),
      attach: opens('attach'),
      void: {
        confirm: `作废合同 ${contract.code}（${contract.customerName}）？只用于误签或不再签的合同，请写明原因`,
        run: (reason) => call(contractsApi.void, { body: { ...one, reason } }),
      },
      keep: {
        confirm: `撤回合同 ${contract.code} 的作废申请？`,
        run: () => call(contractsApi.keep, { body: one }),
      },
      terminate: opens('terminate'),
      bill: opens('bill'),
      signBill: opens('signBill'),
      close: {
        confirm: `结清合同 ${contract.code}？结清以后只收质保金，其他不能再办理`,
        run: () => call(contractsApi.close, { body: one }),
      },
    })
  }
}
