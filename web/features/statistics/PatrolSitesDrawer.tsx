import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { patrolCoverage } from '@zhuguan/contract/features/statistics/patrol-figures.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { AddressOf } from '@zhuguan/contract/kit/api.ts'
import { Drawer } from 'antd'
import { useState } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { Pager } from '../../kit/list/Pager.tsx'
import { type Days, tasksOf } from './links.ts'
import { type Place, STATES } from './patrolSeries.ts'

/** The sites behind a figure of coverage; its total is the figure. */
export default function PatrolSitesDrawer({
  coverage,
  filters,
  span,
  within,
  onClose,
}: {
  coverage: string
  filters: AddressOf<typeof statisticsApi.patrols>
  span: Days
  within: Place
  onClose: () => void
}) {
  const [page, setPage] = useState({ pageNo: 1, pageSize: 20 })
  const query = { ...filters, coverage, ...page }
  const { data, error, refetch } = useQuery({
    queryKey: [statisticsApi.patrolSites.path, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(statisticsApi.patrolSites, query, signal),
  })
  return (
    <Drawer
      open
      title={`${span.from} 至 ${span.to} · ${patrolCoverage.label(coverage)}的工地`}
      size="min(800px, 100vw)"
      onClose={onClose}
    >
      {error ? (
        <Failed error={error} again={() => void refetch()} />
      ) : (
        <>
          <div className="table-wrap" tabIndex={0} role="region" aria-label="工地覆盖表格" aria-busy={!data}>
            <table className="grid">
              <thead>
                <tr>
                  <th className="first">工地</th>
                  <th>分公司</th>
                  {STATES.map((s) => (
                    <th key={s.name} className="right">
                      {s.name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data?.list.map((site) => (
                  <tr key={site.id}>
                    <td className="first">
                      <LinkTo page="SiteInfo" query={{ id: site.id }}>
                        {site.name}
                      </LinkTo>
                    </td>
                    <td>{site.bc_name}</td>
                    {STATES.map(({ name, of, state }) => (
                      <td key={name} className="right">
                        {of(site) > 0 ? (
                          <a href={tasksOf(span.from, span.to, { ...within, site_id: site.id, state })}>
                            {of(site)}
                          </a>
                        ) : (
                          0
                        )}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {data && data.totalCount > page.pageSize && (
            <Pager
              {...page}
              total={data.totalCount}
              onTurn={(pageNo, pageSize) => setPage({ pageNo, pageSize })}
            />
          )}
          {data && (
            <p className="quiet">
              {data.totalCount === 0 ? '没有这样的工地。' : `共 ${data.totalCount} 个工地`}
            </p>
          )}
        </>
      )}
    </Drawer>
  )
}
