import { linkKind } from '@zhuguan/contract/features/links/links.record.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import {
  type QuotationRow,
  quotationStatus,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { message } from '../../kit/notices.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { grantedTo } from '../../parts/granted.tsx'
import { useActor } from '../../parts/session.ts'
import type { Shared } from '../../parts/sharing/ShareDrawer.tsx'

const { approved, contracted } = quotationStatus.code
type Row = Pick<
  QuotationRow,
  'id' | 'code' | 'number' | 'status' | 'expired' | 'customer_id' | 'customerName'
>

/** Sending a version that was approved, while its days last. */
export function useShareQuotation() {
  const actor = useActor()
  const [shared, setShared] = useState<Shared | null>(null)
  async function begin(q: Row) {
    try {
      const { version_id } = await call(quotationsApi.details, { query: { id: q.id, number: q.number } })
      setShared({
        kind: linkKind.code.quotation,
        target_id: version_id,
        title: `${q.code} 第 ${q.number} 版`,
        customer_id: q.customer_id,
        person: q.customerName,
        needsPassword: true,
      })
    } catch (error) {
      message.error((error as Error).message)
    }
  }
  const shareOf = (q: Row): RowAction[] =>
    q.status === approved || q.status === contracted
      ? grantedTo(actor, [
          {
            needs: 'share:add',
            key: 'share',
            label: '分享',
            why: q.expired ? '报价已经过了有效期，请先修改为新版本' : undefined,
            open: () => void begin(q),
          },
        ])
      : []
  return { shareOf, shared, setShared }
}
