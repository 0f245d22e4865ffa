import type { ExamineRow } from '@zhuguan/contract/features/examine/examine.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { sum } from '@zhuguan/contract/kit/money.ts'

import AskDialog from '../../kit/AskDialog.tsx'

/** Asks once for all that was picked, with what it comes to: none of it can be taken back. */
export default function ExamineBatch({
  rows,
  busy,
  onCancel,
  onOk,
}: {
  rows: readonly ExamineRow[]
  busy: boolean
  onCancel: () => void
  onOk: () => void
}) {
  const amounts = rows.flatMap((r) => (r.amount === null ? [] : [r.amount]))
  const total = amounts.length > 0 ? `，金额合计 ${grouped(sum(amounts))} 元` : ''
  const confirm = `通过选中的 ${rows.length} 条${total}？通过以后不能收回。`
  return (
    <AskDialog
      action={{ key: 'batch', label: '批量通过', confirm }}
      busy={busy}
      onCancel={onCancel}
      onOk={onOk}
    />
  )
}
