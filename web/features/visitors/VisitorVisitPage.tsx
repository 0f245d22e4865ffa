import { useQuery } from '@tanstack/react-query'
import { visitorsApi } from '@zhuguan/contract/features/visitors/visitors.api.ts'
import { visitState } from '@zhuguan/contract/features/visitors/visitors.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { CodeFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { short } from '../../kit/time.ts'
import { useVisitActions } from './useVisitActions.ts'
import type { Opened } from './VisitDrawers.tsx'
import { visitTable } from './visitTable.tsx'

const VisitDrawers = lazyPart(() => import('./VisitDrawers.tsx'))
const columns = visitTable.filter((c) => c.key !== 'name' && c.key !== 'bc')

/**
 * Visits of the same site around one of them. Devices do not say which faces are the same, so visits are put together
 * by place and time and not by person.
 */
export default function VisitorVisitPage() {
  const list = useList(visitorsApi.list, { about: 'near' })
  const { near } = list.address.filters
  const [opened, setOpened] = useState<Opened | null>(null)
  const { data } = useQuery({
    queryKey: [visitorsApi.list.path, 'one', near],
    enabled: !!near,
    queryFn: ({ signal }) => call(visitorsApi.list, { query: { id: near! } }, signal),
  })
  const actionsOf = useVisitActions(setOpened)
  const refresh = () => void list.refresh()
  useLiveRows(list, ['visitor'], (e) => (e.what === 'raised' ? null : e.id))
  if (!near) return <NoSubject what="来访" from="陌生人来访" />
  const visit = data?.list[0]
  return (
    <>
      <ListPage
        name="来访"
        list={list}
        columns={columns}
        current={near}
        onCurrent={() => {}}
        empty="这一次来访已经查看不到了。"
        filters={
          <>
            <b className="about">
              {visit && (
                <LinkTo page="SiteInfo" query={{ id: visit.site_id }}>
                  {visit.siteName}
                </LinkTo>
              )}{' '}
              {visit && <small>{short(visit.at)} 前后各 7 天，按工地和时间列出，不是按同一个人</small>}
            </b>
            <CodeFilter single list={list} field="state" label="处理状态" options={visitState.options} />
          </>
        }
        actionsOf={actionsOf}
        onDone={refresh}
      />
      {opened && (
        <VisitDrawers
          key={opened.kind}
          {...opened}
          open={setOpened}
          onClose={() => setOpened(null)}
          onDone={refresh}
        />
      )}
    </>
  )
}
