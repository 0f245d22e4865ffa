import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lostReason } from '@zhuguan/contract/features/customers/customers.record.ts'
import { signingBoardApi } from '@zhuguan/contract/features/customers/signing-board.api.ts'
import {
  FEWEST,
  funnelBy,
  funnelDimension,
  type FunnelRow,
  type TargetRow,
} from '@zhuguan/contract/features/customers/signing-board.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { type ReactNode, useState } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { DayRangeFilter } from '../../kit/list/filters.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useFilters } from '../../kit/list/useFilters.ts'
import { clock, dayOf, nowSeconds } from '../../kit/time.ts'
import { BranchFilter, PersonFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { StoreFilter } from './StoreFilter.tsx'

import '../../kit/plainTable.css'
import './signingBoard.css'

const TargetDrawer = lazyPart(() => import('./TargetDrawer.tsx'))
const { came, happened } = funnelBy.code
const STEPS = [
  ['came', '新线索'],
  ['contacted', '已联系'],
  ['met', '已到店/量房'],
  ['quoted', '已报价'],
  ['deposit', '定金'],
  ['signed', '已签约'],
] as const
type Step = (typeof STEPS)[number][0]
type Board = DataOf<typeof signingBoardApi.read>
const DIMENSIONS = ['source', 'store', 'consultant'] as const
const DIMENSION_FIELD = { source: 'source', store: 'store_id', consultant: 'consultant_id' } as const

/** A share as so many of so many; under five it says nothing. */
const share = (part: number, of: number): string =>
  of < FEWEST ? '样本不足' : `${Math.round((part / of) * 100)}%`

/** Where customers stay, what of them is signed, what is still to come. */
export default function SigningBoardPage() {
  const list = useFilters<typeof signingBoardApi.read>()
  const { filters } = list.address
  const by = filters.by === happened ? happened : came
  const today = dayOf(nowSeconds())
  const from = filters.from ?? `${(filters.to ?? today).slice(0, 8)}01`
  const to = filters.to ?? today
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [signingBoardApi.read.path, filters],
    enabled: list.active,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(signingBoardApi.read, filters, signal),
  })
  const all = data?.rows.find((r) => r.dimension === funnelDimension.code.all)
  return (
    <div className="signing-board" aria-busy={isFetching}>
      <section className="card list-bar">
        <span className="switch" role="group" aria-label="口径">
          {funnelBy.options.map((o) => (
            <button key={o.value} aria-pressed={by === o.value} onClick={() => list.filter(['by', o.value])}>
              {o.label}
            </button>
          ))}
        </span>
        <DayRangeFilter list={list} from="from" to="to" label="日期" />
        <StoreFilter list={list} />
        <PersonFilter list={list} field="consultant_id" label="顾问" />
        <BranchFilter list={list} />
        <span className="quiet signing-asof">
          {from} 至 {to}
          {data && `，${clock(data.at)} 的数据`}
        </span>
      </section>
      {error && <Failed error={error} again={() => void refetch()} />}
      {data && all && (
        <>
          <Funnel all={all} by={by} span={{ from, to }} />
          <div className="signing-pair">
            <Lost lost={data.lost} by={by} span={{ from, to }} />
            <Money board={data} />
          </div>
          <Conversion rows={data.rows} by={by} span={{ from, to }} />
        </>
      )}
      <Targets bc_id={filters.bc_id} />
    </div>
  )
}

interface Span {
  from: string
  to: string
}
/** The customers behind a number, where the list knows them: those who came in the span. */
function Behind({
  by,
  span,
  step,
  filters = {},
  children,
}: {
  by: string
  span: Span
  step: Step | 'lost'
  filters?: Record<string, string | undefined>
  children: ReactNode
}) {
  const narrowed = { came: {}, signed: { signingProgress: '3' }, lost: { held: 'lost' } }[
    step as 'came' | 'lost' | 'signed'
  ]
  if (by !== came || !narrowed) return <>{children}</>
  return (
    <LinkTo
      page="CustomerList"
      query={{ enteredFrom: span.from, enteredTo: span.to, ...narrowed, ...filters }}
    >
      {children}
    </LinkTo>
  )
}

