import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

import type { Column } from './ListPage.tsx'
import type { Rows } from './useList.ts'

export interface RowsProps<R extends { id: string }> {
  name: string
  list: Rows<R>
  columns: Column<R>[]
  isPinned: (key: string) => boolean
  selectable: boolean
  mayPick: ((row: R) => boolean) | undefined
  classOf: ((row: R) => string) | undefined
  rowActions: ((row: R) => ReactNode) | undefined
  onOpen: ((row: R) => void) | undefined
  linkTo: ((row: R) => string) | undefined
  current: string | null | undefined
  onCurrent: ((id: string) => void) | undefined
}
const SKELETON_ROWS = 12
const ARROW = { ascending: '↑', descending: '↓', none: '↕' }
/** The direction in which the address sorts by a field, when it does. */
function sortedBy(sort: string, field: string): 'ascending' | 'descending' | undefined {
  if (sort === field) return 'ascending'
  return sort === `-${field}` ? 'descending' : undefined
}
/** A click on the row itself: not on something that does its own, and not the end of marking a text. */
export const isBeside = (target: HTMLElement): boolean =>
  !target.closest('a, button, input, label, [role=button]') && getSelection()?.isCollapsed !== false

/** The cell that names the row leads to it. */
export function Named<R>({
  row,
  name,
  linkTo,
  onOpen,
}: {
  row: R
  name: ReactNode
  linkTo: ((row: R) => string) | undefined
  onOpen: ((row: R) => void) | undefined
}): ReactNode {
  if (linkTo)
    return (
      <a className="name" href={linkTo(row)}>
        {name}
      </a>
    )
  if (!onOpen) return name
  return (
    <button className="name" onClick={() => onOpen(row)}>
      {name}
    </button>
  )
}

const PADDING_PX = 10
/** A column that is as wide as one may be does not grow by what it gets: it is tried so often, then left. */
const TRIES = 4
/**
 * The column that would stand half under the buttons at the right is pushed under them whole: those before it share
 * what was left. That there is more under them is said by their shadow.
 */
function useRoom(
  wrap: RefObject<HTMLDivElement | null>,
  head: RefObject<HTMLTableRowElement | null>,
  /** The first column that is scrolled; none where nothing stands at the right. */
  from: number | undefined,
  /** What stands in it: with something else the room is looked for anew. */
  rows: unknown,
) {
  const [goesOn, setGoesOn] = useState(false)
  const [shared, setShared] = useState({ columns: 0, each: 0 })
  const tried = useRef({ rows, width: 0, columns: 0, times: 0 })
  const look = () => {
    const el = wrap.current
    if (el) setGoesOn(el.scrollWidth - el.clientWidth - el.scrollLeft > 1)
  }
  function fit() {
    look()
    const el = wrap.current
    const cells = [...(head.current?.children ?? [])] as HTMLElement[]
    if (!el?.clientWidth || from === undefined || el.scrollLeft > 0 || !cells[from]) return
    const now = { rows, width: el.clientWidth, columns: cells.length }
    const known = tried.current
    if (known.rows !== rows || known.width !== now.width || known.columns !== now.columns)
      tried.current = { ...now, times: 0 }
    if (tried.current.times >= TRIES) return
    const boxes = cells.map((cell) => cell.getBoundingClientRect())
    const free = boxes.slice(from, -1).map((box, i) => box.width - (i < shared.columns ? shared.each : 0))
    let left = boxes.at(-1)!.left - boxes[from]!.left
    let columns = 0
    while (columns < free.length && free[columns]! <= left + 1) left -= free[columns++]!
    const isCut = columns > 0 && columns < free.length
    const each = isCut ? Math.max(0, left / columns) : 0
    if (Math.abs(each - shared.each) > 0.5 || (each > 0 && columns !== shared.columns)) {
      tried.current.times += 1
      setShared({ columns: each > 0 ? columns : 0, each })
    }
  }
  const latest = useRef(fit)
  latest.current = fit
  useLayoutEffect(fit)
  useEffect(() => {
    const observer = new ResizeObserver(() => latest.current())
    observer.observe(wrap.current!)
    return () => observer.disconnect()
  }, [])
  return {
    goesOn,
    look,
    of: (i: number) =>
      from !== undefined && i < from + shared.columns
        ? { paddingRight: PADDING_PX + shared.each }
        : undefined,
  }
}

