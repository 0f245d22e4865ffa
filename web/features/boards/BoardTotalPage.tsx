import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  boardMeasure,
  boardSpan,
  boardStep,
  type BoardTotal,
} from '@zhuguan/contract/features/boards/board-total.record.ts'
import { boardsApi } from '@zhuguan/contract/features/boards/boards.api.ts'
import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'

import { callAddressed } from '../../kit/api.ts'
import { Away } from '../../kit/Away.tsx'
import { fullScreen } from '../../kit/fullScreen.ts'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useFilters } from '../../kit/list/useFilters.ts'
import { clock, dayStart } from '../../kit/time.ts'
import { useKeys } from '../../kit/useKeys.ts'
import { useMayOpen } from '../../parts/session.ts'

import '../../kit/board.css'
import './boardTotal.css'

const REFRESH_MS = 300_000
const MOST_BACK = 24
const DAY = 86_400
type Branch = BoardTotal['branches'][number]
type Step = BoardTotal['steps'][number]
/** Contracts that were signed and not taken back, over or not; the list alone shows what goes on. */
const SIGNED = contractState.values.filter((state) => state !== contractState.code.void)
const UNIT = { leads: '位', deposit: '份', signed: '份', started: '套', finished: '套' } as const
const WEEK_UNIT = { ...UNIT, alarms: '条' } as const

/** Leads to finished homes on one board: what is unusual first, then the way, the material and the branches. */
export default function BoardTotalPage() {
  const place = useFilters<typeof boardsApi.total>()
  const { filters } = place.address
  const span = boardSpan.values.find((s) => s === filters.span) ?? boardSpan.code.month
  const back = Number(filters.back ?? 0) || 0
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [boardsApi.total.path, filters],
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(boardsApi.total, filters, signal),
  })
  const go = (to: number) => place.filter(['back', to > 0 ? String(Math.min(MOST_BACK, to)) : undefined])
  const choose = (to: string) => place.filter(['span', to], ['back', undefined])
  useKeys({
    ArrowLeft: () => go(back + 1),
    ArrowRight: () => go(back - 1),
    1: () => choose('month'),
    2: () => choose('quarter'),
    3: () => choose('year'),
    Escape: () => place.filter(['bc_id', undefined]),
    f: fullScreen,
  })
  if (error && !data) return <Failed error={error} again={() => void refetch()} />
  if (!data) return <div className="board board-total" data-theme="dark" aria-busy="true" />
  const named = data.branches.find((b) => b.bc_id === filters.bc_id)
  return (
    <div className="board board-total" data-theme="dark" aria-busy={isFetching}>
      <header>
        <h1>总看板</h1>
        <span className="board-switch" role="group" aria-label="时间">
          {boardSpan.options.map((o) => (
            <button key={o.value} aria-pressed={o.value === span} onClick={() => choose(o.value)}>
              {o.label}
            </button>
          ))}
        </span>
        <span className="board-switch">
          <button aria-label="往前" disabled={back >= MOST_BACK} onClick={() => go(back + 1)}>
            ‹
          </button>
          <span>
            {data.from} 至 {data.to}
            {data.running && '（进行中）'}
          </span>
          <button aria-label="往后" disabled={back === 0} onClick={() => go(back - 1)}>
            ›
          </button>
        </span>
        {named && <button onClick={() => place.filter(['bc_id', undefined])}>{named.bc_name} ×</button>}
        <time>{clock(data.at)} 的数据</time>
        <button onClick={fullScreen} title="全屏（F）；← → 换时间，1 月 2 季 3 年">
          全屏
        </button>
      </header>
      <Said board={data} />
      <Way board={data} bc={filters.bc_id} />
      <div className="board-row">
        <Flow board={data} bc={filters.bc_id} />
        <Branches
          branches={data.branches}
          chosen={filters.bc_id}
          onChoose={(id) => place.filter(['bc_id', id === filters.bc_id ? undefined : id])}
        />
      </div>
    </div>
  )
}

/** The lists that count the same, where one may open them. */
function useLists() {
  const [customers, contracts, sites, alarms] = [
    useMayOpen('CustomerList'),
    useMayOpen('ContractList'),
    useMayOpen('SiteList'),
    useMayOpen('AlarmEvent'),
  ]
  return (measure: string, from: string, to: string, bc: string | undefined): string | undefined => {
    if (measure === 'leads' && customers)
      return hrefOf('CustomerList', { enteredFrom: from, enteredTo: to, bc_id: bc })
    if (measure === 'signed' && contracts)
      return hrefOf('ContractList', { signedFrom: from, signedTo: to, state: SIGNED, bc_id: bc })
    if (measure === 'started' && sites) return hrefOf('SiteList', { startFrom: from, startTo: to, bc_id: bc })
    if (measure === 'alarms' && alarms)
      return hrefOf('AlarmEvent', { from: dayStart(from), to: dayStart(to) + DAY, bc_id: bc })
    return undefined
  }
}

