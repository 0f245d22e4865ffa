import { managersApi } from '@zhuguan/contract/features/managers/managers.api.ts'
import { isToldOf, managerColumns } from '@zhuguan/contract/features/managers/managers.columns.ts'
import { COMPLAINT_DAYS, type ManagerRow } from '@zhuguan/contract/features/managers/managers.record.ts'
import { patrolStatus } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { rowsBy } from '../../kit/ahead.ts'
import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLive } from '../../kit/live.ts'
import { usePage } from '../../kit/page.tsx'
import { dayOf, dayStart, nowSeconds } from '../../kit/time.ts'
import { useGranted } from '../../parts/granted.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { useMayOpen } from '../../parts/session.ts'

/** The records of the figure, and those that supervision names apart. */
const COMPLAINTS_HELP =
  `近 ${COMPLAINT_DAYS} 天（含今天）登记的投诉：关于本人的，和登记时由本人负责的工地的；` +
  '对本人回避的也在内（管理监督里另列），已取消的不算'

const DAY = 86_400
const UNDER_WAY = '1,2'
const HANDED_IN = patrolStatus.code.submitted
/** Below so many rows a hint says that the percentage is not meaningful. */
const FEW = 10
const sitesOf = (m: ManagerRow) => ({
  [m.post === principalPost.code.manager ? 'manager_id' : 'steward_id']: m.id,
  status: '1',
})
/** The contracts that are not cancelled, since the first of those days: as it is counted. */
const complaintsOf = (m: ManagerRow) => ({
  kind: 'complaint',
  status: '1,2,3',
  manager_id: m.id,
  from: dayStart(dayOf(nowSeconds() - (COMPLAINT_DAYS - 1) * DAY)),
})
/** Patrols that they handed in since a day, and the list of them. */
function Patrols({ of: m, n, since }: { of: ManagerRow; n: number | null; since: string }) {
  if (!n) return n ?? '--'
  return (
    <LinkTo page="PatrolRecord" query={{ user_id: m.id, status: HANDED_IN, from: dayStart(since) }}>
      {n}
    </LinkTo>
  )
}
const today = () => dayOf(nowSeconds())
const columns = columnsOf<typeof managersApi.list>()(managerColumns, {
  sites: (m) =>
    m.sites ? (
      <LinkTo page="SiteList" query={sitesOf(m)}>
        {m.sites}
      </LinkTo>
    ) : (
      0
    ),
  today: (m) => <Patrols of={m} n={m.patrolsToday} since={today()} />,
  month: (m) => <Patrols of={m} n={m.patrolsMonth} since={`${today().slice(0, 7)}-01`} />,
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
      <LinkTo page="Correction" query={{ assignee_id: m.id, overdue: 'true' }} className="figure-bad">
        {m.late}
      </LinkTo>
    ) : (
      0
    ),
  complaints: (m) =>
    m.complaints ? (
      <span title={COMPLAINTS_HELP}>
        <LinkTo page="FeedbackList" query={complaintsOf(m)}>
          {m.complaints}
        </LinkTo>
      </span>
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

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(managersApi.list)

/** Stewards and managers: what they are in charge of, and how fast what is theirs is put right. */
export default function ManagerListPage() {
  const list = useList(managersApi.list)
  const [feedback, patrols] = [useMayOpen('FeedbackList'), useMayOpen('PatrolRecord')]
  const opens = (name: 'FeedbackList' | 'PatrolRecord') => (name === 'FeedbackList' ? feedback : patrols)
  const page = usePage()
  const granted = useGranted()
  useLive(['alarm', 'site', 'feedback', 'patrol'], () => list.refresh(), { every: 15_000 })
  return (
    <ListPage
      name="管理人员"
      list={list}
      columns={columns.filter((c) => isToldOf(c.key, opens))}
      linkTo={(m) => hrefOf('SiteList', sitesOf(m))}
      actionsOf={(m) =>
        granted([
          {
            needs: 'manage:supervise',
            key: 'supervise',
            label: '查看监督',
            open: () => page.go(linkTo('ManageSupervise', { id: m.id })),
          },
        ])
      }
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
