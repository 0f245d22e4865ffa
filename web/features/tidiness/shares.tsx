import type { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'

import { LineChart } from '../../kit/chart/charts.tsx'
import { NOTHING } from '../../kit/list/columnsOf.tsx'
import { dayOf, nowSeconds } from '../../kit/time.ts'

export type Trend = DataOf<typeof tidinessApi.trend>
type Group = Trend['groups'][number]

const DAY_MS = 86_400_000
const WHOLE = 100
const TALL = 900

const share = (part: number, n: number) => (n ? Math.round((part / n) * WHOLE) : null)
export const shareText = (part: number, n: number) => (n ? `${share(part, n)}%` : NOTHING)
const daysIn = (p: { from: string; to: string }) => (Date.parse(p.to) - Date.parse(p.from)) / DAY_MS + 1

/** The share of what is best, in the first half and in the second. */
export function change({ early, late }: Group): { text: string; worse: boolean; title: string } {
  const [was, is] = [share(early.excellent, early.n), share(late.excellent, late.n)]
  const title = `前半段 ${early.excellent}/${early.n} 次为优，后半段 ${late.excellent}/${late.n} 次为优`
  if (was === null || is === null) return { text: NOTHING, worse: false, title }
  const by = is - was
  const arrow = by > 0 ? '↑ ' : '↓ '
  return { text: `${was}% → ${is}%${by ? ` ${arrow}${Math.abs(by)}` : ''}`, worse: by < 0, title }
}

export const Sample = ({ trend: { from, skewed, to, total } }: { trend: Trend }) => (
  <>
    {from} 至 {to}，{total.n} 次检查：优 {shareText(total.excellent, total.n)} · 良{' '}
    {shareText(total.good, total.n)} · 差 {shareText(total.poor, total.n)}
    {skewed > 0 && `；另有 ${skewed} 次摄像头偏移，不计入`}
  </>
)

/** The shares of each day or week. */
export function sharesOf({ periods }: Trend) {
  const weeks = periods.some((p) => p.from !== p.to)
  const of = (pick: (p: Trend['periods'][number]) => number) =>
    periods.map((p) => (p.n ? Math.round((pick(p) / p.n) * 1_000) / 10 : null))
  return {
    unit: '%',
    height: innerHeight > TALL ? 320 : 220,
    labels: periods.map((p) => (weeks ? `${p.from.slice(5)} 起` : p.from.slice(5))),
    running: !weeks && periods.at(-1)?.to === dayOf(nowSeconds()),
    hints: periods.map((p) => `${weeks ? `${p.from} 至 ${p.to}（${daysIn(p)} 天），` : ''}共 ${p.n} 次检查`),
    series: [
      { name: '优', values: of((p) => p.excellent), tone: 'ok' as const },
      { name: '良', values: of((p) => p.good), tone: 'wait' as const },
      { name: '差', values: of((p) => p.poor), tone: 'bad' as const },
    ],
  }
}
export const ShareLines = ({ trend }: { trend: Trend }) => (
  <LineChart label="每次检查的结果占比" {...sharesOf(trend)} />
)
