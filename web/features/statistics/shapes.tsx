import { Away } from '../../kit/Away.tsx'
import { clock } from '../../kit/time.ts'

export interface RingPart {
  name: string
  value: number
  tone: 'ok' | 'mid' | 'bad' | 'none'
  href: string | undefined
}
const RADIUS = 40
const ROUND = 2 * Math.PI * RADIUS

/** Shares as a ring with its total, each part named beside it: read without telling colours apart. */
export function Ring({ parts }: { parts: readonly RingPart[] }) {
  const sum = parts.reduce((n, p) => n + p.value, 0)
  const before = (i: number) => parts.slice(0, i).reduce((n, p) => n + p.value, 0)
  return (
    <div className="data-ring">
      <svg viewBox="0 0 100 100" role="img" aria-label={parts.map((p) => `${p.name} ${p.value}`).join('，')}>
        <circle className="none" cx="50" cy="50" r={RADIUS} />
        {parts.map(
          (p, i) =>
            p.value > 0 && (
              <circle
                key={p.name}
                className={p.tone}
                cx="50"
                cy="50"
                r={RADIUS}
                strokeDasharray={`${(p.value / sum) * ROUND} ${ROUND}`}
                strokeDashoffset={(-before(i) / sum) * ROUND}
                transform="rotate(-90 50 50)"
              />
            ),
        )}
        <text x="50" y="50">
          {sum}
        </text>
      </svg>
      <ul>
        {parts.map((p) => (
          <li key={p.name} className={p.tone}>
            <Away href={p.value > 0 ? p.href : undefined}>
              {p.name} <b>{p.value}</b>
            </Away>
          </li>
        ))}
      </ul>
    </div>
  )
}

const [WIDTH, HEIGHT, FIRST, LAST] = [600, 200, 6, 22]
const FOOT = 34
/** The hours of a day as bars with their figures; hours to come have none. */
export function Hours({ values, until, unit }: { values: readonly number[]; until: Date; unit: string }) {
  const nowHour = Number(clock(until.getTime() / 1000).slice(0, 2))
  const hours = Array.from({ length: LAST - FIRST + 1 }, (_, i) => FIRST + i)
  const most = Math.max(1, ...values)
  const step = WIDTH / hours.length
  const said = hours.filter((h) => values[h]).map((h) => `${h} 时 ${values[h]} ${unit}`)
  return (
    <svg
      className="data-hours"
      viewBox={`-10 0 ${WIDTH + 20} ${HEIGHT}`}
      role="img"
      aria-label={said.join('，') || '还没有'}
    >
      {hours.map((h, i) => {
        const value = h <= nowHour ? (values[h] ?? 0) : 0
        const tall = (value / most) * (HEIGHT - 2 * FOOT)
        return (
          <g key={h}>
            <rect x={i * step + 4} y={HEIGHT - FOOT - tall} width={step - 8} height={tall} rx="3" />
            {value > 0 && (
              <text x={i * step + step / 2} y={HEIGHT - FOOT - tall - 6}>
                {value}
              </text>
            )}
            {i % 3 === 0 && (
              <text className="axis" x={i * step + step / 2} y={HEIGHT - 8}>
                {h} 时
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}
