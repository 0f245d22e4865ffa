import { useQuery } from '@tanstack/react-query'
import { leadsSites } from '@zhuguan/contract/features/workers/trades.record.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'

import { call } from '../../kit/api.ts'
import { Tabs } from './DimensionTabs.tsx'

/** The pages of a worker: those who lead sites have other ones than those who do not. */
export default function WorkerTabs({ page, id }: { page: PageName; id: string }) {
  const { data: worker } = useQuery({
    queryKey: [workersApi.details.path, id],
    queryFn: ({ signal }) => call(workersApi.details, { query: { id } }, signal),
  })
  return <Tabs page={page} id={id} leads={worker && leadsSites(worker)} />
}
