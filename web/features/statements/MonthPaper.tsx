import { useQuery, useQueryClient } from '@tanstack/react-query'
import { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { message } from '../../kit/notices.ts'
import { usePage } from '../../kit/page.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { dayOf, full, nowSeconds } from '../../kit/time.ts'
import { useBranches } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { Charges } from './Charges.tsx'
import { monthAfter } from './MonthFilter.tsx'
import { OwedTable } from './statementParts.tsx'

const ChargeDrawer = lazyPart(() => import('./ChargeDrawer.tsx'))

/** Why no statement can be made of the month now. */
function whyNot(isOver: boolean, { charges, loose, made }: DataOf<typeof statementsApi.preview>) {
  if (!isOver) return '本月还没有结束，下个月 1 日起可以对账'
  if (loose > 0 || charges.length > 0) return undefined
  return made.length > 0 ? '这个月的往来都已经在对账单里' : '这个月没有往来'
}
/** A receiver's month so far, and the way to a statement of it. */
export function MonthPaper({ receiver, month, bc }: { receiver: string; month: string; bc: string | null }) {
  const page = usePage()
  const client = useQueryClient()
  const branches = useBranches()
  const [charging, setCharging] = useState(false)
  const mayEdit = hasPermission(useActor(), 'statement:edit')
  const { data, error, refetch } = useQuery({
    queryKey: [statementsApi.preview.path, receiver, month, bc],
    queryFn: ({ signal }) =>
      call(
        statementsApi.preview,
        { query: { receiver_id: receiver, month, bc_id: bc ?? undefined } },
        signal,
      ),
  })
  useLive(['statement'], () => refetch(), {
    only: (e) => !!data?.charges.some((c) => c.id === e.id) || !!data?.made.some((s) => s.id === e.id),
  })
  if (error) return <Failed error={error} again={() => void refetch()} />
  if (!data) return <div className="page-wait" aria-busy="true" />
  const to = (next: string) =>
    page.go(linkTo('StatementList', { receiver, month: next, bc_id: bc ?? undefined }), { replace: true })
  const now = dayOf(nowSeconds()).slice(0, 7)
  const one = branches.length === 1 ? branches[0] : branches.find((b) => b.bc_id === bc)
  const isOver = month < now
  const again = () => {
    void refetch()
    void client.invalidateQueries({ queryKey: [statementsApi.list.path] })
  }
  const make = async () => {
    const { id, code } = await call(statementsApi.add, {
      body: { receiver_id: receiver, month, bc_id: one?.bc_id ?? null },
    })
    message.success(`对账单 ${code} 已生成，核对以后发给对方`)
    again()
    page.go(linkTo('StatementList', { id }))
  }
  return (
    <section className="card section statement">
      <header className="statement-head">
        <h2>
          {data.receiverName} {month.replace('-', ' 年 ')} 月往来 <small>{data.scope || one?.bc_name}</small>
        </h2>
        <span className="statement-tools screen-only">
          <button className="button" onClick={() => to(monthAfter(month, -1))}>
            上个月
          </button>
          <button className="button" disabled={month >= now} onClick={() => to(monthAfter(month, 1))}>
            下个月
          </button>
          {mayEdit && one && (
            <button className="button" onClick={() => setCharging(true)}>
              加手工行
            </button>
          )}
          {mayEdit && (
            <RowActions
              bar
              onDone={() => {}}
              actions={[
                {
                  key: 'make',
                  label: `生成${one ? one.bc_name : '全集团'}对账单`,
                  why: whyNot(isOver, data),
                  run: make,
                },
              ]}
            />
          )}
          <button className="button" onClick={() => window.print()}>
            打印
          </button>
          <LinkTo page="OrderUnits">返回公司订单</LinkTo>
        </span>
      </header>
      {!isOver && <p className="quiet">本月还没有结束，截至 {full(nowSeconds()).slice(0, 16)}。</p>}
      {data.made.length > 0 && (
        <p className="screen-only">
          这个月的往来所在的对账单：
          {data.made.map((s) => (
            <span key={s.id}>
              <LinkTo page="StatementList" query={{ id: s.id }}>
                {s.code}
              </LinkTo>
              （{s.bc_name}，{s.month}，整张应付 {grouped(s.due)}）{' '}
            </span>
          ))}
          {data.loose > 0 && <>还没有对账的（含以前月份）{grouped(data.rest)} 元。</>}
        </p>
      )}
      <OwedTable lines={data.lines} totals={data} />
      <Charges list={data.charges} onDone={again} />
      {charging && one && (
        <ChargeDrawer
          receiver={{ id: receiver, name: data.receiverName }}
          bc={{ id: one.bc_id, name: one.bc_name }}
          month={month}
          onClose={() => setCharging(false)}
          onDone={again}
        />
      )}
    </section>
  )
}
