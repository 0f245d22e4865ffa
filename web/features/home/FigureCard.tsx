import { type CardFigure, TALL } from '@zhuguan/contract/features/home/home.record.ts'

import { ago, dayOf, dayStart } from '../../kit/time.ts'
import { Trend } from '../../kit/Trend.tsx'
import { FigureRows } from './FigureRows.tsx'

const ALERT: readonly string[] = ['overdue', 'noWork']
const DAY = 86_400
/** Below so many rows a hint says that the percentage is not meaningful. */
const FEW = 10

/** By how much it changed; points of a percentage are named so, since a share that doubles grows by points. */
function Change({ figure: f }: { figure: CardFigure }) {
  if (f.value === null || f.before === null) return <>没有可比的数据</>
  const change = Math.round((f.value - f.before) * 10) / 10
  if (change === 0) return <>{f.against} 持平</>
  const good = change > 0 === (f.better === 'more') ? 'up' : 'down'
  const tone = f.better === 'neither' ? '' : good
  const unit = f.unit.startsWith('%') ? ' 百分点' : ''
  return (
    <>
      {f.against}{' '}
      <b className={tone}>
        {change > 0 ? `↑ ${change}` : `↓ ${-change}`}
        {unit}
      </b>
    </>
  )
}

/** The figure itself, with what it comes to or of how few it is a share. */
const Big = ({ figure: f }: { figure: CardFigure }) => (
  <span className="big">
    {f.value ?? '--'}
    <small>{f.value === null ? '' : f.unit}</small>
    {f.aside && <small className="aside">{f.aside}</small>}
    {f.n !== null && f.n < FEW && <small className="few">仅 {f.n} 个</small>}
  </span>
)

/** The days of its curve, which follow each other. */
const daysOf = ({ trend, until }: CardFigure): string[] =>
  trend.map((_, i) => dayOf(dayStart(until) - (trend.length - 1 - i) * DAY))

const ROW_PX = 40
const PARTS_PX = 24
/** Rows that a card of this height has room for, under its figure and the line of its parts. */
const roomFor = (h: number, lines: number) =>
  Math.max(0, Math.floor((h * 96 - 138 - lines * PARTS_PX) / ROW_PX))

/** Figures under the figure, each the way to its list. */
const Parts = ({ lead = '', of }: { lead?: string; of: CardFigure['parts'] }) =>
  of.length > 0 && (
    <span className="parts">
      {lead}
      {of.map((p) => (
        <a key={p.label} href={`#${p.link}`} className={p.late ? 'late' : undefined}>
          {p.label} {p.value}
        </a>
      ))}
    </span>
  )

interface Props {
  figure: CardFigure | undefined
  title: string
  /** Its height on the page: a high one shows the first rows of its list. */
  height: number
  /** While the cards are arranged nothing on them is a way elsewhere. */
  still?: boolean
}
/** One figure: what it is about, how it changed, its parts and its own curve. */
export function FigureCard({ figure: f, title, height, still = false }: Props) {
  if (!f)
    return (
      <section className="card figure">
        <h2>{title}</h2>
        <p className="quiet">没有数据</p>
      </section>
    )
  const [parts, whose, beside] = [f.parts, f.whose ?? [], f.beside].map((list) => list.filter((p) => p.value))
  const lines = [parts, whose, beside].filter((list) => list!.length > 0).length
  const rows = f.rows.slice(0, roomFor(height, lines))
  const kind = `${ALERT.includes(f.card) && (f.value ?? 0) > 0 ? ' alert' : ''}${height >= TALL ? ' high' : ''}`
  return (
    <section className={`card figure${kind}`}>
      <h2>
        {title}{' '}
        <small>
          {f.of} · {ago(f.at)}
        </small>
      </h2>
      {!still && (
        <a
          className="cover"
          href={`#${f.link}`}
          aria-label={`${title} ${f.of} ${f.value ?? '--'}${f.unit}，查看清单`}
        />
      )}
      <Big figure={f} />
      <small className="change" title={f.against}>
        <Change figure={f} />
      </small>
      {!still && (
        <div className="part-lines">
          <Parts of={parts!} />
          <Parts lead="球在谁手里：" of={whose!} />
          <Parts lead="另：" of={beside!} />
        </div>
      )}
      <Trend
        values={f.trend}
        days={daysOf(f)}
        label={title}
        unit={f.unit}
        running={f.running}
        onPick={() => !still && (location.hash = f.link)}
      />
      {!still && rows.length > 0 && <FigureRows card={f.card} link={f.link} rows={rows} />}
      {!still && height >= TALL && f.value === 0 && <p className="quiet no-rows">现在没有</p>}
      {!still && f.isElsewhere && rows.length === f.rows.length && (
        <p className="quiet no-rows">
          {f.card === 'overdue' ? '其余的在上面' : '其余的在上面，或者在“整改超期”里'}
        </p>
      )}
    </section>
  )
}
