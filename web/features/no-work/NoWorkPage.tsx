import { tellRefusal } from '@zhuguan/contract/features/no-work/no-work.actions.ts'
import { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import { noWorkColumns } from '@zhuguan/contract/features/no-work/no-work.columns.ts'
import {
  BALL,
  likelyCause,
  NO_REASON,
  type NoWorkRow,
  stopReason,
} from '@zhuguan/contract/features/no-work/no-work.record.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { noWork } from '@zhuguan/contract/features/sites/sites.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo, hrefOf } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
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
/** Goods of the stage that are not there, with the orders that bring them. */
function Missing({ of: s }: { of: NoWorkRow }) {
  const [orders, plan] = [useMayReach('OrderDetail'), useMayReach('OrderPlan')]
  if (!s.missing) return '--'
  const toOrder = s.missing.includes(orderState.label(orderState.code.toOrder))
  // The links first: a long list of goods is cut at its end.
  return (
    <span title={s.missing}>
      {orders &&
        s.missingOrders.map((o) => (
          <LinkTo key={o.id} page="OrderDetail" query={{ id: o.id }}>
            {o.code}{' '}
          </LinkTo>
        ))}
      {plan && toOrder && (
        <LinkTo page="OrderPlan" query={{ site_id: s.id }}>
          去下单{' '}
        </LinkTo>
      )}
      {s.missing}
    </span>
  )
}
/** What the owner has not decided, and where they are asked. */
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
const columns = columnsOf<typeof noWorkApi.list>()(noWorkColumns, {
  codes: (s) => (
    <State tone={s.noWorkRun > BAD_DAYS ? 'bad' : 'wait'}>{s.noWork.map(noWork.label).join('、')}</State>
  ),
  last: (s) =>
    s.lastAt ? (
      <LinkTo page="SiteInfo" query={{ id: s.id, kinds: 'clockin' }} title={full(s.lastAt)}>
        {short(s.lastAt)}
      </LinkTo>
    ) : (
      '从未打卡'
    ),
  reason: (s) =>
    s.reason ? (
      <span title={`${s.reasonBy} ${full(s.reasonAt)}`}>{stopReason.label(s.reason)}</span>
    ) : (
      <span className="quiet" title={`根据现场数据推断，下一步：${BALL[s.likely]}`}>
        可能：{likelyCause.label(s.likely)}
      </span>
    ),
  missing: (s) => <Missing of={s} />,
  undecided: (s) => <Undecided of={s} />,
  ball: (s) => (s.reason ? '项目经理' : BALL[s.likely]),
  manager: (s) => (
    <>
      {s.managerName || '--'}
      {s.toldAt && <small title={full(s.toldAt)}> {ago(s.toldAt)}已通知</small>}
    </>
  ),
})

export default function NoWorkPage() {
  const list = useList(noWorkApi.list)
  const granted = useGranted()
  const [asked, setAsked] = useState<NoWorkRow | null>(null)
  const refresh = () => void list.refresh()
  useLive(['site', 'attendance', 'question'], () => list.refresh())
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
            <KeywordFilter list={list} placeholder="编号、名称、地址" />
            <BranchFilter list={list} />
            <CodeFilter list={list} field="noWork" label="停工类型" options={noWork.options} />
            <PersonFilter list={list} field="manager_id" label="项目经理" post={2} />
            <CodeFilter
              list={list}
              field="reason"
              label="原因"
              options={[{ value: NO_REASON, label: '还没有登记' }, ...stopReason.options]}
            />
          </>
        }
        actions={<ListExport list={list} endpoint={noWorkApi.export} name="停工预警" />}
        actionsOf={actionsOf}
      />
      {asked && <ReasonDrawer site={asked} onClose={() => setAsked(null)} onDone={refresh} />}
    </>
  )
}
