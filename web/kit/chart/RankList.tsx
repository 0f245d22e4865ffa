import { use } from 'react'

import type { Tone } from '../State.tsx'
import { AsTable, type Picked } from './charts.tsx'
import { ChartTable } from './ChartTable.tsx'
import { exact } from './figures.ts'

export interface Ranked {
  name: string
  value: number
  /** Small and grey beside the name: a sample size, a branch. */
  note?: string
  tone?: Tone
}
const SHOWN = 10

/** First, second, third: a bar a line, from zero, the figure at its end. */
export function RankList({
  label,
  items,
  unit = '',
  shown = SHOWN,
  onPick,
}: {
  label: string
  items: readonly Ranked[]
  unit?: string
  shown?: number
  onPick?: ((picked: Picked) => void) | undefined
}) {
  if (use(AsTable))
    return (
      <ChartTable
        label={label}
        heads={[unit ? `数值（${unit}）` : '数值']}
        rows={items.map((i) => ({ name: i.name, hint: i.note, cells: [exact(i.value, unit)] }))}
        onPick={onPick}
      />
    )
  const most = unit === '%' ? 100 : Math.max(1, ...items.map((i) => i.value))
  return (
    <ol className="rank" aria-label={label}>
      {items.slice(0, shown).map((item, index) => {
        const inside = (
          <>
            <b>{index + 1}</b>
            <span className="rank-name" title={item.name}>
              {item.name}
              {item.note && <small> {item.note}</small>}
            </span>
            <i
              className={item.tone ?? ''}
              style={{ inlineSize: `${Math.max(0.5, (item.value / most) * 100)}%` }}
            />
            <em>{exact(item.value, unit)}</em>
          </>
        )
        return (
          <li key={`${index}${item.name}`}>
            {onPick ? (
              <button onClick={() => onPick({ index, series: 0 })}>{inside}</button>
            ) : (
              <div>{inside}</div>
            )}
          </li>
        )
      })}
    </ol>
  )
}
