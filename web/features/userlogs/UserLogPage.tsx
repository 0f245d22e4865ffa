import { useQuery } from '@tanstack/react-query'
import { subsystem } from '@zhuguan/contract/features/session/session.record.ts'
import { userlogsApi } from '@zhuguan/contract/features/userlogs/userlogs.api.ts'
import { logAbout, logOutcome, type LogRow } from '@zhuguan/contract/features/userlogs/userlogs.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { CodeFilter, DayRangeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { type ColumnOf, ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { State } from '../../kit/State.tsx'
import { full, short } from '../../kit/time.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { PersonFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { kindOf, logObjects, summaryOf } from './logWords.ts'
import { ObjectLink } from './ObjectLink.tsx'

const LogDrawer = lazyPart(() => import('./LogDrawer.tsx'))
const ChainDrawer = lazyPart(() => import('./ChainDrawer.tsx'))
const columns: ColumnOf<typeof userlogsApi.list>[] = [
  {
    key: 'at',
    title: '时间',
    fixed: true,
    sort: 'at',
    render: (l) => <span title={full(l.at)}>{short(l.at)}</span>,
  },
  {
    key: 'user',
    title: '用户',
    render: (l) => (l.nickname ? `${l.nickname}（${l.userName}）` : l.userName || '系统'),
  },
  { key: 'system', title: '子系统', render: (l) => (l.system ? subsystem.label(l.system) : '--') },
  { key: 'action', title: '动作', render: (l) => l.action },
  {
    key: 'object',
    title: '对象',
    render: (l) => (
      <>
        <span className="quiet">{kindOf(l)}</span> <ObjectLink line={l} />
      </>
    ),
  },
  {
    key: 'outcome',
    title: '结果',
    render: (l) => <State tone={l.outcome === 'done' ? 'ok' : 'bad'}>{logOutcome.label(l.outcome)}</State>,
  },
  {
    key: 'change',
    title: '变更',
    render: (l) => (
      <span className="quiet" title={summaryOf(l)}>
        {summaryOf(l) || '--'}
      </span>
    ),
  },
  { key: 'ip', title: 'IP', render: (l) => l.ip },
  {
    key: 'agent',
    title: '终端',
    render: (l) => <span title={l.agent}>{l.terminal || '--'}</span>,
  },
]

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(userlogsApi.list)

export default function UserLogPage() {
  const list = useList(userlogsApi.list)
  const actor = useActor()
  const [open, setOpen] = useState<LogRow | null>(null)
  const [chain, setChain] = useState(false)
  const { data: actions = [] } = useQuery({
    queryKey: [userlogsApi.actions.path],
    queryFn: ({ signal }) => call(userlogsApi.actions, {}, signal),
  })
  const f = list.address.filters
  return (
    <>
      <ListPage
        name="日志"
        list={list}
        columns={columns}
        onOpen={setOpen}
        empty="还没有操作记录。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="动作、账号、对象、IP" />
            <PersonFilter list={list} field="user_id" label="用户" />
            <CodeFilter
              list={list}
              field="action"
              label="动作"
              options={actions.map((a) => ({ value: a, label: a }))}
            />
            <CodeFilter list={list} field="object" label="对象" options={logObjects} />
            <CodeFilter single list={list} field="outcome" label="结果" options={logOutcome.options} />
            <CodeFilter single list={list} field="about" label="个人信息" options={logAbout.options} />
            <CodeFilter single list={list} field="system" label="子系统" options={subsystem.options} />
            <DayRangeFilter list={list} from="from" to="to" label="时间" />
            {f.object_id && (
              <span className="chip-box">
                <button className="filter on">
                  只看<b>{list.rows[0]?.objectName || '一个对象'}</b>
                </button>
                <button
                  className="filter-off"
                  aria-label="去掉对象"
                  onClick={() => list.filter(['object_id', undefined])}
                >
                  ×
                </button>
              </span>
            )}
          </>
        }
        actions={
          <>
            {hasPermission(actor, 'log:verify') && (
              <button className="button" onClick={() => setChain(true)}>
                校验完整性
              </button>
            )}
            <ListExport list={list} endpoint={userlogsApi.export} name="操作日志" />
          </>
        }
      />
      {open && <LogDrawer line={open} onClose={() => setOpen(null)} />}
      {chain && <ChainDrawer onClose={() => setChain(false)} />}
    </>
  )
}
