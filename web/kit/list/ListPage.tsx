import { type ReactNode, useEffect, useRef } from 'react'
import { usePage } from '../page.tsx'
import { ColumnChooser } from './ColumnChooser.tsx'
import { FilterRow } from './FilterRow.tsx'
import { Pager } from './Pager.tsx'
import { useColumns } from './useColumns.ts'
import type { List } from './useList.ts'

export interface Column<R> {
  key: string
  title: string
  render: (row: R) => ReactNode
  right?: boolean
  /** The server's name for sorting by it. */
  sort?: string
  /** Cannot be hidden. */
  fixed?: boolean
}
interface Props<R extends { id: string }> {
  name: string
  list: List<R>
  columns: Column<R>[]
  filters: ReactNode
  actions?: ReactNode
  batch?: ReactNode
  rowActions?: (row: R) => ReactNode
  onOpen?: (row: R) => void
  /** A second shape over the same rows (pictures, cards) instead of the table. */
  children?: ReactNode
  empty: string
  /** The row that the keyboard stands on. */
  current?: string | null
  onCurrent?: (id: string) => void
}

export function ListPage<R extends { id: string }>(p: Props<R>) {
  const { list } = p
  const page = usePage()
  const box = useRef<HTMLDivElement>(null)
  const chosen = useColumns(`columns${list.endpoint.path.replaceAll('/', '.')}`, p.columns)
  const columns = chosen.shown
  const active = Object.keys(list.address.filters).length
  const all = list.rows.length > 0 && list.selected.length === list.rows.length

  useEffect(() => {
    if (!page.active) return
    const on = (e: KeyboardEvent) => {
      if (/INPUT|TEXTAREA|SELECT/.test((e.target as HTMLElement).tagName) || e.ctrlKey || e.metaKey || e.altKey || document.querySelector('.ant-modal-wrap:not([style*="display: none"]), .viewer')) return
      const at = list.rows.findIndex((r) => r.id === p.current)
      if (e.key === '/') box.current?.querySelector<HTMLInputElement>('.filters input')?.focus()
      else if (e.key === 'j' || e.key === 'k') {
        const next = list.rows[Math.min(list.rows.length - 1, Math.max(0, at + (e.key === 'j' ? 1 : -1)))]
        if (next) p.onCurrent?.(next.id)
      } else if (e.key === 'Enter' && at >= 0 && !/BUTTON|^A$/.test((e.target as HTMLElement).tagName)) p.onOpen?.(list.rows[at]!)
      else return
      e.preventDefault()
    }
    addEventListener('keydown', on)
    return () => removeEventListener('keydown', on)
  })

  function sortBy(field: string) {
    const now = list.address.sort
    list.sort(now === field ? `-${field}` : now === `-${field}` ? '' : field)
  }
  return (
    <section className="card list" ref={box} aria-busy={list.busy}>
      <div className="list-bar">
        <FilterRow>{p.filters}</FilterRow>
        {active > 0 && <button className="text-button" onClick={list.clear}>清除 {active} 个条件</button>}
        {p.actions}
        {!p.children && <ColumnChooser columns={chosen} />}
      </div>
      {list.error ? <Failed error={list.error} again={() => void list.refresh()} />
        : !list.first && list.rows.length === 0 ? <div className="empty"><h2>没有符合条件的记录</h2><p className="quiet">{active ? '换一个条件，或清除条件再看。' : p.empty}</p>{active > 0 && <button className="button" onClick={list.clear}>清除条件</button>}</div>
        : p.children ?? (
          <div className={`table-wrap${list.stale ? ' dim' : ''}`} tabIndex={0} role="region" aria-label={`${p.name}表格`}>
            <table className="grid">
              <thead><tr>
                {p.batch && <th className="check"><input type="checkbox" aria-label="全选本页" checked={all} ref={(box) => { if (box) box.indeterminate = !all && list.selected.length > 0 }} onChange={(e) => list.select(e.target.checked ? list.rows.map((r) => r.id) : [])} /></th>}
                {columns.map((c, i) => {
                  const now = c.sort && list.address.sort.replace('-', '') === c.sort ? (list.address.sort.startsWith('-') ? 'descending' : 'ascending') : undefined
                  return <th key={c.key} className={`${c.right ? 'right' : ''}${i === 0 && !p.batch ? ' first' : ''}`} aria-sort={now}>{c.sort ? <button className={now ? 'on' : ''} onClick={() => sortBy(c.sort!)}>{c.title} <span aria-hidden="true">{now === 'ascending' ? '↑' : now === 'descending' ? '↓' : '↕'}</span></button> : c.title}</th>
                })}
                {p.rowActions && <th className="last">操作</th>}
              </tr></thead>
              <tbody>
                {list.first ? Array.from({ length: 12 }, (_, i) => <tr key={i} className="skeleton">{columns.map((c) => <td key={c.key}><span style={{ width: `${50 + ((i * 17) % 45)}%` }} /></td>)}</tr>) : list.rows.map((row) => (
                  <tr key={row.id} className={`${list.selected.includes(row.id) ? 'on' : ''}${p.current === row.id ? ' now' : ''}`} onClick={() => p.onCurrent?.(row.id)}>
                    {p.batch && <td className="check"><input type="checkbox" aria-label="选择这一行" checked={list.selected.includes(row.id)} onChange={(e) => list.select(e.target.checked ? [...list.selected, row.id] : list.selected.filter((id) => id !== row.id))} /></td>}
                    {columns.map((c, i) => <td key={c.key} className={`${c.right ? 'right' : ''}${i === 0 && !p.batch ? ' first' : ''}`}>{c.fixed && p.onOpen ? <button className="name" onClick={() => p.onOpen!(row)}>{c.render(row)}</button> : c.render(row)}</td>)}
                    {p.rowActions && <td className="last">{p.rowActions(row)}</td>}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      <div className="pager">
        {p.batch && list.selected.length > 0 && <span className="selected">已选 {list.selected.length} 项 {p.batch}<button className="text-button" onClick={() => list.select([])}>取消选择</button></span>}
        <Pager pageNo={list.address.pageNo} pageSize={list.address.pageSize} total={list.total} onTurn={list.turn} />
      </div>
    </section>
  )
}

export const Failed = ({ error, again }: { error: Error; again: () => void }) => <div className="empty" role="alert"><h2>没有读到数据</h2><p className="quiet">{error.message}</p><button className="button" onClick={again}>重试</button></div>
