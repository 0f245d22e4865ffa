import { signingProgress } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import {
  customerHeld,
  type CustomerRow,
  customerStep,
} from '@zhuguan/contract/features/customers/customers.record.ts'
import { followUpsApi } from '@zhuguan/contract/features/customers/follow-ups.api.ts'
import { hasPermission, waitsFor } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { CodeFilter, DayRangeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { message } from '../../kit/notices.ts'
import { usePage } from '../../kit/page.tsx'
import { Granted } from '../../parts/granted.tsx'
import { ListExport, ListImport } from '../../parts/listButtons.tsx'
import { BranchFilter, PersonFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { useSources } from '../../parts/useSources.ts'
import { CustomerBoard, type Dropped } from './CustomerBoard.tsx'
import { customerTable } from './customerTable.tsx'
import { CustomerWaits } from './CustomerWaits.tsx'
import type { OpenedFollow } from './FollowDrawers.tsx'
import { StoreFilter } from './StoreFilter.tsx'
import { type Asking, useCustomerActions } from './useCustomerActions.ts'

import './customers.css'

const CustomerDrawers = lazyPart(() => import('./CustomerDrawers.tsx'))
const FollowDrawers = lazyPart(() => import('./FollowDrawers.tsx'))
const load = () =>
  import('@zhuguan/contract/features/customers/customers.import.ts').then((m) => m.customersImport)
const VIEWS = [
  ['table', '列表'],
  ['board', '看板'],
] as const
type Opened = Asking | { kind: 'add' } | ({ kind: 'ask' } & Dropped)
const { contacted, met, quoted } = customerStep.code

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(customersApi.list)

export default function CustomerListPage() {
  const list = useList(customersApi.list)
  const page = usePage()
  const actor = useActor()
  const sources = useSources()
  const [opened, setOpened] = useState<Opened | null>(null)
  const [follow, setFollow] = useState<OpenedFollow | null>(null)
  const [mark, setMark] = useState(0)
  const isBoard = new URLSearchParams(page.search).get('view') === 'board'
  const may = (label: string) => hasPermission(actor, label)
  const refresh = () => {
    setMark((n) => n + 1)
    void list.refresh()
  }
  const ask = (a: Asking) => {
    const [customer] = a.customers
    if (a.kind === 'follow' || a.kind === 'plan') setFollow({ kind: a.kind, customer: customer! })
    else setOpened(a)
  }
  const actionsOf = useCustomerActions(ask)
  function showAs(view: string) {
    const search = new URLSearchParams(page.search)
    if (view === 'table') search.delete('view')
    else search.set('view', view)
    page.go(`${page.path}?${search.toString()}`, { replace: true })
  }
  /** What was planned is finished; what nobody has answered is answered. */
  async function act(w: { id: string; name: string; follow_id: string | null }) {
    if (!w.follow_id) return setFollow({ kind: 'follow', customer: w })
    const { list: all } = await call(followUpsApi.list, { query: { customer_id: w.id, state: ['planned'] } })
    const planned = all.find((f) => f.id === w.follow_id)
    if (planned) setFollow({ kind: 'done', follow: planned })
    else {
      message.error('这条跟进刚刚已经办了')
      refresh()
    }
  }
  /** A dropped card opens what makes its step. */
  function dropped(d: Dropped) {
    if (d.to === contacted) setFollow({ kind: 'follow', customer: d })
    else if (d.to === met) setFollow({ kind: 'follow', customer: d, how: 'store' })
    else if (d.to === quoted) page.go(linkTo('CustomerInfo', { id: d.id }))
    else setOpened({ kind: 'ask', ...d })
  }
  const chosen = list.rows.filter((k) => list.selected.includes(k.id))
  const inPool = chosen.filter((k) => k.held === customerHeld.code.pool)
  return (
    <div className={isBoard ? 'customers-page whole' : 'customers-page'}>
      {may('customer:follow') && <CustomerWaits mark={mark} onAct={(w) => void act(w)} />}
      <ListPage
        name="客户"
        list={list}
        columns={customerTable}
        linkTo={(k) => hrefOf('CustomerInfo', { id: k.id })}
        empty="还没有客户。点“新增”登记第一位，或导入一份名单。"
        mayPick={(k: CustomerRow) => k.held === customerHeld.code.pool}
        filters={
          <>
            <KeywordFilter list={list} placeholder="姓名、小区、完整电话" />
            <CodeFilter
              list={list}
              field="held"
              label="归属"
              options={customerHeld.options.filter((o) => o.value !== 'merged')}
            />
            <CodeFilter
              list={list}
              field="signingProgress"
              label="签约进度"
              options={signingProgress.options}
            />
            <CodeFilter list={list} field="step" label="进展" options={customerStep.options} />
            <PersonFilter list={list} field="consultant_id" label="顾问" />
            <CodeFilter
              single
              list={list}
              field="overdue"
              label="是否逾期"
              options={[{ value: 'true', label: '已逾期' }]}
            />
            <CodeFilter list={list} field="source" label="来源" options={sources} />
            <StoreFilter list={list} />
            <BranchFilter list={list} />
            <DayRangeFilter list={list} from="from" to="to" label="下次跟进" />
            <DayRangeFilter list={list} from="enteredFrom" to="enteredTo" label="登记日期" />
            <GivenFilter list={list} field="id" label="客户" value={() => '指定的一位'} />
          </>
        }
        actions={
          <>
            <span className="switch" role="group" aria-label="显示方式">
              {VIEWS.map(([v, label]) => (
                <button key={v} aria-pressed={(v === 'board') === isBoard} onClick={() => showAs(v)}>
                  {label}
                </button>
              ))}
            </span>
            <ListExport list={list} endpoint={customersApi.export} name="客户线索" />
            <ListImport list={list} needs="customer:import" load={load} />
            <Granted needs="customer:add">
              <button className="button primary" onClick={() => setOpened({ kind: 'add' })}>
                新增
              </button>
            </Granted>
          </>
        }
        {...(may('customer:assign')
          ? {
              batch: (
                <button
                  className="button"
                  disabled={inPool.length === 0}
                  onClick={() => setOpened({ kind: 'assign', customers: inPool })}
                >
                  分配 {inPool.length} 位
                </button>
              ),
            }
          : {})}
        actionsOf={actionsOf}
        onDone={refresh}
      >
        {isBoard ? (
          <CustomerBoard
            filters={list.address.filters}
            mark={mark}
            mayDrag={(card) =>
              may('customer:follow') && (waitsFor(actor, card.consultant_id) || may('customer:assign'))
            }
            onDrop={dropped}
          />
        ) : undefined}
      </ListPage>
      {opened && (
        <CustomerDrawers
          opened={opened}
          onClose={() => setOpened(null)}
          onDone={() => {
            list.select([])
            refresh()
          }}
          onMade={(id) => page.go(linkTo('CustomerInfo', { id }))}
        />
      )}
      {follow && <FollowDrawers opened={follow} onClose={() => setFollow(null)} onDone={refresh} />}
    </div>
  )
}
