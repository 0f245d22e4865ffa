import type { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { planColumns } from '@zhuguan/contract/features/orders/orders.columns.ts'
import type { PlanRow } from '@zhuguan/contract/features/orders/orders.record.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf, NOTHING } from '../../kit/list/columnsOf.tsx'
import { State } from '../../kit/State.tsx'
import { usePhone } from '../../kit/usePhone.ts'
import { useMayReach } from '../../parts/session.ts'
import { DueDay, lacksReceiver, whyNot } from './orderStates.tsx'
import { beginnings } from './planGroups.ts'
import { SiteName } from './SiteName.tsx'

/** The plan's columns; what a site and a stage have in common stands at their first line. */
export function usePlanColumns(rows: readonly PlanRow[]) {
  const mayContract = useMayReach('ContractDetail')
  const phone = usePhone()
  const { sites, stages } = beginnings(rows)
  return columnsOf<typeof ordersApi.plan>()(planColumns, {
    site: (r) => (phone || sites.has(r.id)) && <SiteName of={{ ...r, community: '' }} />,
    bc: (r) => (phone || sites.has(r.id)) && r.bc_name,
    contract: (r) =>
      (phone || sites.has(r.id)) &&
      (mayContract ? (
        <LinkTo page="ContractDetail" query={{ id: r.contract_id }}>
          {r.contractCode}
        </LinkTo>
      ) : (
        r.contractCode
      )),
    stage: (r) => (phone || stages.has(r.id)) && (r.stage ? siteStage.label(r.stage) : NOTHING),
    quantity: (r) => (
      <>
        {Number(r.held) > 0 && <State tone="bad">{`已拒单 ${r.held}`}</State>} {r.quantity}{' '}
        <small>{r.unit}</small>
      </>
    ),
    suggested: (r) => <DueDay day={r.suggestedOn} late={r.late} />,
    receiver: (r) => r.receiverName || (lacksReceiver(r) ? '下单时选择' : NOTHING),
    state: (r) => (
      <State tone={whyNot(r) ? 'grey' : 'wait'}>{whyNot(r) ?? orderState.label(r.orderState)}</State>
    ),
  })
}
