import { useQuery } from '@tanstack/react-query'
import { staysApi } from '@zhuguan/contract/features/workers/stays.api.ts'
import { stayColumns } from '@zhuguan/contract/features/workers/stays.columns.ts'
import { type StayRow, stayState } from '@zhuguan/contract/features/workers/stays.record.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'

import { call } from '../../kit/api.ts'
import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLive } from '../../kit/live.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { State } from '../../kit/State.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { SiteFilter } from '../../parts/places.tsx'
import { Score } from './Score.tsx'

const columnsFor = (worker: string) =>
  columnsOf<typeof staysApi.list>()(stayColumns, {
    left: (s) => s.leftOn ?? <State tone="ok">在场</State>,
    days: (s) => (s.days ? <Days stay={s} worker={worker} /> : 0),
    score: (s) => (s.score === null ? '--' : <Score mean={s.score} />),
    by: (s) => s.scoredBy || '--',
  })
const Days = ({ stay: s, worker }: { stay: StayRow; worker: string }) => (
  <LinkTo
    page="WorkerAttend"
    query={{
      worker_id: worker,
      site_id: s.site_id,
      from: s.enteredOn,
      ...(s.leftOn ? { to: s.leftOn } : {}),
      attendance: '1',
    }}
  >
    {s.days}
  </LinkTo>
)

/** The sites that a worker was on, and how they were there. */
export default function ProjectExperiencePage() {
  const list = useList(staysApi.list, { about: 'worker_id' })
  const { worker_id } = list.address.filters
  const { data: worker } = useQuery({
    queryKey: [workersApi.details.path, worker_id],
    enabled: !!worker_id,
    queryFn: ({ signal }) => call(workersApi.details, { query: { id: worker_id! } }, signal),
  })
  useLive(['worker', 'site'], () => list.refresh())
  if (!worker_id) return <NoSubject what="工人" from="工人基本信息" />
  return (
    <ListPage
      name="经历"
      list={list}
      columns={columnsFor(worker_id)}
      linkTo={(s) => hrefOf('SiteInfo', { id: s.site_id })}
      empty="还没有派往过工地。"
      filters={
        <>
          <b className="about">
            {worker?.w_name}{' '}
            {worker?.score && (
              <small>
                平均 <Score mean={worker.score.mean} />（{worker.score.n} 次评分）
              </small>
            )}
          </b>
          <SiteFilter list={list} />
          <CodeFilter single list={list} field="stay" label="在场" options={stayState.options} />
        </>
      }
      actions={<ListExport list={list} endpoint={staysApi.export} name="项目经历" />}
    />
  )
}
