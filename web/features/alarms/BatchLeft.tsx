import type { AlarmRow } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { Modal } from 'antd'

import { short } from '../../kit/time.ts'
import type { Batch } from './AlarmDrawers.tsx'
import { nameOf } from './nameOf.ts'

/** The rest of a batch, each with its reason. */
export default function BatchLeft({
  what,
  batch,
  alarms,
  onClose,
}: {
  what: string
  batch: Batch
  alarms: readonly AlarmRow[]
  onClose: () => void
}) {
  return (
    <Modal
      open
      title={`${what} ${batch.done} 条，${batch.skipped.length} 条没有处理`}
      width="min(92vw, 560px)"
      cancelButtonProps={{ style: { display: 'none' } }}
      okText="知道了"
      onOk={onClose}
      onCancel={onClose}
    >
      <ul className="batch-left">
        {batch.skipped.map(({ id, why }) => {
          const alarm = alarms.find((a) => a.id === id)
          return (
            <li key={id}>
              {alarm && (
                <b>
                  {nameOf(alarm)} · {alarm.siteName} · {short(alarm.at)}
                </b>
              )}
              <p className="quiet">{why}</p>
            </li>
          )
        })}
      </ul>
      <p className="quiet">没有处理的仍然选中。</p>
    </Modal>
  )
}
