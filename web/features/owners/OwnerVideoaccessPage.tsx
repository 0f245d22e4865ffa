import { useQuery } from '@tanstack/react-query'
import { looksApi } from '@zhuguan/contract/features/owners/looks.api.ts'
import { homeViewColumns, lookColumns } from '@zhuguan/contract/features/owners/looks.columns.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { viewPurpose } from '@zhuguan/contract/features/video/purposes.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLive } from '../../kit/live.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { usePageName, useParam } from '../../kit/page.tsx'
import { ListExport } from '../../parts/listButtons.tsx'

import './owners.css'

const looks = columnsOf<typeof looksApi.looks>()(lookColumns, {})
const views = columnsOf<typeof looksApi.views>()(homeViewColumns, {})

/** The person who watched a home: its own people by their links, and those of the company, with the reason. */
export default function OwnerVideoaccessPage() {
  const site_id = useParam('site_id')
  const [tab, setTab] = useState<'looks' | 'views'>('looks')
  const { data: home } = useQuery({
    queryKey: [ownersApi.details.path, site_id],
    enabled: !!site_id,
    queryFn: ({ signal }) => call(ownersApi.details, { query: { site_id: site_id! } }, signal),
  })
  usePageName(home?.ws_name)
  if (!site_id) return <NoSubject what="业主" from="业主列表" />
  const tabs = (
    <span className="owner-tabs" role="tablist">
      {(['looks', 'views'] as const).map((name) => (
        <button
          key={name}
          role="tab"
          className="button"
          aria-selected={tab === name}
          onClick={() => setTab(name)}
        >
          {name === 'looks' ? '业主看了什么' : '公司谁看过'}
        </button>
      ))}
    </span>
  )
  return tab === 'looks' ? <Looks key="looks" tabs={tabs} /> : <Views key="views" tabs={tabs} />
}

/** A look that begins comes, one that ends says so. */
function useSeen(list: { refresh: () => Promise<void> }): void {
  const site_id = useParam('site_id')
  useLive(['view'], () => list.refresh(), { only: (e) => e.site_id === site_id })
}
function Looks({ tabs }: { tabs: React.ReactNode }) {
  const list = useList(looksApi.looks, { about: 'site_id' })
  useSeen(list)
  return (
    <ListPage
      name="观看"
      list={list}
      columns={looks}
      empty="这个家的人还没有用手机看过现场。"
      filters={
        <>
          {tabs}
          <KeywordFilter list={list} placeholder="联系人或摄像头" />
          <DayRangeFilter list={list} from="from" to="to" label="日期" />
        </>
      }
      actions={<ListExport list={list} endpoint={looksApi.looksExport} name="业主观看记录" />}
    />
  )
}
function Views({ tabs }: { tabs: React.ReactNode }) {
  const list = useList(looksApi.views, { about: 'site_id' })
  useSeen(list)
  return (
    <ListPage
      name="查看"
      list={list}
      columns={views}
      empty="公司还没有人看过这个家的画面。"
      filters={
        <>
          {tabs}
          <KeywordFilter list={list} placeholder="查看人或摄像头" />
          <CodeFilter list={list} field="purpose" label="目的" options={viewPurpose.options} />
          <DayRangeFilter list={list} from="from" to="to" label="日期" />
        </>
      }
      actions={<ListExport list={list} endpoint={looksApi.viewsExport} name="公司查看记录" />}
    />
  )
}
