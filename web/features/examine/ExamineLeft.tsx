import type { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { examineKind, type ExamineRow } from '@zhuguan/contract/features/examine/examine.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { Modal } from 'antd'

import './examine.css'

export type Batch = DataOf<typeof examineApi.batch>

/** The rest of a batch, each with its reason. */
export default function ExamineLeft({
  batch,
  rows,
  onClose,
}: {
  batch: Batch
  rows: readonly ExamineRow[]
  onClose: () => void
}) {
  return (
    <Modal
      open
      title={`已通过 ${batch.done} 条，${batch.skipped.length} 条没有通过`}
      width="min(92vw, 560px)"
      cancelButtonProps={{ style: { display: 'none' } }}
      okText="知道了"
      onOk={onClose}
      onCancel={onClose}
    >
      <ul className="examine-left">
        {batch.skipped.map(({ id, why }) => {
          const r = rows.find((one) => one.id === id)
          return (
            <li key={id}>
              {r && (
                <b>
                  {examineKind.label(r.kind)} {r.number} · {r.summary}
                </b>
              )}
              <p className="quiet">{why}</p>
            </li>
          )
        })}
      </ul>
      <p className="quiet">没有通过的仍然选中。</p>
    </Modal>
  )
}
