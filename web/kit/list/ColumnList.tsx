import { useState } from 'react'

import type { useColumns } from './useColumns.ts'

export type ChosenColumns = ReturnType<typeof useColumns<{ key: string; title: string; fixed?: boolean }>>

/** Hide, show, pin and drag columns; the arrows do the same from the keyboard. */
export default function ColumnList({ columns }: { columns: ChosenColumns }) {
  const [dragged, setDragged] = useState<string | null>(null)
  const free = columns.all.filter((c) => !c.fixed)
  const step = (i: number, by: number) => {
    const other = free[i + by]
    if (other) columns.move(free[i]!.key, other.key)
  }
  return (
    <div className="pick" role="group" aria-label="显示的列">
      {free.map((c, i) => (
        <span
          key={c.key}
          className="column-line"
          draggable
          onDragStart={() => setDragged(c.key)}
          onDragOver={(e) => e.preventDefault()}
          onDrop={() => dragged && dragged !== c.key && columns.move(dragged, c.key)}
          onKeyDown={(e) => {
            if (e.key === 'ArrowUp' || e.key === 'ArrowDown') {
              e.preventDefault()
              step(i, e.key === 'ArrowUp' ? -1 : 1)
            }
          }}
        >
          <label>
            <input
              type="checkbox"
              checked={!columns.isHidden(c.key)}
              onChange={() => columns.toggle(c.key)}
            />
            {c.title}
          </label>
          <button
            className="pin"
            aria-pressed={columns.isPinned(c.key)}
            aria-label={`固定${c.title}在左侧`}
            title={columns.isPinned(c.key) ? '取消固定' : '固定在左侧'}
            onClick={() => columns.pin(c.key)}
          >
            {columns.isPinned(c.key) ? '已固定' : '固定'}
          </button>
          <span className="grip" aria-hidden="true">
            ⠿
          </span>
        </span>
      ))}
      <button className="quiet" onClick={columns.reset}>
        恢复默认
      </button>
    </div>
  )
}