/** The unusual in sentences; a quiet week says so. */
function Said({ board: b }: { board: BoardTotal }) {
  const listOf = useLists()
  const week = `${b.weekFrom.slice(5)} 至 ${b.weekTo.slice(5)}`
  return (
    <section className="board-said" aria-label="和前八周相比">
      {b.said.length === 0 && <p>{week} 和各分公司自己的前八周相比，没有明显的变化。</p>}
      {b.said.map((s) => (
        <p key={`${s.bc_id}${s.measure}`}>
          <b>{s.bc_name}</b> {week} {boardMeasure.label(s.measure)}{' '}
          <Away href={listOf(s.measure, b.weekFrom, b.weekTo, s.bc_id)}>
            <b className={s.n > s.middle ? 'more' : 'less'}>
              {s.n} {WEEK_UNIT[s.measure]}
            </b>
          </Away>
          ，前八周每周 {s.least}–{s.most}（中位 {s.middle}）
          {s.mostlyN * 2 > s.n && `；其中${s.mostly} ${s.mostlyN}`}
        </p>
      ))}
    </section>
  )
}

/** The steps as they happened in the span, each beside as many days of the one before. */
function Way({ board: b, bc }: { board: BoardTotal; bc: string | undefined }) {
  const listOf = useLists()
  const most = Math.max(1, ...b.steps.map((s) => s.n))
  return (
    <section className="board-way" aria-label="从线索到完工">
      {b.steps.map((s) => (
        <div key={s.step} className="board-panel board-step">
          <h2>{boardStep.label(s.step)}</h2>
          <p>
            <Away href={s.n > 0 ? listOf(s.step, b.from, b.to, bc) : undefined}>
              <b>{s.n}</b>
            </Away>{' '}
            <small>{UNIT[s.step]}</small>
          </p>
          <progress aria-hidden="true" max={most} value={s.n} />
          <small>{against(s, b)}</small>
          {s.days !== null && (
            <small title="从上一步到这一步，一半的不超过这么多天">中位用时 {s.days} 天</small>
          )}
          {s.step === 'signed' && b.money !== null && <small>{grouped(b.money)} 元</small>}
        </div>
      ))}
    </section>
  )
}
const against = (s: Step, b: BoardTotal): string => {
  // Of another year its year is said, too.
  const year = b.beforeFrom.slice(0, 4) === b.from.slice(0, 4) ? '' : `${b.beforeFrom.slice(0, 4)} 年 `
  const before = `${year}${b.beforeFrom.slice(5)} 至 ${b.beforeTo.slice(5)}`
  return s.n === s.before ? `与 ${before} 持平` : `${before}：${s.before}`
}

function Flow({ board: b, bc }: { board: BoardTotal; bc: string | undefined }) {
  const may = useMayOpen('DeliveryBoard')
  if (!b.flow) return null
  const late = b.branches.reduce((n, x) => n + (x.late ?? 0), 0)
  const most = Math.max(1, ...b.flow.map((f) => f.n))
  return (
    <section className="board-panel">
      <h2>
        材料（件） <small>现在；应到未到 {late}</small>
      </h2>
      <table>
        <tbody>
          {b.flow.map((f) => (
            <tr key={f.state}>
              <th scope="row">{orderState.label(f.state)}</th>
              <td>
                <Away href={may && !bc ? hrefOf('DeliveryBoard') : undefined}>{f.n}</Away>
              </td>
              <td className="bar">
                <progress aria-hidden="true" max={most} value={f.n} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const said = (n: number | null) => n ?? '--'
const perSite = (n: number | null, b: Branch) =>
  n === null || !b.building ? '--' : (n / b.building).toFixed(1)
/** The events of the span, and how the sites stand now, per started site where size would decide. */
function Branches({
  branches,
  chosen,
  onChoose,
}: {
  branches: readonly Branch[]
  chosen: string | undefined
  onChoose: (id: string) => void
}) {
  return (
    <section className="board-panel">
      <h2>
        分公司 <small>右边三列是每个在建工地的</small>
      </h2>
      <table>
        <thead>
          <tr>
            {['分公司', '线索', '签约', '开工', '完工', '在建', '停工', '超期报警', '应到未到'].map((h) => (
              <th key={h} scope="col">
                {h}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {branches.map((b) => (
            <tr key={b.bc_id} className={b.bc_id === chosen ? 'on' : ''}>
              <th scope="row">
                <button onClick={() => onChoose(b.bc_id)}>{b.bc_name}</button>
              </th>
              <td>{said(b.leads)}</td>
              <td>{said(b.signed)}</td>
              <td>{said(b.started)}</td>
              <td>{said(b.finished)}</td>
              <td>{said(b.building)}</td>
              <td>{perSite(b.stopped, b)}</td>
              <td>{perSite(b.overdue, b)}</td>
              <td>{perSite(b.late, b)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
