import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { followUpsApi } from '@zhuguan/contract/features/customers/follow-ups.api.ts'
import { followColumns } from '@zhuguan/contract/features/customers/follow-ups.columns.ts'
import {
  followKind,
  type FollowRow,
  followState,
} from '@zhuguan/contract/features/customers/follow-ups.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { callAddressed } from '../../kit/api.ts'
import { barePart } from '../../kit/barePart.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { type List, useList } from '../../kit/list/useList.ts'
import { usePage } from '../../kit/page.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { clock, dayOf, nowSeconds, short } from '../../kit/time.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, PersonFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import type { OpenedFollow } from './FollowDrawers.tsx'
import { useFollowActions } from './useFollowActions.ts'

import './customers.css'

const FollowDrawers = lazyPart(() => import('./FollowDrawers.tsx'))
/** With its calendar: whoever reads the list does not wait for it. */
const FollowCalendar = barePart(() => import('./FollowCalendar.tsx'))
const { cancelled, done, planned } = followState.code
const TONE: Readonly<Record<FollowRow['state'], Tone>> = {
  [planned]: 'wait',
  [done]: 'ok',
  [cancelled]: 'grey',
}
const VIEWS = [
  ['table', '列表'],
  ['calendar', '日历'],
] as const
const DAY = 86_400
const WEEK = 7

const columns = columnsOf<typeof followUpsApi.list>()(followColumns, {
  customer: (f) => (
    <LinkTo page="CustomerInfo" query={{ id: f.customer_id }}>
      {f.customerName}
    </LinkTo>
  ),
  at: (f) => (
    <>
      {f.overdue ? <b className="customer-late">{short(f.at)}</b> : short(f.at)}
      {f.late && <small className="quiet"> 补记</small>}
      {f.moved > 0 && <small className="quiet"> 改期 {f.moved} 次</small>}
    </>
  ),
  state: (f) => (
    <State tone={f.overdue ? 'bad' : TONE[f.state]}>
      {f.overdue ? '已逾期' : followState.label(f.state)}
    </State>
  ),
})

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(followUpsApi.list)

export default function FollowUpPage() {
  const list = useList(followUpsApi.list)
  const page = usePage()
  const [opened, setOpened] = useState<OpenedFollow | null>(null)
  const [mark, setMark] = useState(0)
  const isCalendar = new URLSearchParams(page.search).get('view') === 'calendar'
  const refresh = () => {
    setMark((n) => n + 1)
    void list.refresh()
  }
  const actionsOf = useFollowActions(setOpened)
  function showAs(view: string) {
    const search = new URLSearchParams(page.search)
    if (view === 'table') search.delete('view')
    else search.set('view', view)
    page.go(`${page.path}?${search.toString()}`, { replace: true })
  }
  return (
    <div className={isCalendar ? 'follow-page whole' : 'follow-page'}>
      <Counts list={list} mark={mark} />
      <ListPage
        name="跟进"
        list={list}
        columns={columns}
        empty="还没有跟进计划。在客户那里点“跟进”或“计划”。"
        order={['待跟进的在前', '待跟进的按时间先后在前，办完的在后']}
        filters={
          <>
            <KeywordFilter list={list} placeholder="客户、内容、结果" />
            <CodeFilter list={list} field="state" label="状态" options={followState.options} />
            <CodeFilter list={list} field="kind" label="方式" options={followKind.options} />
            <PersonFilter list={list} field="user_id" label="顾问" />
            <CodeFilter
              single
              list={list}
              field="overdue"
              label="是否逾期"
              options={[{ value: 'true', label: '已逾期' }]}
            />
            {!isCalendar && <DayRangeFilter list={list} from="from" to="to" label="时间" />}
            <BranchFilter list={list} />
            <GivenFilter list={list} field="customer_id" label="客户" value={() => '指定的一位'} />
          </>
        }
        actions={
          <>
            <span className="switch" role="group" aria-label="显示方式">
              {VIEWS.map(([v, label]) => (
                <button key={v} aria-pressed={(v === 'calendar') === isCalendar} onClick={() => showAs(v)}>
                  {label}
                </button>
              ))}
            </span>
            <ListExport list={list} endpoint={followUpsApi.export} name="跟进计划" />
          </>
        }
        actionsOf={actionsOf}
        onDone={refresh}
      >
        {isCalendar ? (
          <FollowCalendar
            filters={list.address.filters}
            mark={mark}
            actionsOf={actionsOf}
            onMove={(follow, to) => setOpened({ kind: 'move', follow, to })}
            onDone={refresh}
          />
        ) : undefined}
      </ListPage>
      {opened && <FollowDrawers opened={opened} onClose={() => setOpened(null)} onDone={refresh} />}
    </div>
  )
}

/** Overdue, today, this week: each leads to its rows. */
function Counts({ list, mark }: { list: List<typeof followUpsApi.list>; mark: number }) {
  const actor = useActor()
  const { bc_id, user_id: chosen } = list.address.filters
  const page = usePage()
  // Who follows up reads the own ones first; who gives customers away, and who only reads, all of them.
  const isMine =
    !chosen && hasPermission(actor, 'customer:follow') && !hasPermission(actor, 'customer:assign')
  const user_id = isMine ? actor.id : chosen
  const { data } = useQuery({
    queryKey: [followUpsApi.counts.path, bc_id, user_id, mark],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(followUpsApi.counts, { bc_id, user_id }, signal),
  })
  if (!data) return null
  const today = dayOf(nowSeconds())
  const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + WEEK - 1) % WEEK
  const sunday = dayOf(nowSeconds() + (WEEK - 1 - weekday) * DAY)
  const of = { bc_id, user_id, state: planned }
  const links = [
    ['逾期', data.overdue, { ...of, overdue: 'true' }],
    ['今天', data.today, { ...of, from: today, to: today }],
    ['本周', data.week, { ...of, from: today, to: sunday }],
  ] as const
  return (
    <p className="card follow-counts">
      {isMine && <b>我的</b>}
      {links.map(([name, n, filters]) => (
        <span key={name}>
          {name}{' '}
          <a
            className={name === '逾期' && n > 0 ? 'customer-late' : undefined}
            href={`#${linkTo('FollowUp', filters)}`}
            onClick={(e) => {
              e.preventDefault()
              page.go(linkTo('FollowUp', filters))
            }}
          >
            {n}
          </a>
        </span>
      ))}
      <span className="quiet">{clock(data.at)} 的数据</span>
    </p>
  )
}
