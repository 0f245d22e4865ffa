import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import { type Figure, type Supervision } from '@zhuguan/contract/features/supervision/supervision.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { FilterRow } from '../../kit/list/FilterRow.tsx'
import { CodeFilter, DayRangeFilter } from '../../kit/list/filters.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useFilters } from '../../kit/list/useFilters.ts'
import { usePageName } from '../../kit/page.tsx'
import { useActor } from '../../parts/session.ts'
import { FigureTable } from './FigureTable.tsx'
import { Oldest, Rank } from './Standing.tsx'

const RemarkDrawer = lazyPart(() => import('./RemarkDrawer.tsx'))

/** One person as the superior sees them and as they see themselves. */
export function PersonFigures({ person }: { person: string }) {
  const place = useFilters<typeof supervisionApi.person>()
  const actor = useActor()
  const { bc_id, from, to } = place.address.filters
  const [remarking, setRemarking] = useState<Figure | null>(null)
  const asked = { id: person, bc_id, from, to }
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [supervisionApi.person.path, asked],
    enabled: place.active,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(supervisionApi.person, asked, signal),
  })
  usePageName(data?.person.nickname)
  if (error) return <Failed error={error} again={() => void refetch()} />
  const isOwn = person === actor.id
  return (
    <div className="supervise" aria-busy={isFetching}>
      <section className="card list-bar figures-bar">
        {hasPermission(actor, 'manage:supervise') && (
          <LinkTo page="ManageSupervise" query={{ bc_id: data?.person.bc_id, from, to }}>
            ‹ 全部管理人员
          </LinkTo>
        )}
        {data && <Who of={data} isOwn={isOwn} />}
        <FilterRow>
          <DayRangeFilter list={place} from="from" to="to" label="日期（默认近 30 天）" />
          {data && data.branches.length > 1 && (
            <CodeFilter
              single
              list={place}
              field="bc_id"
              label="分公司"
              options={data.branches.map((b) => ({ value: b.bc_id, label: b.bc_name }))}
            />
          )}
        </FilterRow>
        <button className="button" onClick={() => window.print()}>
          打印
        </button>
      </section>
      {data && (
        <div className="supervise-body">
          <FigureTable
            of={data}
            onRemark={isOwn && hasPermission(actor, 'manage:remark') ? setRemarking : undefined}
            onChanged={() => void refetch()}
          />
          <aside>
            <Oldest of={data} />
            <Rank of={data} />
          </aside>
        </div>
      )}
      {remarking && data && (
        <RemarkDrawer
          figure={remarking}
          of={data}
          onClose={() => setRemarking(null)}
          onDone={() => void refetch()}
        />
      )}
    </div>
  )
}

function Who({ of: { asOf, from, person: p, to }, isOwn }: { of: Supervision; isOwn: boolean }) {
  return (
    <span className="who">
      <b>{p.nickname}</b> {principalPost.label(p.post)} · {p.bc_name}
      {p.isStopped && <span className="figure-bad"> · 账号已停用，以下是在任时的</span>}
      {isOwn && <span className="quiet"> · 上级看到的也是这一页</span>}
      <small className="quiet">
        {' '}
        {from} 至 {to}，{asOf}
      </small>
    </span>
  )
}
