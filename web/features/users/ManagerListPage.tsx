import { managersApi } from '@zhuguan/contract/features/users/managers.api.ts'
import { managerColumns } from '@zhuguan/contract/features/users/managers.columns.ts'
import type { ManagerRow } from '@zhuguan/contract/features/users/managers.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'

import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLive } from '../../kit/live.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter } from '../../parts/places.tsx'

const UNDER_WAY = '1,2'
/** Under so many a share says little, and says so. */
const FEW = 10
const sitesOf = (m: ManagerRow) => ({
  [m.post === principalPost.code.manager ? 'manager_id' : 'steward_id']: m.id,
  status: '1',
})
const columns = columnsOf<typeof managersApi.list>()(managerColumns, {
  sites: (m) =>
    m.sites ? (
      <LinkTo page="SiteList" query={sitesOf(m)}>
        {m.sites}
      </LinkTo>
    ) : (
      0
    ),
  open: (m) =>
    m.open ? (
      <LinkTo page="Correction" query={{ assignee_id: m.id, correctionStatus: UNDER_WAY }}>
        {m.open}
      </LinkTo>
    ) : (
      0
    ),
  late: (m) =>
    m.late ? (
      <LinkTo page="Correction" query={{ assignee_id: m.id, overdue: 'true' }}>
        {m.late}
      </LinkTo>
    ) : (
      0
    ),
  onTime: (m) =>
    m.onTime === null ? (
      '--'
    ) : (
      <span
        title={`近 30 天按时交回的和在手上超期的共 ${m.corrections} 条，按时 ${Math.round(m.onTime * m.corrections)} 条`}
      >
        {Math.round(m.onTime * 100)}%{m.corrections < FEW && <small> 仅 {m.corrections} 条</small>}
      </span>
    ),
})

/** Stewards and managers: what they are in charge of, and how fast what is theirs is put right. */
export default function ManagerListPage() {
  const list = useList(managersApi.list)
  useLive(['alarm', 'site'], () => list.refresh(), { every: 15_000 })
  return (
    <ListPage
      name="管理人员"
      list={list}
      columns={columns}
      linkTo={(m) => hrefOf('SiteList', sitesOf(m))}
      empty="还没有项目管家或项目经理。在用户管理里给用户选岗位。"
      filters={
        <>
          <KeywordFilter list={list} placeholder="姓名" />
          <BranchFilter list={list} />
          <CodeFilter single list={list} field="post" label="岗位" options={principalPost.options} />
        </>
      }
      actions={<ListExport list={list} endpoint={managersApi.export} name="管理人员" />}
    />
  )
}
