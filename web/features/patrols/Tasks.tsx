import { GRACE_HOURS, patrolKind } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { patrolTasksApi } from '@zhuguan/contract/features/patrols/plans.api.ts'
import { taskColumns } from '@zhuguan/contract/features/patrols/plans.columns.ts'
import { type TaskRow, taskState } from '@zhuguan/contract/features/patrols/plans.record.ts'
import type { ReactNode } from 'react'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf, NOTHING } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter, GivenFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { List } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { State, type Tone } from '../../kit/State.tsx'
import { full, nowSeconds, short } from '../../kit/time.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, PersonFilter, SiteFilter } from '../../parts/places.tsx'
import { useTaskActions } from './usePatrolActions.ts'
import { dueText } from './waiting.ts'

const { due, excused } = taskState.code
const TONE: Record<number, Tone> = { 1: 'grey', 2: 'wait', 3: 'ok', 4: 'wait', 5: 'bad', 6: 'grey' }
/** The outcome of an occurrence, and the person who is at it. */
function StateOf({ of: t }: { of: TaskRow }) {
  const over = t.state === due && t.closesAt < nowSeconds()
  const text = t.state === due ? dueText(over) : taskState.label(t.state)
  const late = over ? `${full(t.closesAt)} 已经结束，${GRACE_HOURS} 小时内还可以补做，算逾期完成` : undefined
  return (
    <span title={t.state === excused ? `${t.excusedBy} 免除：${t.reason}` : late}>
      <State tone={over ? 'bad' : (TONE[t.state] ?? 'grey')}>{text}</State>
      {t.state === due && t.begunAt !== null && <small className="after">{t.inspectorName} 正在巡检</small>}
    </span>
  )
}
const table = columnsOf<typeof patrolTasksApi.list>()(taskColumns, {
  site: (t) => (
    <LinkTo page="SiteInfo" query={{ id: t.site_id }}>
      {t.siteName}
    </LinkTo>
  ),
  opens: (t) => <span title={`${full(t.opensAt)} 至 ${full(t.closesAt)}`}>{short(t.opensAt)}</span>,
  done: (t) =>
    t.submittedAt && t.patrol_id ? (
      <LinkTo page="PatrolDetail" query={{ id: t.patrol_id }} title={full(t.submittedAt)}>
        {short(t.submittedAt)}
      </LinkTo>
    ) : (
      NOTHING
    ),
  status: (t) => <StateOf of={t} />,
  problems: (t) => t.problems ?? NOTHING,
})
const ORDER = [
  '待巡检的在前',
  '先是待巡检的，截止早的在前；再是已经结束的，新的在前；最后是还没到时间的，早的在前。点列名可以改用别的顺序。',
] as const
const OF_SITE = ['site', 'bc']

/** Occurrences of plans: all, or those of one site or person. */
export function Tasks({
  list,
  about,
  views,
  of = {},
  empty,
}: {
  list: List<typeof patrolTasksApi.list>
  about?: ReactNode
  views?: ReactNode
  of?: { site?: boolean; person?: boolean }
  empty: string
}) {
  const actionsOf = useTaskActions()
  useLiveRows(list, ['patrol'], (e) => e.id)
  return (
    <ListPage
      name="任务"
      list={list}
      columns={table.filter((c) => !(of.site && OF_SITE.includes(c.key)))}
      order={ORDER}
      empty={empty}
      filters={
        <>
          {about}
          <CodeFilter list={list} field="state" label="结果" options={taskState.options} />
          <CodeFilter list={list} field="kind" label="类型" options={patrolKind.options} />
          {!of.site && <BranchFilter list={list} />}
          {!of.site && <SiteFilter list={list} />}
          {!of.person && <PersonFilter list={list} field="user_id" label="执行人" />}
          <DayRangeFilter seconds list={list} from="from" to="to" label="计划时间" />
          <GivenFilter list={list} field="plan_id" label="计划" value={() => '指定的计划'} />
          <GivenFilter list={list} field="closesFrom" label="截止从" value={(day) => day.slice(5)} />
          <GivenFilter list={list} field="closesTo" label="截止到" value={(day) => day.slice(5)} />
        </>
      }
      actions={
        <>
          {views}
          <ListExport list={list} endpoint={patrolTasksApi.export} name="巡检任务" />
        </>
      }
      actionsOf={actionsOf}
      onDone={() => void list.refresh()}
    />
  )
}
