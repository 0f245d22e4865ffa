import { type ReactNode, useState } from 'react'

import { NOTHING } from './columnsOf.tsx'
import type { Column } from './ListPage.tsx'
import { isBeside, Named, type RowsProps } from './ListTable.tsx'

const FIRST = 6
const SKELETONS = 5
const isSaid = (value: ReactNode) =>
  value !== NOTHING && value !== '' && value !== null && value !== undefined && value !== false

/** The rows as cards, on a phone: its name and state on top, then what else is known of it, then its buttons. */
export function ListCards<R extends { id: string }>({
  list,
  columns,
  selectable,
  mayPick = () => true,
  classOf,
  rowActions,
  onOpen,
  linkTo,
  current,
  onCurrent,
}: RowsProps<R>) {
  const at = (place: Column<R>['card']) => columns.filter((c) => c.card === place)
  const pictures = at('picture')
  const fixed = columns.filter((c) => c.fixed)
  // The name in words goes before its number.
  const titles = [...at('title').filter((c) => !c.fixed), ...fixed]
  const others = columns.filter((c) => !c.fixed && !c.card)
  function named(c: Column<R>, row: R): ReactNode {
    const value = c.render(row)
    return typeof value === 'string' || c.fixed ? (
      <Named row={row} name={value} linkTo={linkTo} onOpen={onOpen} />
    ) : (
      value
    )
  }
  if (list.first)
    return (
      <div className="row-cards">
        {Array.from({ length: SKELETONS }, (_, i) => (
          <article key={i} className="row-card skeleton-card" />
        ))}
      </div>
    )
  return (
    <div className={`row-cards${list.stale ? ' dim' : ''}`} data-gallery>
      {list.rows.map((row) => (
        <article
          key={row.id}
          data-row={row.id}
          className={`row-card${current === row.id ? ' now' : ''} ${classOf?.(row) ?? ''}`}
          onClick={(e) => {
            onCurrent?.(row.id)
            if (isBeside(e.target as HTMLElement)) onOpen?.(row)
          }}
        >
          <header>
            {selectable && (
              <input
                type="checkbox"
                aria-label="选择这一条"
                disabled={!mayPick(row)}
                checked={list.selected.includes(row.id)}
                onChange={(e) =>
                  list.select(
                    e.target.checked
                      ? [...list.selected, row.id]
                      : list.selected.filter((id) => id !== row.id),
                  )
                }
              />
            )}
            {pictures.map((c) => (
              <span key={c.key} className="card-picture">
                {c.render(row)}
              </span>
            ))}
            <div>
              <b>{titles[0] && named(titles[0], row)}</b>
              {at('badge').map((c) => (
                <span key={c.key}>{c.render(row)}</span>
              ))}
              {[...titles.slice(1), ...at('line')].map((c) => (
                <Line key={c.key} value={c.render(row)} />
              ))}
            </div>
          </header>
          <CardFacts row={row} columns={others} />
          {rowActions && <footer>{rowActions(row)}</footer>}
        </article>
      ))}
    </div>
  )
}

const Line = ({ value }: { value: ReactNode }) => (isSaid(value) ? <p>{value}</p> : null)

/** Its columns with their names; what is empty is left out, what is beyond the first waits behind a button. */
function CardFacts<R>({ row, columns }: { row: R; columns: Column<R>[] }) {
  const [all, setAll] = useState(false)
  const said = columns.map((c) => ({ ...c, value: c.render(row) })).filter((c) => isSaid(c.value))
  return (
    <>
      <dl>
        {said.slice(0, all ? undefined : FIRST).map((c) => (
          <div key={c.key}>
            <dt>{c.title}</dt>
            <dd>{c.value}</dd>
          </div>
        ))}
      </dl>
      {said.length > FIRST && (
        <button className="text-button" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? '收起' : `全部 ${said.length} 项`}
        </button>
      )}
    </>
  )
}
