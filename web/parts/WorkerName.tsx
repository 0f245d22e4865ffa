import { useQuery } from '@tanstack/react-query'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'

import { call } from '../kit/api.ts'

/** The page and the account whose list it is. */
export function WorkerName({ id }: { id: string }) {
  const { data: worker } = useQuery({
    queryKey: [workersApi.details.path, id],
    queryFn: ({ signal }) => call(workersApi.details, { query: { id } }, signal),
  })
  if (!worker) return <b className="about" />
  return (
    <b className="about">
      {worker.w_name}{' '}
      <small>
        {workerType.label(worker.w_type)}，
        {worker.account ? `账号 ${worker.account.nickname}` : '没有对应账号'}
      </small>
    </b>
  )
}
