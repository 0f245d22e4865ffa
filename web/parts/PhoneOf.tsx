import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import type { WorkerRow } from '@zhuguan/contract/features/workers/workers.record.ts'

import { call } from '../kit/api.ts'
import { Unmasked } from './Unmasked.tsx'

/** A phone as the reader may see it; a hidden one is shown for a reason. */
export const PhoneOf = ({ worker }: { worker: Pick<WorkerRow, 'id' | 'w_name' | 'w_contact'> }) => (
  <Unmasked
    id={worker.id}
    number={worker.w_contact}
    what="电话"
    whose={worker.w_name}
    needs="worker:unmask"
    look={(reason) => call(workersApi.phone, { body: { id: worker.id, reason } }).then(({ phone }) => phone)}
  >
    {(phone) => <a href={`tel:${phone}`}>{phone}</a>}
  </Unmasked>
)
