import type { CustomerRow } from '@zhuguan/contract/features/customers/customers.record.ts'

import { message } from '../../kit/notices.ts'
import { CustomerPick } from '../../parts/CustomerPick.tsx'

/** A customer that is known; a new one is written down where customers are. */
export default function CustomerChoice({
  value,
  onPick,
}: {
  value: CustomerRow | null
  onPick: (customer: CustomerRow) => void
}) {
  return (
    <CustomerPick value={value} onPick={onPick} onNew={() => message.info('请先在客户线索里新增这位客户')} />
  )
}
