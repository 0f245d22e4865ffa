import { useQuery } from '@tanstack/react-query'
import { logisticsProgress, logisticsType } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import {
  type GoodsChangeDetail,
  type GoodsChangeRow,
  goodsAnswer,
  goodsChangeState,
  goodsGrade,
} from '@zhuguan/contract/features/goods/goods.record.ts'
import { Drawer } from 'antd'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { QueueSteps } from '../../kit/list/QueueSteps.tsx'
import type { Queue } from '../../kit/list/useQueue.ts'
import { useLive } from '../../kit/live.ts'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { full, short } from '../../kit/time.ts'
import { OrderLink } from '../../parts/documentLinks.tsx'
import { BothSides, Handover, whatOf } from '../../parts/goodsEvidence.tsx'
import { LogLink } from '../../parts/LogLink.tsx'
import { useMayReach } from '../../parts/session.ts'
import { ChangeState, DueOf, ExamineOf } from './goodsStates.tsx'
import { type OpenedChange, type Step, useStepActions } from './useGoodsActions.ts'

import './goods.css'

/** One change of goods: what both sides say, how it was handed over, and how far it has come. */
export default function ChangePanel({
  id,
  queue,
  row,
  actionsOf,
  onAsk,
  onDone,
  onClose,
}: {
  id: string
  queue: Queue
  /** As the list has it, until the change has been read. */
  row: GoodsChangeRow | undefined
  actionsOf: (g: GoodsChangeRow) => RowAction[]
  onAsk: (o: OpenedChange) => void
  onDone: () => void
  onClose: () => void
}) {
  const { data, error, refetch } = useQuery({
    queryKey: [goodsApi.details.path, id],
    queryFn: ({ signal }) => call(goodsApi.details, { query: { id } }, signal),
  })
  useLive(['goods', 'dispatch'], () => refetch())
  const g = data ?? row
  const actions = g ? actionsOf(g) : []
  return (
    <Drawer
      open
      title={g ? `${whatOf(g)} ${g.code}` : '退换补货'}
      size="min(880px, 100vw)"
      rootClassName="change-panel"
      extra={<QueueSteps queue={queue} />}
      onClose={onClose}
      mask={false}
      footer={actions.length > 0 && <RowActions bar key={id} actions={actions} onDone={onDone} />}
    >
      {error && <Failed error={error} again={() => void refetch()} />}
      {g && !error && (
        <div className="change-body">
          <p className="change-now">
            <ChangeState of={g} /> <ExamineOf of={g} /> <DueOf of={g} />
            {g.round > 1 && <b className="late">第 {g.round} 次退换补</b>}
            {g.late && <span className="quiet">验收以后提出</span>}
          </p>
          {g.toReduce && g.state === goodsChangeState.code.open && (
            <p className="change-reduce" role="note">
              货已退回，等合同减项：在合同变更里减去 {g.quantity} {g.unit}，审核通过后这张单才完成。
            </p>
          )}
          {data && (
            <>
              <Track of={data} />
              <BothSides of={data} />
              <Handover of={data} />
              <Steps of={data} onAsk={onAsk} onDone={onDone} />
            </>
          )}
          {!data && <div className="page-wait" aria-busy="true" />}
          <FactsOf of={g} rounds={data?.rounds ?? []} />
        </div>
      )}
    </Drawer>
  )
}

