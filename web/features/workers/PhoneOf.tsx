import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import type { WorkerRow } from '@zhuguan/contract/features/workers/workers.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { message } from '../../kit/notices.ts'
import { useActor } from '../../parts/session.ts'

const AskDialog = lazyPart(() => import('../../kit/AskDialog.tsx'))

/** A phone as the reader may see it; a hidden one is shown for a reason, which is logged. */
export function PhoneOf({ worker }: { worker: Pick<WorkerRow, 'id' | 'w_name' | 'w_contact'> }) {
  const actor = useActor()
  const [shown, setShown] = useState<{ id: string; phone: string } | null>(null)
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const phone = shown?.id === worker.id ? shown.phone : worker.w_contact
  async function look(reason: string) {
    setBusy(true)
    try {
      setShown({ id: worker.id, ...(await call(workersApi.phone, { body: { id: worker.id, reason } })) })
      setAsking(false)
    } catch (error) {
      message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  if (!phone) return <>--</>
  const hidden = phone.includes('*')
  return (
    <span className="num" onClick={(e) => e.stopPropagation()}>
      {hidden ? phone : <a href={`tel:${phone}`}>{phone}</a>}
      {hidden && hasPermission(actor, 'worker:unmask') && (
        <>
          {' '}
          <button
            className="text-button"
            aria-label={`查看 ${worker.w_name} 的完整电话`}
            onClick={() => setAsking(true)}
          >
            查看
          </button>
        </>
      )}
      {asking && (
        <AskDialog
          action={{
            key: 'phone',
            label: '查看完整电话',
            reason: true,
            confirm: `查看 ${worker.w_name} 的完整电话会记入操作日志。请写明原因`,
          }}
          busy={busy}
          onCancel={() => setAsking(false)}
          onOk={(reason) => void look(reason)}
        />
      )}
    </span>
  )
}
