import { useQuery } from '@tanstack/react-query'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import {
  deliveryMethod,
  orderAsk,
  type OrderDetail,
  orderEnd,
  orderSide,
  receiveState,
  rejectReason,
} from '@zhuguan/contract/features/orders/orders.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { type ReactNode, useState } from 'react'

import { recordBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { usePageName, useParam } from '../../kit/page.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { ago, full, lasting, nowSeconds } from '../../kit/time.ts'
import { useActor, useMayReach } from '../../parts/session.ts'
import { looseOf } from './looseOf.ts'
import { OrderLines } from './OrderLines.tsx'
import { OrderLog, OrderPapers } from './OrderPapers.tsx'
import { DueDay, ProgressOf, ReceiveOf, StandingOf } from './orderStates.tsx'
import { SiteName } from './SiteName.tsx'
import { type OpenedOrder, useOrderActions } from './useOrderActions.ts'
import { useOrdersAnew } from './useOrdersAnew.ts'

import '../../kit/plainTable.css'
import './orders.css'

const OrderDrawers = lazyPart(() => import('./OrderDrawers.tsx'))
const PrepareDrawer = lazyPart(() => import('./PrepareDrawer.tsx'))
const ANSWERS = ['agree', 'decline']
/** The button is of no use while the other side is asked already. */
const ASKS = ['withdraw', 'close']

/** Fetched when a link to the record is pressed. */
export const ahead = recordBy(ordersApi.details)

/** All of one order: whose turn it is, how far each line is, its papers and what happened. */
export default function OrderDetailPage() {
  const id = useParam('id') ?? ''
  const {
    data: order,
    error,
    refetch,
  } = useQuery({
    queryKey: [ordersApi.details.path, id],
    enabled: id !== '',
    queryFn: ({ signal }) => call(ordersApi.details, { query: { id } }, signal),
  })
  const [opened, setOpened] = useState<OpenedOrder | null>(null)
  const [preparing, setPreparing] = useState(false)
  const actionsOf = useOrderActions(setOpened)
  const mayPrepare = hasPermission(useActor(), 'dispatch:add')
  usePageName(order?.code)
  const again = useOrdersAnew()
  // A receiver is told no site: of theirs anything may be about this order.
  useLive(['order', 'dispatch', 'goods'], () => refetch(), {
    only: (e) => e.id === id || (order !== undefined && (e.site_id ?? '') === order.site_id),
  })
  if (!id) return <NoSubject what="订单" from="订单列表" />
  if (error) return <Failed error={error} again={again} />
  if (!order) return <div className="page-wait" aria-busy="true" />
  const actions = actionsOf(order).filter(
    (a) => !ANSWERS.includes(a.key) && (order.ask === orderAsk.code.none || !ASKS.includes(a.key)),
  )
  const stands = order.ended === orderEnd.code.live || order.orderState !== null
  return (
    <div className="order-page">
      <section className="card section">
        <header className="order-top">
          <h2>
            {order.code} <ReceiveOf of={order} /> {stands && <StandingOf of={order} />}
          </h2>
          <span className="order-tools screen-only">
            <RowActions bar actions={actions} onDone={again} shown={4} />
            {mayPrepare && looseOf(order).length > 0 && (
              <button className="button" onClick={() => setPreparing(true)}>
                新建发货单
              </button>
            )}
            <button className="button" onClick={() => window.print()}>
              打印
            </button>
          </span>
        </header>
        <Turn of={order} />
        <Head of={order} />
      </section>
      {order.ask !== orderAsk.code.none && (
        <Asked of={order}>
          <RowActions bar actions={actionsOf(order).filter((a) => ANSWERS.includes(a.key))} onDone={again} />
        </Asked>
      )}
      <OrderLines of={order} />
      <div className="two order-two">
        <OrderPapers of={order} />
        <OrderLog of={order} />
      </div>
      {preparing && <PrepareDrawer order={order} onClose={() => setPreparing(false)} onDone={again} />}
      {opened && <OrderDrawers {...opened} onClose={() => setOpened(null)} onDone={again} />}
    </div>
  )
}

/** The person who has the ball, and since when. */
function Turn({ of: o }: { of: OrderDetail }) {
  const isDone = o.lines > 0 && o.lines === o.linesAccepted
  if (o.ended !== orderEnd.code.live && !o.turn)
    return (
      <p className="order-turn over">{`订单${orderEnd.label(o.ended)}${o.reason ? `：${o.reason}` : ''}`}</p>
    )
  if (!o.turn) return isDone ? <p className="order-turn over">全部验收，没有要办的事。</p> : null
  const waits = o.receiveState === receiveState.code.waiting
  return (
    <p className={`order-turn${o.late ? ' is-late' : ''}`}>
      现在等 <b>{o.turn}</b>
      {o.turnSince !== null && (
        <span title={`从 ${full(o.turnSince)} 起`}>，已等 {lasting(nowSeconds() - o.turnSince)}</span>
      )}
      {waits && <span>，应在 {full(o.dueAt).slice(5, 16)} 前答复</span>}
      {o.urgedAt !== null && <span title={full(o.urgedAt)}>，{ago(o.urgedAt)}催过</span>}
    </p>
  )
}

/** The amount in force; the one that was placed stands beside it where that was more. */
const InForce = ({ of: o, amount }: { of: OrderDetail; amount: string }) => (
  <>
    {grouped(amount)} 元
    {o.placedAmount !== null && o.placedAmount !== amount && (
      <small className="quiet">（下单时 {grouped(o.placedAmount)} 元）</small>
    )}
  </>
)

/** Where it goes, as far as the reader is told. */
function placeOf({ address, buyer, community }: OrderDetail): string {
  if (!address) return buyer ? community : `${community}（接单以后显示详细地址）`
  return address.startsWith(community) ? address : `${community} ${address}`.trim()
}

function Head({ of: o }: { of: OrderDetail }) {
  const mayContract = useMayReach('ContractDetail')
  const isRejected = o.receiveState === receiveState.code.rejected
  const isLive = o.ended === orderEnd.code.live
  return (
    <Facts>
      <Fact name="下单方">{`${o.bc_name} ${o.madeBy}`}</Fact>
      <Fact name="接单方">{o.receiverName}</Fact>
      <Fact name="工地">
        <SiteName of={o} />
      </Fact>
      <Fact name="收货地址">{placeOf(o)}</Fact>
      <Fact name="联系人">{o.contact && `${o.contact} ${o.contactPhone}`}</Fact>
      <Fact name="交付方式">{deliveryMethod.label(o.method)}</Fact>
      <Fact name="期望到货">
        <DueDay day={o.expectedOn} late={o.late} />
      </Fact>
      <Fact name="下单时间">{full(o.madeAt)}</Fact>
      <Fact name="进度">
        <ProgressOf of={o} />
      </Fact>
      {o.amount !== null && (
        <Fact name="采购金额">
          <InForce of={o} amount={o.amount} />
        </Fact>
      )}
      {o.buyer && (
        <Fact name="合同">
          {mayContract ? (
            <LinkTo page="ContractDetail" query={{ id: o.contract_id }}>
              {o.contractCode}
            </LinkTo>
          ) : (
            o.contractCode
          )}
        </Fact>
      )}
      {o.batch && <Fact name="批次">{o.batch}</Fact>}
      {o.parent_id && (
        <Fact name="由此拆出">
          <LinkTo page="OrderDetail" query={{ id: o.parent_id }}>
            {o.parentCode}
          </LinkTo>
        </Fact>
      )}
      {o.children.length > 0 && (
        <Fact name="拆出订单">
          <span className="wrapping">
            {o.children.map((c) => (
              <LinkTo key={c.id} page="OrderDetail" query={{ id: c.id }}>
                {c.code}
              </LinkTo>
            ))}
          </span>
        </Fact>
      )}
      {o.remark && (
        <Fact name="备注" whole>
          {o.remark}
        </Fact>
      )}
      {isRejected && (
        <Fact name={isLive ? '拒单原因' : '原因'} whole>
          {[isLive && o.rejectCode && rejectReason.label(o.rejectCode), o.reason].filter(Boolean).join('：')}
        </Fact>
      )}
    </Facts>
  )
}

/** The requests of one side; the other answers here. */
function Asked({ of: o, children }: { of: OrderDetail; children: ReactNode }) {
  const side = o.askSide ? orderSide.label(o.askSide) : ''
  return (
    <section className="card section order-asked">
      <p>
        {side} <b>{o.askName}</b> 申请<b>{orderAsk.label(o.ask)}</b>
        {o.askAt !== null && `（${full(o.askAt)}）`}：{o.askReason}
      </p>
      <span className="screen-only">{children}</span>
    </section>
  )
}