interface Stop {
  name: string
  words: string
  done: boolean
}
/** The places where it has been, and those still before it. */
function stopsOf(g: GoodsChangeDetail): Stop[] {
  const isOver = g.state !== goodsChangeState.code.open
  return [
    { name: '申请', words: `${g.madeBy} ${short(g.madeAt)}`, done: true },
    {
      name: '商家答复',
      words: g.answer === '' ? '等待答复' : `${goodsAnswer.label(g.answer)} ${short(g.answerAt)}`,
      done: g.answer !== '',
    },
    {
      name: '审核',
      words: examineState.label(g.examineState),
      done: g.examineState !== examineState.code.waiting,
    },
    ...g.steps.map((s) => ({
      name: logisticsType.label(s.type),
      words: logisticsProgress.label(s.progress),
      done: s.progress === logisticsProgress.code.checked,
    })),
    { name: '结束', words: isOver ? goodsChangeState.label(g.state) : '', done: isOver },
  ]
}
const Track = ({ of: g }: { of: GoodsChangeDetail }) => (
  <ol className="change-track" aria-label="进度">
    {stopsOf(g).map((stop, i) => (
      <li key={`${i} ${stop.name}`} className={stop.done ? 'done' : undefined}>
        <b>
          <span aria-hidden="true">{stop.done ? '✓' : '○'}</span> {stop.name}
        </b>
        <small>{stop.words}</small>
      </li>
    ))}
  </ol>
)

function Steps({
  of: g,
  onAsk,
  onDone,
}: {
  of: GoodsChangeDetail
  onAsk: (o: OpenedChange) => void
  onDone: () => void
}) {
  const actionsOf = useStepActions(onAsk)
  const mayNotes = useMayReach('DispatchList')
  if (g.steps.length === 0) return null
  return (
    <ul className="change-steps">
      {g.steps.map((s) => (
        <li key={s.id}>
          <span>
            <b>{logisticsType.label(s.type)}</b> {logisticsProgress.label(s.progress)} <small>{s.code}</small>{' '}
            {s.noteCode &&
              (mayNotes ? (
                <LinkTo page="DispatchList" query={{ keyword: s.noteCode }}>
                  {s.noteCode}
                </LinkTo>
              ) : (
                s.noteCode
              ))}
            <Graded of={s} />
          </span>
          <RowActions bar actions={actionsOf(g, s)} onDone={onDone} />
        </li>
      ))}
    </ul>
  )
}
const Graded = ({ of: s }: { of: Step }) =>
  s.grade !== goodsGrade.code.none && (
    <p>
      验货：{goodsGrade.label(s.grade)}
      {s.gradeReason && `，${s.gradeReason}`}
      {s.disputed && <span className="late">；下单方有异议：{s.disputed}</span>}
    </p>
  )

function FactsOf({ of: g, rounds }: { of: GoodsChangeRow; rounds: GoodsChangeDetail['rounds'] }) {
  const maySite = useMayReach('SiteInfo')
  const maySheet = useMayReach('AcceptanceList')
  return (
    <>
      <Facts>
        <Fact name="商品">{`${g.name} ${g.quantity} ${g.unit}`}</Fact>
        <Fact name="商家">{g.receiverName}</Fact>
        <Fact name="工地">
          {maySite && g.site_id ? (
            <LinkTo page="SiteInfo" query={{ id: g.site_id }}>
              {g.ws_name}
            </LinkTo>
          ) : (
            g.ws_name
          )}
        </Fact>
        <Fact name="订单">
          <OrderLink id={g.order_id} code={g.orderCode} />
        </Fact>
        <Fact name="验收单">
          {maySheet && g.buyer ? (
            <LinkTo page="AcceptanceList" query={{ id: g.note_id }}>
              发货单 {g.noteCode}
            </LinkTo>
          ) : (
            `发货单 ${g.noteCode}`
          )}
        </Fact>
        <Fact name="申请时间">{full(g.madeAt)}</Fact>
        {rounds.length > 1 && (
          <Fact name="各次" whole>
            {rounds.map((r) =>
              r.id === g.id ? (
                <b key={r.id}>第 {r.round} 次（这一张） </b>
              ) : (
                <LinkTo key={r.id} page="ChangeGoods" query={{ open: r.id }}>
                  第 {r.round} 次 {r.code}{' '}
                </LinkTo>
              ),
            )}
          </Fact>
        )}
      </Facts>
      <p>
        <LogLink object="goods" id={g.id} />
      </p>
    </>
  )
}
