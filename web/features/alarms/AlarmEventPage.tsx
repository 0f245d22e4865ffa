import { useQueryClient } from '@tanstack/react-query'
import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { alarmColumns } from '@zhuguan/contract/features/alarms/alarms.columns.ts'
import {
  alarmAttention,
  type AlarmRow,
  alarmTodo,
  alarmType,
  alarmVerdict,
  correctionStatus,
} from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useEffect, useRef, useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { countFilters } from '../../kit/list/address.ts'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { useQueue } from '../../kit/list/useQueue.ts'
import { message } from '../../kit/notices.ts'
import { usePage } from '../../kit/page.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { type RowAction, refusalIn } from '../../kit/RowActions.tsx'
import { full } from '../../kit/time.ts'
import { useOpened } from '../../kit/useOpened.ts'
import { dueOf, OverdueFilter, StatusOf } from '../../parts/correcting.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, PersonFilter, SiteFilter } from '../../parts/places.tsx'
import { useActor, useMayOpen } from '../../parts/session.ts'
import type { Batch } from './AlarmDrawers.tsx'
import { AlarmShots } from './AlarmShots.tsx'
import { GivenFilters } from './GivenFilters.tsx'
import { nameOf } from './nameOf.ts'
import { Unannounced } from './Unannounced.tsx'
import { type Asking, useAlarmActions } from './useAlarmActions.ts'

import './alarms.css'

const AlarmPanel = lazyPart(() => import('./AlarmPanel.tsx'))
const AlarmDrawers = lazyPart(() => import('./AlarmDrawers.tsx'))
const BatchLeft = lazyPart(() => import('./BatchLeft.tsx'))

const columns = columnsOf<typeof alarmsApi.list>()(alarmColumns, {
  type: (a) => (
    <>
      {nameOf(a)} <Unannounced alarm={a} />
    </>
  ),
  picture: (a) => (
    <Picture picture={a.picture} caption={`${a.deviceSn} ${full(a.at)}`} width={54} height={30} />
  ),
  site: (a) => (
    <LinkTo page="SiteInfo" query={{ id: a.site_id }}>
      {a.siteName}
    </LinkTo>
  ),
  confidence: (a) => `${Math.round(a.confidence * 100)}%${a.lowTrust ? '（低可信）' : ''}`,
  status: (a) => <StatusOf of={a} />,
  due: (a) => dueOf(a),
})
/** Who can have such work at all. */
const TODO_NEEDS = { correct: 'alarm:correct', verify: 'alarm:review', assign: 'alarm:assign' }
const KEYS: Record<string, 'assign' | 'submit' | 'pass' | 'cancel'> = {
  1: 'assign',
  2: 'submit',
  3: 'pass',
  4: 'cancel',
}

const ORDER = [
  '最急的在前',
  '未办结的在前，按截止时间从早到晚，超期最久的最先；已办结的在后，新的在前。点列名可以改用别的顺序。',
] as const
/** As the server orders them: by time, and when nothing else is asked. */
const isNewer = (a: AlarmRow, b: AlarmRow) => (a.at === b.at ? a.id > b.id : a.at > b.at)
const deadline = (a: AlarmRow) => (a.closedAt === null ? (a.dueAt ?? Infinity) : Infinity)
const isWorse = (a: AlarmRow, b: AlarmRow) =>
  deadline(a) === deadline(b) ? isNewer(a, b) : deadline(a) < deadline(b)
const BEFORE: Readonly<Record<string, typeof isNewer>> = { '': isWorse, '-at': isNewer }
/** The element that scrolls, in each of the shapes; on a phone it is the page. */
const SCROLLED = '.table-wrap, .shots'

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(alarmsApi.list)

