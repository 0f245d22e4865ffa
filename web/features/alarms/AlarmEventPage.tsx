import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { alarmColumns } from '@zhuguan/contract/features/alarms/alarms.columns.ts'
import {
  type AlarmRow,
  alarmTodo,
  alarmType,
  correctionStatus,
} from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useEffect, useRef, useState } from 'react'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { usePage } from '../../kit/page.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { full, short } from '../../kit/time.ts'
import { usePhone } from '../../kit/usePhone.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, PersonFilter, SiteFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { StatusOf } from './StatusOf.tsx'
import { type Asking, useAlarmActions } from './useAlarmActions.ts'

import './alarms.css'

const AlarmPanel = lazyPart(() => import('./AlarmPanel.tsx'))
const AlarmDrawers = lazyPart(() => import('./AlarmDrawers.tsx'))

const columns = columnsOf<typeof alarmsApi.list>()(alarmColumns, {
  type: (a) => alarmType.label(a.type) + (a.seen > 1 ? ` ×${a.seen}` : ''),
  picture: (a) => (
    <Picture picture={a.picture} caption={`${a.deviceSn} ${full(a.at)}`} width={54} height={30} />
  ),
  site: (a) => (
    <LinkTo page="SiteInfo" query={{ id: a.site_id }}>
      {a.siteName}
    </LinkTo>
  ),
  confidence: (a) => `${Math.round(a.confidence * 100)}%${a.lowTrust ? '（低可信）' : ''}`,
  status: (a) => <StatusOf alarm={a} />,
})
/** Who can have such work at all. */
const TODO_NEEDS = { correct: 'alarm:correct', verify: 'alarm:review' }
const KEYS: Record<string, 'assign' | 'submit' | 'pass' | 'cancel'> = {
  1: 'assign',
  2: 'submit',
  3: 'pass',
  4: 'cancel',
}

/** As the server orders them when nothing else is asked. */
const isNewer = (a: AlarmRow, b: AlarmRow) => (a.at === b.at ? a.id > b.id : a.at > b.at)