function Funnel({ all, by, span }: { all: FunnelRow; by: string; span: Span }) {
  const most = Math.max(1, ...STEPS.map(([step]) => all[step]))
  return (
    <section className="card section">
      <h2>
        漏斗{' '}
        <small className="quiet">
          {by === came
            ? '这段时间登记的客户，走到过哪一步；后来退回、流失的也算'
            : '这段时间里发生的，不管客户是哪天登记的'}
        </small>
      </h2>
      <table className="plain-table signing-funnel">
        <thead>
          <tr>
            <th scope="col">进展</th>
            <th scope="col">客户数</th>
            <th scope="col" aria-label="图" />
            {by === came && <th scope="col">占登记</th>}
            <th scope="col">距上一步（中位）</th>
          </tr>
        </thead>
        <tbody>
          {STEPS.map(([step, label]) => {
            const days = step === 'came' ? null : all[`${step}Days`]
            return (
              <tr key={step}>
                <th scope="row">{label}</th>
                <td className="num">
                  <Behind by={by} span={span} step={step}>
                    {all[step]}
                  </Behind>
                </td>
                <td className="signing-bar">
                  <progress aria-hidden="true" max={most} value={all[step]} />
                </td>
                {by === came && <td className="num">{share(all[step], all.came)}</td>}
                <td className="num">{days === null ? '--' : `${days} 天`}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function Lost({ lost, by, span }: { lost: Board['lost']; by: string; span: Span }) {
  const most = Math.max(1, ...lost.map((l) => l.n))
  return (
    <section className="card section">
      <h2>流失原因</h2>
      {lost.length === 0 && <p className="quiet">没有流失的客户</p>}
      <table className="plain-table signing-funnel">
        <tbody>
          {lost.map((l) => (
            <tr key={l.reason}>
              <th scope="row">{lostReason.label(l.reason)}</th>
              <td className="num">
                <Behind by={by} span={span} step="lost" filters={{ lostReason: l.reason }}>
                  {l.n}
                </Behind>
              </td>
              <td className="signing-bar">
                <progress aria-hidden="true" className="lost" max={most} value={l.n} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const ageOf = ({ from, to }: Board['deposits'][number]) =>
  to === null ? `${from} 天以上` : `${from}–${to} 天`
function Money({ board: b }: { board: Board }) {
  const held = b.deposits.reduce((sum, d) => sum + d.n, 0)
  return (
    <section className="card section">
      <h2>定金和签约金额</h2>
      <p>
        签约金额 <b>{grouped(b.signedMoney)}</b> 元；退款 {b.refunds.n} 笔 {grouped(b.refunds.money)} 元
        {b.voided > 0 && `；另有 ${b.voided} 份签约后作废，不计入`}
      </p>
      <p className="quiet">现在收了定金还没签约的 {held} 份，按第一笔钱到账的天数：</p>
      <table className="plain-table signing-funnel">
        <tbody>
          {b.deposits.map((d) => (
            <tr key={d.from}>
              <th scope="row">{ageOf(d)}</th>
              <td className="num">{d.n} 份</td>
              <td className="num">{grouped(d.money)} 元</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Conversion({ rows, by, span }: { rows: readonly FunnelRow[]; by: string; span: Span }) {
  const [dimension, setDimension] = useState<(typeof DIMENSIONS)[number]>('source')
  const shown = rows.filter((r) => r.dimension === dimension)
  return (
    <section className="card section">
      <h2>
        转化{' '}
        <span className="switch" role="group" aria-label="分组">
          {DIMENSIONS.map((d) => (
            <button key={d} aria-pressed={d === dimension} onClick={() => setDimension(d)}>
              {funnelDimension.label(d)}
            </button>
          ))}
        </span>
      </h2>
      {shown.length === 0 && <p className="quiet">这段时间没有客户</p>}
      {shown.length > 0 && (
        <div className="signing-wide">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{funnelDimension.label(dimension)}</th>
                {STEPS.map(([step, label]) => (
                  <th key={step} scope="col" className="num">
                    {label}
                  </th>
                ))}
                <th scope="col" className="num">
                  流失
                </th>
                {by === came && (
                  <th scope="col" className="num">
                    签约率
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {shown.map((r) => {
                const filters = r.key ? { [DIMENSION_FIELD[dimension]]: r.key } : undefined
                return (
                  <tr key={r.key ?? ''}>
                    <th scope="row">{r.label}</th>
                    {STEPS.map(([step]) => (
                      <td key={step} className="num">
                        {filters ? (
                          <Behind by={by} span={span} step={step} filters={filters}>
                            {r[step]}
                          </Behind>
                        ) : (
                          r[step]
                        )}
                      </td>
                    ))}
                    <td className="num">
                      {filters ? (
                        <Behind by={by} span={span} step="lost" filters={filters}>
                          {r.lost}
                        </Behind>
                      ) : (
                        r.lost
                      )}
                    </td>
                    {by === came && <td className="num">{share(r.signed, r.came)}</td>}
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

const monthOff = (month: string, n: number): string => {
  const at = new Date(`${month}-01T00:00:00Z`)
  at.setUTCMonth(at.getUTCMonth() + n)
  return at.toISOString().slice(0, 7)
}
const whoseOf = (t: TargetRow): string =>
  [t.bc_name, t.storeName, t.consultantName].filter(Boolean).join(' · ')
function Targets({ bc_id }: { bc_id: string | undefined }) {
  const actor = useActor()
  const [month, setMonth] = useState(dayOf(nowSeconds()).slice(0, 7))
  const [opened, setOpened] = useState<TargetRow | 'new' | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: [signingBoardApi.targets.path, month, bc_id],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(signingBoardApi.targets, { month, bc_id }, signal),
  })
  const mayset = hasPermission(actor, 'signing:target')
  return (
    <section className="card section">
      <h2>
        签约目标{' '}
        <span className="switch" role="group" aria-label="月份">
          <button aria-label="上个月" onClick={() => setMonth(monthOff(month, -1))}>
            ‹
          </button>
          <button aria-pressed="true">{month}</button>
          <button aria-label="下个月" onClick={() => setMonth(monthOff(month, 1))}>
            ›
          </button>
        </span>
        {mayset && (
          <button className="button" onClick={() => setOpened('new')}>
            设定目标
          </button>
        )}
      </h2>
      {error && <Failed error={error} again={() => void refetch()} />}
      {data?.length === 0 && <p className="quiet">这个月还没有目标</p>}
      {!!data?.length && (
        <div className="signing-wide">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">范围</th>
                <th scope="col" className="num">
                  签约（目标）
                </th>
                <th scope="col" className="num">
                  金额（目标）
                </th>
                <th scope="col" className="num">
                  金额完成
                </th>
                <th scope="col" className="num">
                  已付定金未签
                </th>
                {mayset && <th scope="col" aria-label="操作" />}
              </tr>
            </thead>
            <tbody>
              {data.map((t) => (
                <tr key={t.id}>
                  <th scope="row">{whoseOf(t)}</th>
                  <td className="num">
                    {t.signed}（{t.people}）
                  </td>
                  <td className="num">
                    {grouped(t.signedMoney)}（{grouped(t.money)}）
                  </td>
                  <td className="num">
                    {Number(t.money) > 0
                      ? `${Math.round((Number(t.signedMoney) / Number(t.money)) * 100)}%`
                      : '--'}
                  </td>
                  <td className="num">
                    {t.expected > 0 ? `${t.expected} 份 ${grouped(t.expectedMoney)}` : '--'}
                  </td>
                  {mayset && (
                    <td>
                      <button className="text-button" onClick={() => setOpened(t)}>
                        修改
                      </button>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {opened && (
        <TargetDrawer
          month={month}
          target={opened === 'new' ? null : opened}
          onClose={() => setOpened(null)}
          onDone={() => void refetch()}
        />
      )}
    </section>
  )
}
