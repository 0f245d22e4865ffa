import type { KeyboardEvent } from 'react'

import { nowSeconds } from '../../kit/time.ts'
import { everyDay } from './timelineDays.ts'

const MOST_DATES = 6

/** A bar a day on a true line of days; a click shows that day alone. Arrow keys go from bar to bar. */
export function Scrubber({
  perDay,
  day: chosen,
  onChoose,
}: {
  perDay: readonly { day: string; count: number }[]
  day: string | null
  onChoose: (day: string | null) => void
}) {
  const days = everyDay(perDay, nowSeconds())
  const max = Math.max(1, ...days.map((d) => d.count))
  const reached = chosen ?? perDay.at(-1)?.day
  const step = Math.ceil(days.length / MOST_DATES)
  const onKeyDown = (e: KeyboardEvent<HTMLDivElement>) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
    if (!by) return
    e.preventDefault()
    const bars = [...e.currentTarget.querySelectorAll('button')]
    bars[bars.indexOf(document.activeElement as HTMLButtonElement) + by]?.focus()
  }
  return (
    <div className="scrub" role="group" aria-label="每天的事件数" onKeyDown={onKeyDown}>
      {days.map(({ day, count }, i) => (
        <span key={day} className="slot" title={`${day}：${count} 件`}>
          {count > 0 && (
            <button
              className={day === chosen ? 'on' : ''}
              // oxlint-disable-next-line react/forbid-dom-props -- as high as its figure
              style={{ height: `${Math.max(8, (count / max) * 100)}%` }}
              tabIndex={day === reached ? 0 : -1}
              aria-pressed={day === chosen}
              aria-label={`${day}，${count} 件`}
              onClick={() => onChoose(day === chosen ? null : day)}
            />
          )}
          {i % step === 0 && <small aria-hidden="true">{day.slice(5)}</small>}
        </span>
      ))}
    </div>
  )
}