export default function AlarmEventPage() {
  const list = useList(alarmsApi.list)
  const client = useQueryClient()
  const page = usePage()
  const actor = useActor()
  const [asking, setAsking] = useState<Asking | null>(null)
  const [left, setLeft] = useState<{ what: string; batch: Batch; alarms: AlarmRow[] } | null>(null)
  const [waiting, setWaiting] = useState<string[]>([])
  const [opened, show] = useOpened()
  const queue = useQueue(list, [opened, show])
  const { current, onCurrent } = queue
  const pictures = new URLSearchParams(page.search).get('view') === 'pictures'
  const body = useRef<HTMLDivElement>(null)
  const mayAssign = hasPermission(actor, 'alarm:assign')
  const mayTrust = useMayOpen('AlarmTrust')
  const mayCancel = hasPermission(actor, 'alarm:cancel')
  const todo = alarmTodo.options.filter((o) => hasPermission(actor, TODO_NEEDS[o.value]))
  const actionsOf = useAlarmActions(setAsking)
  const { sort, pageSize, filters } = list.address
  const refresh = () => {
    setWaiting([])
    queue.done()
    void client.invalidateQueries({ queryKey: [alarmsApi.details.path] })
  }
  function open(alarm: AlarmRow) {
    onCurrent(alarm.id)
    show(alarm.id)
  }

  // New rows wait behind a button, unless the user is at the top and stands on none: nothing moves under the cursor.
  // So do those that stand below this page.
  const before = BEFORE[sort]
  useLiveRows(list, ['alarm'], (e) => (e.what === 'raised' ? null : e.id), {
    newcomers: { rowIn: (e) => before && e.row, before: before ?? isNewer },
    only(e) {
      if (e.what !== 'raised') return true
      const scrolled = (body.current?.querySelector(SCROLLED)?.scrollTop ?? 0) > 0
      const last = list.rows.at(-1)
      const isFull = list.rows.length >= pageSize && countFilters(filters) === 0 && sort !== '-at'
      const sinks = isFull && !(before && last && e.row && before(e.row, last))
      const waits = scrolled || !!current || !!opened || list.selected.length > 0 || sinks
      if (waits) setWaiting((w) => [...new Set([...w, e.id])])
      return !waits
    },
  })
  function showNew() {
    body.current?.querySelector(SCROLLED)?.scrollTo({ top: 0 })
    refresh()
    if (list.total > pageSize && sort !== '-at') list.sort('-at')
  }
  async function run(action: RowAction) {
    if (action.open) return action.open()
    try {
      await action.run?.('')
      message.success(`已${action.label}`)
    } catch (error) {
      message.error(refusalIn(error as Error))
    } finally {
      refresh()
    }
  }
  useEffect(() => {
    if (!page.active) return
    const on = (e: KeyboardEvent) => {
      const row = list.rows.find((r) => r.id === current)
      const name = KEYS[e.key]
      if (!row || !name || asking || /INPUT|TEXTAREA/.test((e.target as HTMLElement).tagName)) return
      const action = actionsOf(row).find((a) => a.key === name)
      if (action && !action.why) void run(action)
    }
    addEventListener('keydown', on)
    return () => removeEventListener('keydown', on)
  })
  function showAs(view: 'table' | 'pictures') {
    const to = new URLSearchParams(page.search)
    if (view === 'table') to.delete('view')
    else to.set('view', view)
    page.go(`${page.path}?${to.toString()}`, { replace: true })
  }
  function batchDone(what: string, batch: Batch) {
    const ids = batch.skipped.map((s) => s.id)
    const alarms = list.rows.filter((r) => ids.includes(r.id))
    // Keep only the skipped rows selected.
    list.select(ids)
    if (ids.length) setLeft({ what, batch, alarms })
    else message.success(`${what} ${batch.done} 条`)
  }
  const chosen = list.rows.filter((r) => list.selected.includes(r.id))

  return (
    <div ref={body} className="alarm-page">
      {waiting.length > 0 && (
        <div className="news" role="status">
          <button onClick={showNew}>{waiting.length} 条新报警，点击查看</button>
        </div>
      )}
      <ListPage
        name="报警事件"
        list={list}
        columns={columns}
        current={current}
        onCurrent={onCurrent}
        onOpen={open}
        order={ORDER}
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
            <OverdueFilter list={list} />
            <CodeFilter single list={list} field="attention" label="提醒" options={alarmAttention.options} />
            <CodeFilter list={list} field="verdict" label="判定" options={alarmVerdict.options} />
            <GivenFilters list={list} />
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
            {mayTrust && (
              <LinkTo className="button" page="AlarmTrust">
                AI 信任账
              </LinkTo>
            )}
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
          <AlarmShots
            list={list}
            current={current}
            selectable={mayAssign || mayCancel}
            actionsOf={actionsOf}
            onOpen={open}
            onDone={refresh}
          />
        ) : undefined}
      </ListPage>
      {opened && (
        <AlarmPanel
          id={opened}
          queue={queue}
          row={list.rows.find((r) => r.id === opened)}
          actionsOf={actionsOf}
          onOpen={show}
          onDone={refresh}
          onClose={() => show(null)}
        />
      )}
      {asking && (
        <AlarmDrawers {...asking} onClose={() => setAsking(null)} onDone={refresh} onBatch={batchDone} />
      )}
      {left && <BatchLeft {...left} onClose={() => setLeft(null)} />}
    </div>
  )
}
