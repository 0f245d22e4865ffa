import { useQuery } from '@tanstack/react-query'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import {
  type ExamineDetail,
  examineKind,
  type ExamineRow,
  examineState,
} from '@zhuguan/contract/features/examine/examine.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { Drawer } from 'antd'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { QueueSteps } from '../../kit/list/QueueSteps.tsx'
import type { Queue } from '../../kit/list/useQueue.ts'
import { useLive } from '../../kit/live.ts'
import { usePage } from '../../kit/page.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { full, short } from '../../kit/time.ts'
import { LogLink } from '../../parts/LogLink.tsx'
import { useMayOpen, useMayReach } from '../../parts/session.ts'
import { StateOf, WaitOf } from './ExamineStates.tsx'

import '../../kit/plainTable.css'
import './examine.css'

const ContractConcerned = lazyPart(() => import('./ContractConcerned.tsx'))
const GoodsConcerned = lazyPart(() => import('./GoodsConcerned.tsx'))
const QuotationDifference = lazyPart(() => import('./QuotationDifference.tsx'))

/** One request: what was submitted, by whom, what it changes, and how it went before. */
export default function ExaminePanel({
  id,
  queue,
  row,
  actionsOf,
  onDone,
  onClose,
}: {
  id: string
  queue: Queue
  /** As the list has it, until the request has been read. */
  row: ExamineRow | undefined
  actionsOf: (r: ExamineRow, barred?: string) => RowAction[]
  onDone: () => void
  onClose: () => void
}) {
  const { data, error, refetch } = useQuery({
    queryKey: [examineApi.details.path, id],
    queryFn: ({ signal }) => call(examineApi.details, { query: { id } }, signal),
  })
  useLive(['examine'], () => refetch(), { only: (e) => e.id === id })
  const r = data ?? row
  const actions = data ? actionsOf(data, data.barred) : []
  return (
    <Drawer
      open
      title={r ? `${examineKind.label(r.kind)} ${r.number}` : '审核'}
      size="min(880px, 100vw)"
      extra={<QueueSteps queue={queue} />}
      onClose={onClose}
      mask={false}
      footer={actions.length > 0 && <RowActions bar key={id} actions={actions} onDone={onDone} />}
    >
      {error && <Failed error={error} again={() => void refetch()} />}
      {r && !error && (
        <>
          <p className="examine-now">
            <StateOf of={r} />
            <span className="quiet">
              {r.judgedAt === null ? '已等待 ' : '用时 '}
              <WaitOf of={r} />
            </span>
            {r.amount !== null && <b>{grouped(r.amount)} 元</b>}
          </p>
          <FactsOf request={r} />
          <h3>
            {r.round === 1 ? '提交的内容' : '与上次提交相比'} <LogLink object="examine" id={r.id} />
          </h3>
          {data ? (
            <ContentOf key={id} request={data} />
          ) : (
            <p aria-busy="true" className="quiet">
              正在读取…
            </p>
          )}
          {data && data.earlier.length > 0 && <Earlier of={data} />}
        </>
      )}
    </Drawer>
  )
}

const InWords = ({ request: r }: { request: ExamineDetail }) => (
  <p className="examine-change">{r.change || r.summary}</p>
)
/** What was submitted, where it is a document with a bridge and the caller may read it. */
function ContentOf({ request }: { request: ExamineDetail }) {
  const mayRead = useMayOpen('QuotationList')
  const mayReadContracts = useMayOpen('ContractList')
  const mayReadGoods = useMayReach('ChangeGoods')
  if (request.kind === examineKind.code.quotation)
    return mayRead ? <QuotationDifference request={request} /> : <InWords request={request} />
  if (request.kind === examineKind.code.goods)
    return mayReadGoods ? <GoodsConcerned request={request} /> : <InWords request={request} />
  return (
    <>
      {(request.change || !mayReadContracts) && <InWords request={request} />}
      {mayReadContracts && <ContractConcerned request={request} />}
    </>
  )
}

function FactsOf({ request: r }: { request: ExamineRow }) {
  const { oneBranch } = usePage()
  return (
    <Facts>
      <Fact name="摘要" whole>
        {r.summary}
      </Fact>
      <Fact name="提交人">{r.submitter}</Fact>
      <Fact name="提交时间">{full(r.submittedAt)}</Fact>
      {!oneBranch && <Fact name="分公司">{r.bc_name}</Fact>}
      <Fact name="第几次提交">第 {r.round} 次</Fact>
      {r.judgedAt !== null && (
        <>
          <Fact name="审核人">{r.judge}</Fact>
          <Fact name="审核时间">{full(r.judgedAt)}</Fact>
          <Fact name="意见" whole>
            {r.reason}
          </Fact>
        </>
      )}
    </Facts>
  )
}

const outcomeOf = (e: ExamineDetail['earlier'][number]): string =>
  e.withdrawn ? '提交人撤回' : examineState.label(e.examineState)
function Earlier({ of }: { of: ExamineDetail }) {
  const isSeen = of.earlier.some((e) => e.seenAt !== null)
  return (
    <>
      <h3>之前的提交</h3>
      <table className="plain-table">
        <thead>
          <tr>
            <th>次数</th>
            <th>提交</th>
            <th className="right">金额</th>
            <th>结果</th>
            <th>意见</th>
            {isSeen && <th>我看过</th>}
          </tr>
        </thead>
        <tbody>
          {of.earlier.map((e) => (
            <tr key={e.id}>
              <td>第 {e.round} 次</td>
              <td>
                {e.submitter} {short(e.submittedAt)}
              </td>
              <td className="right">{e.amount === null ? '--' : grouped(e.amount)}</td>
              <td>
                {outcomeOf(e)} {e.judge}
              </td>
              <td>{e.reason || '--'}</td>
              {isSeen && <td>{e.seenAt === null ? '没有' : short(e.seenAt)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
