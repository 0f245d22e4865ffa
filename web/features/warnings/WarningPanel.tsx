import { useQuery } from '@tanstack/react-query'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { warningsApi } from '@zhuguan/contract/features/warnings/warnings.api.ts'
import {
  COUNTED,
  deviationWords,
  NOBODY_COUNTS,
  warningAct,
  warningBall,
  warningKind,
  warningLevel,
  type WarningRow,
  warningRule,
} from '@zhuguan/contract/features/warnings/warnings.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { Drawer } from 'antd'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { full, short } from '../../kit/time.ts'
import { LogLink } from '../../parts/LogLink.tsx'
import { useMayOpen } from '../../parts/session.ts'
import { actualOf, LevelOf, responsibleOf, StateOf } from './warningTable.tsx'

type Detail = DataOf<typeof warningsApi.details>

function Ledger({ lines, rule }: { lines: Detail['log']; rule: WarningRow['rule'] }) {
  return (
    <ol className="log">
      {lines.map((l, i) => (
        <li key={i}>
          <b>{warningAct.label(l.act)}</b>{' '}
          <small>
            {l.actor} · {short(l.at)} · {warningLevel.label(l.level)}，{deviationWords(rule, l.deviation)}
          </small>
          {l.text && <p>{l.text}</p>}
        </li>
      ))}
    </ol>
  )
}

/** The records behind the warning: the correction that it points to, the orders that block it, the question. */
function Behind({ row: w, orders }: { row: WarningRow; orders: Detail['orders'] }) {
  const mayCorrect = useMayOpen('Correction')
  const mayOrder = useMayOpen('OrderDetail')
  const mayOwner = useMayOpen('OwnerInfo')
  const isGoods = w.ball === warningBall.code.goods
  return (
    <>
      {w.correction_id && (
        <Fact name="整改单">
          {mayCorrect ? (
            <LinkTo page="Correction" query={{ id: w.correction_id }}>
              打开整改单
            </LinkTo>
          ) : (
            '有'
          )}
        </Fact>
      )}
      {w.ballAbout && <Fact name="在等">{w.ballAbout}</Fact>}
      {isGoods && orders.length > 0 && (
        <Fact name="订单">
          {orders.map((o) =>
            mayOrder ? (
              <LinkTo key={o.id} page="OrderDetail" query={{ id: o.id }}>
                {o.code}
              </LinkTo>
            ) : (
              <span key={o.id}>{o.code} </span>
            ),
          )}
        </Fact>
      )}
      {w.ball === warningBall.code.owner && mayOwner && (
        <Fact name="业主">
          <LinkTo page="OwnerInfo" query={{ site_id: w.site_id }}>
            看待业主决定的问题
          </LinkTo>
        </Fact>
      )}
    </>
  )
}

/** One warning with what it is made of and everything that became of it. */
export default function WarningPanel({
  row: w,
  actions,
  onDone,
  onClose,
}: {
  row: WarningRow
  actions: RowAction[]
  onDone: () => void
  onClose: () => void
}) {
  const { data, error, refetch } = useQuery({
    queryKey: [warningsApi.details.path, w.id, w.version],
    queryFn: ({ signal }) => call(warningsApi.details, { query: { id: w.id } }, signal),
  })
  return (
    <Drawer
      open
      title={`${w.siteName}：${warningRule.label(w.rule)}`}
      size="min(640px, 100vw)"
      mask={false}
      onClose={onClose}
      footer={actions.length > 0 && <RowActions bar actions={actions} onDone={onDone} />}
    >
      <Facts className="warning-facts">
        <Fact name="状态">
          <StateOf row={w} />
        </Fact>
        <Fact name="等级">
          <LevelOf row={w} />
        </Fact>
        <Fact name="偏差">{deviationWords(w.rule, w.deviation)}</Fact>
        {w.baselineDeviation !== null && !COUNTED.includes(w.rule) && (
          <Fact name="比首次计划">{deviationWords(w.rule, w.baselineDeviation)}</Fact>
        )}
        <Fact name="类型">{warningKind.label(w.kind)}</Fact>
        {w.stage && <Fact name="阶段">{siteStage.label(w.stage)}</Fact>}
        {w.about && <Fact name="内容">{w.about}</Fact>}
        {w.planned && <Fact name="计划">{w.planned}</Fact>}
        {w.stage && <Fact name="实际">{actualOf(w)}</Fact>}
        <Fact name="轮到">{responsibleOf(w)}</Fact>
        {w.takenBy && <Fact name="处理人">{`${w.takenBy}，到 ${w.until}`}</Fact>}
        <Fact name="产生时间">{full(w.openedAt)}</Fact>
        {w.closedAt && <Fact name="关闭时间">{full(w.closedAt)}</Fact>}
        <Fact name="工地">
          <LinkTo page="SiteInfo" query={{ id: w.site_id }}>
            {w.siteName}
          </LinkTo>
        </Fact>
        <Fact name="分公司">{w.bc_name}</Fact>
        <Behind row={w} orders={data?.orders ?? []} />
      </Facts>
      {w.rule === warningRule.code.nobody && <p className="quiet">{NOBODY_COUNTS}</p>}
      <h3>
        预警记录 <LogLink object="warning" id={w.id} />
      </h3>
      {error && <Failed error={error} again={() => void refetch()} />}
      {data && <Ledger lines={data.log} rule={w.rule} />}
    </Drawer>
  )
}
