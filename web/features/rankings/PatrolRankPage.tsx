import { rankingsApi } from '@zhuguan/contract/features/rankings/rankings.api.ts'
import { rankColumns } from '@zhuguan/contract/features/rankings/rankings.columns.ts'
import { rankReason, type RankRow } from '@zhuguan/contract/features/rankings/rankings.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { rowsBy } from '../../kit/ahead.ts'
import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { usePage } from '../../kit/page.tsx'
import type { RowAction } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { ago, full, short } from '../../kit/time.ts'
import { useGranted } from '../../parts/granted.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, SiteFilter, useBranches } from '../../parts/places.tsx'
import { useMayOpen } from '../../parts/session.ts'
import { Reasons } from './Reasons.tsx'
import { Weights } from './Weights.tsx'

import './rankings.css'

const columns = columnsOf<typeof rankingsApi.list>()(rankColumns, {
  name: (r) => (
    <LinkTo page="SiteInfo" query={{ id: r.id }}>
      {r.siteName}
    </LinkTo>
  ),
  reasons: (r) => <Reasons row={r} />,
  lastAt: (r) => (r.lastAt === null ? '还没有过' : <Last of={r} />),
  status: (r) =>
    r.doneAt === null ? (
      <State tone="wait">待巡</State>
    ) : (
      <span title={full(r.doneAt)}>
        <State tone="ok">{`${short(r.doneAt).slice(6)} 已巡`}</State>
      </span>
    ),
}).map((column) => (column.key === 'reasons' ? { ...column, card: 'line' as const } : column))
/** The last patrol, and the way to those before it. */
function Last({ of }: { of: RankRow }) {
  if (!useMayOpen('PatrolRecord')) return <span title={full(of.lastAt)}>{ago(of.lastAt)}</span>
  return (
    <LinkTo page="PatrolRecord" query={{ site_id: of.id }} title={full(of.lastAt)}>
      {ago(of.lastAt)}
    </LinkTo>
  )
}
const ORDER = [
  '最该巡的在前',
  '每天早上 5:50 按各项依据乘以权重相加，分高的在前；最后十分之一是随机抽查。名单当天不变。',
] as const

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(rankingsApi.list)

/** The sites to patrol today with the reason; beside it the weight of each reason, and its yield. */
export default function PatrolRankPage() {
  const list = useList(rankingsApi.list)
  const page = usePage()
  const granted = useGranted()
  const branches = useBranches()
  useLiveRows(list, ['patrol'], () => null)
  const { bc_id: chosen } = list.address.filters
  const asked = chosen && !chosen.includes(',') ? chosen : undefined
  const branch = branches.length === 1 ? branches[0]!.bc_id : asked
  const actionsOf = (row: RankRow): RowAction[] =>
    granted([
      {
        needs: 'patrol:do',
        key: 'do',
        label: '去巡检',
        open: () => page.go(linkTo('PatrolDo', { site_id: row.id })),
      },
      {
        needs: 'patrol:remote',
        key: 'remote',
        label: '远程巡检',
        open: () => void window.open(hrefOf('Patrol', { site_id: row.id }), '_blank', 'noopener'),
      },
    ])
  return (
    <div className="rank-page">
      <ListPage
        name="工地"
        list={list}
        columns={columns}
        order={ORDER}
        actionsOf={actionsOf}
        empty="名单每天早上 5:50 排出；没有在建工地的分公司没有名单。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="工地" />
            <CodeFilter list={list} field="reason" label="原因" options={rankReason.options} />
            <BranchFilter list={list} />
            <SiteFilter list={list} />
            <GivenFilter list={list} field="day" label="日期" value={(day) => day} />
          </>
        }
        actions={<ListExport list={list} endpoint={rankingsApi.export} name="今日该巡" />}
      />
      <aside className="card rank-weights" aria-label="依据和权重">
        {branch ? (
          <Weights key={branch} branch={branch} />
        ) : (
          <>
            <h2>依据和权重</h2>
            <p className="quiet">各分公司的权重不同。在筛选里选一个分公司，看它的依据、效果和权重。</p>
          </>
        )}
      </aside>
    </div>
  )
}
