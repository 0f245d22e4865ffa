import { tellRefusal } from '@zhuguan/contract/features/no-work/no-work.actions.ts'
import { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import { noWorkColumns } from '@zhuguan/contract/features/no-work/no-work.columns.ts'
import {
  likelyCause,
  NO_REASON,
  type NoWorkRow,
  stopBall,
  stopReason,
} from '@zhuguan/contract/features/no-work/no-work.record.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { noWork } from '@zhuguan/contract/features/sites/sites.record.ts'
import { NOBODY_COUNTS } from '@zhuguan/contract/features/warnings/warnings.record.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo, hrefOf } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLive } from '../../kit/live.ts'
import { type RowAction } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { ago, full, nowSeconds, short } from '../../kit/time.ts'
import { useGranted } from '../../parts/granted.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, PersonFilter } from '../../parts/places.tsx'
import { useMayReach } from '../../parts/session.ts'

const ReasonDrawer = lazyPart(() => import('./ReasonDrawer.tsx'))
const BAD_DAYS = 3
/** Goods that are not there, with the orders that bring them: the one that was named first. */
function Missing({ of: s }: { of: NoWorkRow }) {
  const [mayOrder, plan] = [useMayReach('OrderDetail'), useMayReach('OrderPlan')]
  const orders = [...(s.order ? [s.order] : []), ...s.missingOrders.filter((o) => o.id !== s.order?.id)]
  if (!s.missing && orders.length === 0) return '--'
  const toOrder = s.missing.includes(orderState.label(orderState.code.toOrder))
  // The links first: a long list of goods is cut at its end.
  return (
    <span title={s.missing}>
      {mayOrder
        ? orders.map((o) => (
            <LinkTo key={o.id} page="OrderDetail" query={{ id: o.id }}>
              {o.code}{' '}
            </LinkTo>
          ))
        : s.order && `${s.order.code} `}
      {plan && toOrder && (
        <LinkTo page="OrderPlan" query={{ site_id: s.id }}>
          去下单{' '}
        </LinkTo>
      )}
      {s.missing}
    </span>
  )
}
/** The owner's open questions, and the place to ask them. */
function Undecided({ of: s }: { of: NoWorkRow }) {
  const owner = useMayReach('OwnerInfo')
  if (!s.undecided) return '--'
  return owner ? (
    <LinkTo page="OwnerInfo" query={{ site_id: s.id }} title={s.undecided}>
      {s.undecided}
    </LinkTo>
  ) : (
    <span title={s.undecided}>{s.undecided}</span>
  )
}
/** What the data say, and the way to what they are read from. */
function Likely({ of: s }: { of: NoWorkRow }) {
  const [devices, crew, calendar] = [
    useMayReach('DeviceList'),
    useMayReach('WorkerList'),
    useMayReach('SetSelf'),
  ]
  const label = likelyCause.label(s.likely)
  const { blind, nobody, rest } = likelyCause.code
  if (s.likely === blind && devices)
    return (
      <LinkTo page="DeviceList" query={{ site_id: s.id, deviceStatus: '2,4' }}>
        {label}
      </LinkTo>
    )
  if (s.likely === nobody && crew)
    return (
      <LinkTo page="WorkerList" query={{ site_id: s.id }}>
        {label}
      </LinkTo>
    )
  if (s.likely !== rest) return label
  const back = s.backOn && `，${s.backOn.slice(5)} 复工`
  return (
    <>
      {calendar ? (
        <LinkTo page="SetSelf" query={{ bcId: s.bc_id }}>
          {label}
        </LinkTo>
      ) : (
        label
      )}
      {back}
    </>
  )
}
function Reason({ of: s }: { of: NoWorkRow }) {
  if (s.reason)
    return (
      <span title={`${s.reasonBy} ${full(s.reasonAt)} 登记`}>
        {stopReason.label(s.reason)}
        {s.until && <small className="quiet"> 到 {s.until.slice(5)}</small>}
      </span>
    )
  const lapsed = s.lapsed && `上次登记的“${stopReason.label(s.lapsed)}”已失效（到 ${s.until}）。`
  return (
    <span className="quiet" title={`${lapsed ?? ''}没有登记原因，根据现场数据推断`}>
      {s.likely !== likelyCause.code.rest && '可能：'}
      <Likely of={s} />
    </span>
  )
}
const columns = columnsOf<typeof noWorkApi.list>()(noWorkColumns, {
  codes: (s) => (
    <State tone={s.noWorkRun > BAD_DAYS ? 'bad' : 'wait'}>{s.noWork.map(noWork.label).join('、')}</State>
  ),
  // Somebody was there lately: what is counted is the sum.
  run: (s) => (s.noWorkRun > 0 ? s.noWorkRun : <small className="quiet">累计 {s.noWorkSum}</small>),
  since: (s) => (s.since ? <span title={full(s.since)}>{ago(s.since)}</span> : '--'),
  last: (s) =>
    s.lastAt ? (
      <LinkTo page="SiteInfo" query={{ id: s.id, kinds: 'clockin' }} title={full(s.lastAt)}>
        {short(s.lastAt)}
      </LinkTo>
    ) : (
      '从未打卡'
    ),
  reason: (s) => <Reason of={s} />,
  missing: (s) => <Missing of={s} />,
  undecided: (s) => <Undecided of={s} />,
  manager: (s) => (
    <>
      {s.managerName || '--'}
      {s.toldAt && <small title={full(s.toldAt)}> {ago(s.toldAt)}已通知</small>}
    </>
  ),
}).map((column) => (column.key === 'reason' ? { ...column, card: 'line' as const } : column))

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(noWorkApi.list)

export default function NoWorkPage() {
  const list = useList(noWorkApi.list)
  const granted = useGranted()
  const [asked, setAsked] = useState<NoWorkRow | null>(null)
  const refresh = () => void list.refresh()
  useLive(['site', 'attendance', 'question', 'order', 'goods'], () => list.refresh())
  const actionsOf = (site: NoWorkRow): RowAction[] =>
    granted([
      { needs: 'nowork:reason', key: 'reason', label: '登记原因', open: () => setAsked(site) },
      {
        needs: 'nowork:tell',
        key: 'tell',
        label: '通知经理',
        why: tellRefusal(site, nowSeconds()),
        confirm: `将给项目经理 ${site.managerName} 发送站内通知：“${site.ws_name} 已 ${site.noWorkRun} 天无人施工，请说明原因”。工地的时间线上会记下这次通知。`,
        run: () => call(noWorkApi.tell, { body: { id: site.id, version: site.version } }),
      },
    ])
  return (
    <>
      <ListPage
        name="停工工地"
        list={list}
        columns={columns}
        linkTo={(s) => hrefOf('SiteInfo', { id: s.id })}
        empty="没有停工的工地，在建工地都有人施工。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="编号、名称、业主、首字母" />
            <BranchFilter list={list} />
            <CodeFilter
              list={list}
              field="noWork"
              label="停工类型"
              options={noWork.options}
              hint={NOBODY_COUNTS}
            />
            <CodeFilter list={list} field="ball" label="球在谁手里" options={stopBall.options} />
            <PersonFilter list={list} field="manager_id" label="项目经理" post={2} />
            <CodeFilter
              list={list}
              field="reason"
              label="原因"
              options={[{ value: NO_REASON, label: '还没有登记' }, ...stopReason.options]}
            />
            <GivenFilter
              list={list}
              field="missed"
              label="今天该有人没人"
              value={(v) => (v === 'true' ? '是' : '否')}
            />
            <GivenFilter list={list} field="batch" label="等同一批订单" value={(batch) => batch} />
          </>
        }
        actions={<ListExport list={list} endpoint={noWorkApi.export} name="停工预警" />}
        actionsOf={actionsOf}
      />
      {asked && <ReasonDrawer site={asked} onClose={() => setAsked(null)} onDone={refresh} />}
    </>
  )
}
