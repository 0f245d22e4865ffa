import type { ListEndpoint, RowOf, SortOf } from '@zhuguan/contract/kit/paging.ts'
import { type ReactNode, useEffect, useRef, useState } from 'react'

import { usePage } from '../page.tsx'
import { type RowAction, RowActions } from '../RowActions.tsx'
import { countFilters } from './address.ts'
import { ColumnChooser } from './ColumnChooser.tsx'
import { FilterRow } from './FilterRow.tsx'
import { ListTable } from './ListTable.tsx'
import { Pager } from './Pager.tsx'
import { useColumns } from './useColumns.ts'
import type { List } from './useList.ts'
import { ViewMenu } from './ViewMenu.tsx'

import './list.css'

/** A column of a list's table. */
export type ColumnOf<E extends ListEndpoint> = Column<RowOf<E>, SortOf<E>>
export interface Column<R, S extends string = string> {
  key: string
  title: string
  render: (row: R) => ReactNode
  right?: boolean
  /** The server's name for sorting by it. */
  sort?: S
  /** Cannot be hidden. */
  fixed?: boolean
}
interface Props<E extends ListEndpoint> {
  name: string
  list: List<E>
  columns: ColumnOf<E>[]
  filters: ReactNode
  actions?: ReactNode
  batch?: ReactNode
  /** What may be done to a row; where nothing may be done to any, there is no column for it. */
  actionsOf?: (row: RowOf<E>) => RowAction[]
  /** After one of them, instead of reading the list anew. */
  onDone?: () => void
  /** Opens the row in place. */
  onOpen?: (row: RowOf<E>) => void
  /** Where the row stands by itself: its first column leads there, and so does a click beside it. */
  linkTo?: (row: RowOf<E>) => string
  /** A second shape over the same rows (pictures, cards) instead of the table. */
  children?: ReactNode
  empty: string
  /** The row that the keyboard stands on, where the page wants to know it. */
  current?: string | null
  onCurrent?: (id: string) => void
}

/** The buttons of a row; nothing where no row of the page has any. */
function buttonsOf<E extends ListEndpoint>({ actionsOf, list, onDone }: Props<E>) {
  if (!actionsOf || !list.rows.some((row) => actionsOf(row).length > 0)) return undefined
  const done = onDone ?? (() => void list.refresh())
  return (row: RowOf<E>) => <RowActions actions={actionsOf(row)} onDone={done} shown={2} />
}

export function ListPage<E extends ListEndpoint>(p: Props<E>) {
  const { list } = p
  const page = usePage()
  const box = useRef<HTMLDivElement>(null)
  const chosen = useColumns(
    `columns${list.endpoint.path.replaceAll('/', '.')}`,
    p.columns,
    list.address.cols,
    list.ownColumns,
  )
  const columns = chosen.shown
  const [own, setOwn] = useState<string | null>(null)
  const current = p.onCurrent ? p.current : own
  const onCurrent = p.onCurrent ?? setOwn
  const open = p.onOpen ?? (p.linkTo && ((row: RowOf<E>) => page.go(p.linkTo!(row).replace(/^#/, ''))))
  const active = countFilters(list.address.filters)
  const none = !list.first && list.rows.length === 0

  useEffect(() => {
    if (!page.active) return
    const on = (e: KeyboardEvent) => {
      if (
        /INPUT|TEXTAREA|SELECT/.test((e.target as HTMLElement).tagName) ||
        e.ctrlKey ||
        e.metaKey ||
        e.altKey ||
        document.querySelector('.ant-modal-wrap:not([style*="display: none"]), .viewer')
      )
        return
      const at = list.rows.findIndex((r) => r.id === current)
      if (e.key === '/') box.current?.querySelector<HTMLInputElement>('.filters input')?.focus()
      else if (e.key === 'j' || e.key === 'k') {
        const next = list.rows[Math.min(list.rows.length - 1, Math.max(0, at + (e.key === 'j' ? 1 : -1)))]
        if (next) onCurrent(next.id)
      } else if (e.key === 'Enter' && at >= 0 && !/BUTTON|^A$/.test((e.target as HTMLElement).tagName))
        open?.(list.rows[at]!)
      else return
      e.preventDefault()
    }
    addEventListener('keydown', on)
    return () => removeEventListener('keydown', on)
  })

  return (
    <section className="card list" ref={box} aria-busy={list.busy}>
      <div className="list-bar">
        <FilterRow>{p.filters}</FilterRow>
        {active > 0 && (
          <button className="text-button" onClick={list.clear}>
            清除 {active} 个条件
          </button>
        )}
        {p.actions}
        <ViewMenu cols={chosen.text} />
        {!p.children && <ColumnChooser columns={chosen} />}
      </div>
      {list.error && <Failed error={list.error} again={() => void list.refresh()} />}
      {!list.error && none && (
        <div className="empty">
          <h2>没有符合条件的记录</h2>
          <p className="quiet">{active ? '换一个条件，或清除条件再看。' : p.empty}</p>
          {active > 0 && (
            <button className="button" onClick={list.clear}>
              清除条件
            </button>
          )}
        </div>
      )}
      {!list.error &&
        !none &&
        (p.children ?? (
          <ListTable
            name={p.name}
            list={list}
            columns={columns}
            isPinned={chosen.isPinned}
            selectable={!!p.batch}
            rowActions={buttonsOf(p)}
            onOpen={open}
            linkTo={p.linkTo}
            current={current}
            onCurrent={onCurrent}
          />
        ))}
      <div className="pager">
        {p.batch && list.selected.length > 0 && (
          <span className="selected">
            已选 {list.selected.length} 项 {p.batch}
            <button className="text-button" onClick={() => list.select([])}>
              取消选择
            </button>
          </span>
        )}
        <Pager
          pageNo={list.address.pageNo}
          pageSize={list.address.pageSize}
          total={list.first ? undefined : list.total}
          onTurn={list.turn}
        />
      </div>
    </section>
  )
}

export const Failed = ({ error, again }: { error: Error; again: () => void }) => (
  <div className="empty" role="alert">
    <h2>没有读到数据</h2>
    <p className="quiet">{error.message}</p>
    <button className="button" onClick={again}>
      重试
    </button>
  </div>
)