export default function AlarmEventPage() {
  const list = useList(alarmsApi.list)
  const page = usePage()
  const actor = useActor()
  const [current, setCurrent] = useState<string | null>(null)
  const [opened, setOpened] = useState<AlarmRow | null>(null)
  const [asking, setAsking] = useState<Asking | null>(null)
  const [waiting, setWaiting] = useState<string[]>([])
  const phone = usePhone()
  const view = new URLSearchParams(page.search).get('view')
  // On a phone a picture says more than half a table.
  const pictures = view ? view === 'pictures' : phone
  const body = useRef<HTMLDivElement>(null)
  const mayAssign = hasPermission(actor, 'alarm:assign')
  const mayCancel = hasPermission(actor, 'alarm:cancel')
  const todo = alarmTodo.options.filter((o) => hasPermission(actor, TODO_NEEDS[o.value]))
  const actionsOf = useAlarmActions(setAsking)
  const refresh = () => {
    setWaiting([])
    void list.refresh()
  }

  // New rows wait behind a button, unless the user is at the top and stands on none: nothing moves under the cursor.
  const newestFirst = ['', '-at'].includes(list.address.sort)
  useLiveRows(list, ['alarm'], (e) => (e.what === 'raised' ? null : e.id), {
    newcomers: { rowIn: (e) => (newestFirst ? e.row : undefined), before: isNewer },
    only(e) {
      const scrolled = (body.current?.querySelector('.table-wrap, .shots')?.scrollTop ?? 0) > 0
      const waits = e.what === 'raised' && !!(scrolled || current || opened || list.selected.length)
      if (waits) setWaiting((w) => [...new Set([...w, e.id])])
      return !waits
    },
  })
  // A link to one alarm opens it.
  useEffect(() => {
    const row = list.rows[0]
    if (list.address.filters.id && row && row.id === list.address.filters.id && opened?.id !== row.id)
      setOpened(row)
  }, [list.address.filters.id, list.rows[0]?.id])
  useEffect(() => {
    if (!page.active) return
    const on = (e: KeyboardEvent) => {
      const row = list.rows.find((r) => r.id === current)
      const name = KEYS[e.key]
      if (!row || !name || asking || /INPUT|TEXTAREA/.test((e.target as HTMLElement).tagName)) return
      const action = actionsOf(row).find((a) => a.key === name)
      if (!action || action.why) return
      if (action.open) action.open()
      else void action.run?.('').then(refresh, refresh)
    }
    addEventListener('keydown', on)
    return () => removeEventListener('keydown', on)
  })
  function showAs(view: 'table' | 'pictures') {
    const to = new URLSearchParams(page.search)
    if ((view === 'pictures') === phone) to.delete('view')
    else to.set('view', view)
    page.go(`${page.path}?${to.toString()}`, { replace: true })
  }
  const live = opened && (list.rows.find((r) => r.id === opened.id) ?? opened)
  const chosen = list.rows.filter((r) => list.selected.includes(r.id))

  return (
    <div ref={body} className="alarm-page">
      {waiting.length > 0 && (
        <div className="news" role="status">
          <button
            onClick={() => {
              body.current?.querySelector('.table-wrap, .shots')?.scrollTo({ top: 0 })
              refresh()
            }}
          >
            {waiting.length} 条新报警，点击查看
          </button>
        </div>
      )}
      <ListPage
        name="报警事件"
        list={list}
        columns={columns}
        current={current}
        onCurrent={setCurrent}
        onOpen={setOpened}
        empty="摄像头还没有上报过报警；有新报警时会自动出现在这里。"
        filters={
          <>
            {todo.length > 0 && (
              <CodeFilter single list={list} field="todo" label="待我处理" options={todo} />
            )}
            <CodeFilter list={list} field="type" label="报警类型" options={alarmType.options} />
            <CodeFilter
              list={list}
              field="correctionStatus"
              label="整改状态"
              options={correctionStatus.options}
            />
            <BranchFilter list={list} />
            <SiteFilter list={list} />
            <PersonFilter list={list} field="assignee_id" label="责任人" />
            <CodeFilter
              single
              list={list}
              field="overdue"
              label="是否超期"
              options={[
                { value: 'true', label: '已超期' },
                { value: 'false', label: '未超期' },
              ]}
            />
            <DayRangeFilter seconds list={list} from="from" to="to" label="时间范围" />
          </>
        }
        actions={
          <>
            <span className="switch" role="group" aria-label="显示方式">
              {(
                [
                  ['table', '列表'],
                  ['pictures', '看图'],
                ] as const
              ).map(([v, label]) => (
                <button key={v} aria-pressed={pictures === (v === 'pictures')} onClick={() => showAs(v)}>
                  {label}
                </button>
              ))}
            </span>
            <ListExport list={list} endpoint={alarmsApi.export} name="报警事件" />
          </>
        }
        {...(mayAssign || mayCancel
          ? {
              batch: (
                <>
                  {mayAssign && (
                    <button
                      className="button small"
                      onClick={() => setAsking({ kind: 'assign', alarms: chosen })}
                    >
                      批量指派
                    </button>
                  )}
                  {mayCancel && (
                    <button
                      className="button small"
                      onClick={() => setAsking({ kind: 'cancel', alarms: chosen })}
                    >
                      批量取消
                    </button>
                  )}
                </>
              ),
            }
          : {})}
        actionsOf={actionsOf}
        onDone={refresh}
      >
        {pictures ? (
          <div className="shots">
            {list.rows.map((a) => (
              <button
                key={a.id}
                className={`shot${current === a.id ? ' now' : ''}`}
                onClick={() => {
                  setCurrent(a.id)
                  setOpened(a)
                }}
              >
                <Picture plain picture={a.picture} caption={`${a.deviceSn} ${full(a.at)}`} />
                <p>
                  <span>
                    {alarmType.label(a.type)}
                    {a.seen > 1 ? ` ×${a.seen}` : ''}
                  </span>
                  <StatusOf alarm={a} />
                </p>
                <small>
                  {short(a.at)} · {a.siteName}
                </small>
              </button>
            ))}
          </div>
        ) : undefined}
      </ListPage>
      {live && (
        <AlarmPanel
          alarm={live}
          actions={<RowActions actions={actionsOf(live)} onDone={refresh} shown={4} />}
          onClose={() => {
            setOpened(null)
            if (list.address.filters.id) list.filter(['id', undefined])
          }}
        />
      )}
      {asking && <AlarmDrawers {...asking} onClose={() => setAsking(null)} onDone={refresh} />}
    </div>
  )
}
