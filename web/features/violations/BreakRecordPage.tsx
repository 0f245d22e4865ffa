import { useQuery } from '@tanstack/react-query'
import { violationsApi } from '@zhuguan/contract/features/violations/violations.api.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'

import { call } from '../../kit/api.ts'
import { useList } from '../../kit/list/useList.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { Violations } from './Violations.tsx'

/** The violations of one worker. */
export default function BreakRecordPage() {
  const list = useList(violationsApi.list, { about: 'worker_id' })
  const { worker_id } = list.address.filters
  const { data: worker } = useQuery({
    queryKey: [workersApi.details.path, worker_id],
    enabled: !!worker_id,
    queryFn: ({ signal }) => call(workersApi.details, { query: { id: worker_id! } }, signal),
  })
  if (!worker_id) return <NoSubject what="工人" from="工人基本信息" />
  return (
    <Violations
      list={list}
      of={{ worker_id }}
      about={
        <b className="about">
          {worker?.w_name} {worker && <small>计入违规 {worker.breaks} 次，不含撤销</small>}
        </b>
      }
      empty="没有违规。"
    />
  )
}