/** The rows as a table: header sticky, what names the row and what the user pinned stay at the left. */
export function ListTable<R extends { id: string }>({
  name,
  list,
  columns,
  isPinned,
  selectable,
  mayPick = () => true,
  classOf,
  rowActions,
  onOpen,
  linkTo,
  current,
  onCurrent,
}: RowsProps<R>) {
  const head = useRef<HTMLTableRowElement>(null)
  const wrap = useRef<HTMLDivElement>(null)
  const [lefts, setLefts] = useState<number[]>([])
  const stays = columns.findLastIndex((c, i) => i === 0 || isPinned(c.key)) + (selectable ? 1 : 0)
  const pickable = list.rows.filter(mayPick)
  const all = pickable.length > 0 && list.selected.length === pickable.length
  const room = useRoom(wrap, head, rowActions ? stays + 1 : undefined, list.rows)
  // Each of them stands where those before it end.
  useLayoutEffect(() => {
    let at = 0
    const next = [...(head.current?.children ?? [])].slice(0, stays + 1).map((cell) => {
      const left = at
      at += (cell as HTMLElement).offsetWidth
      return left
    })
    if (next.join() !== lefts.join()) setLefts(next)
  })
  const looks = (row: R) =>
    [list.selected.includes(row.id) && 'on', current === row.id && 'now', classOf?.(row)]
      .filter(Boolean)
      .join(' ')
  const stay = (i: number) =>
    i <= stays
      ? { className: i === stays ? ' first edge' : ' first', style: { left: lefts[i] ?? 0 } }
      : { className: '', style: room.of(i) }
  const offset = selectable ? 1 : 0
  function sortBy(field: string) {
    const now = list.address.sort
    const next = now === field ? `-${field}` : field
    list.sort(now === `-${field}` ? '' : next)
  }
  return (
    <div
      ref={wrap}
      className={`table-wrap${list.stale ? ' dim' : ''}${room.goesOn ? ' goes-on' : ''}`}
      onScroll={room.look}
      tabIndex={0}
      role="region"
      aria-label={`${name}表格`}
      data-gallery
    >
      <table className="grid">
        <thead>
          <tr ref={head}>
            {selectable && (
              <th className={`check${stay(0).className}`} style={stay(0).style}>
                <input
                  type="checkbox"
                  aria-label="全选本页"
                  disabled={pickable.length === 0}
                  checked={all}
                  ref={(box) => {
                    if (box) box.indeterminate = !all && list.selected.length > 0
                  }}
                  onChange={(e) => list.select(e.target.checked ? pickable.map((r) => r.id) : [])}
                />
              </th>
            )}
            {columns.map((c, i) => {
              const now = c.sort ? sortedBy(list.address.sort, c.sort) : undefined
              const { className, style } = stay(i + offset)
              return (
                <th
                  key={c.key}
                  className={(c.right ? 'right' : '') + className}
                  style={style}
                  aria-sort={now}
                >
                  {c.sort ? (
                    <button className={now ? 'on' : ''} onClick={() => sortBy(c.sort!)}>
                      {c.title} <span aria-hidden="true">{ARROW[now ?? 'none']}</span>
                    </button>
                  ) : (
                    c.title
                  )}
                </th>
              )
            })}
            {rowActions && <th className="last">操作</th>}
          </tr>
        </thead>
        <tbody>
          {list.first
            ? Array.from({ length: SKELETON_ROWS }, (_, i) => (
                <tr key={i} className="skeleton">
                  {selectable && <td />}
                  {columns.map((c) => (
                    <td key={c.key}>
                      <span style={{ width: `${50 + ((i * 17) % 45)}%` }} />
                    </td>
                  ))}
                  {rowActions && <td />}
                </tr>
              ))
            : list.rows.map((row) => (
                <tr
                  key={row.id}
                  data-row={row.id}
                  className={looks(row)}
                  onClick={(e) => {
                    onCurrent?.(row.id)
                    if (isBeside(e.target as HTMLElement)) onOpen?.(row)
                  }}
                >
                  {selectable && (
                    <td className={`check${stay(0).className}`} style={stay(0).style}>
                      <input
                        type="checkbox"
                        aria-label="选择这一行"
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
                    </td>
                  )}
                  {columns.map((c, i) => {
                    const { className, style } = stay(i + offset)
                    return (
                      <td key={c.key} className={(c.right ? 'right' : '') + className} style={style}>
                        {c.fixed ? (
                          <Named row={row} name={c.render(row)} linkTo={linkTo} onOpen={onOpen} />
                        ) : (
                          c.render(row)
                        )}
                      </td>
                    )
                  })}
                  {rowActions && <td className="last">{rowActions(row)}</td>}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  )
}
