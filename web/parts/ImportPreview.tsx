import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ImportDef, ImportRow, ImportState } from '@zhuguan/contract/kit/imports.ts'
import { PAGE_SIZE } from '@zhuguan/contract/kit/paging.ts'
import { useState } from 'react'

import { call } from '../kit/api.ts'
import { Failed } from '../kit/list/ListPage.tsx'
import { Pager } from '../kit/list/Pager.tsx'
import { message } from '../kit/notices.ts'
import { counted, IMPORT_VIEWS, type ImportView } from './importWords.ts'

/** The rows of an import by what became of them; a bad one is mended in place. */
export function ImportPreview({
  def,
  state,
  view,
  busy,
  onView,
  onFixed,
}: {
  def: ImportDef
  state: ImportState
  view: ImportView
  busy: boolean
  onView: (view: ImportView) => void
  onFixed: (row: ImportRow, was: string) => void
}) {
  const client = useQueryClient()
  const [{ pageNo, pageSize }, setPage] = useState({ pageNo: 1, pageSize: PAGE_SIZE })
  const [editing, setEditing] = useState<ImportRow | null>(null)
  const query = { id: state.id, state: view, pageNo, pageSize }
  const { data, error, refetch } = useQuery({
    queryKey: [def.api.rows.path, query],
    enabled: !busy,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(def.api.rows, { query }, signal),
  })
  async function fix(was: ImportRow): Promise<void> {
    try {
      const row = await call(def.api.fix, { body: { id: state.id, row: was.row, cells: editing!.cells } })
      onFixed(row, was.state)
      setEditing(null)
      if (row.state === 'good') message.success(`第 ${row.row} 行可以导入了`)
      await client.invalidateQueries({ queryKey: [def.api.rows.path] })
    } catch (e) {
      message.error((e as Error).message)
    }
  }
  return (
    <>
      <div className="switch import-views" role="group" aria-label="看哪些行">
        {(Object.keys(IMPORT_VIEWS) as ImportView[]).map((v) => (
          <button key={v} aria-pressed={v === view} onClick={() => onView(v)}>
            {IMPORT_VIEWS[v]} {counted(state[v])}
          </button>
        ))}
      </div>
      {error && <Failed error={error} again={() => void refetch()} />}
      {!error && data?.list.length === 0 && <p className="quiet">没有{IMPORT_VIEWS[view]}的行。</p>}
      {!error && data?.list.length !== 0 && (
        <div className="import-table" tabIndex={0} role="region" aria-label={`${IMPORT_VIEWS[view]}的行`}>
          <table className="grid">
            <thead>
              <tr>
                <th className="right">行</th>
                {view === 'bad' && <th>原因</th>}
                {def.columns.map((c) => (
                  <th key={c.key}>{c.title}</th>
                ))}
                {view === 'bad' && <th className="last">操作</th>}
              </tr>
            </thead>
            <tbody>
              {data?.list.map((r) => (
                <Line
                  key={r.row}
                  def={def}
                  row={r}
                  cells={editing?.row === r.row ? editing.cells : null}
                  fixable={view === 'bad'}
                  busy={busy}
                  onCells={(cells) => setEditing(cells && { ...r, cells })}
                  onFix={() => void fix(r)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data && data.totalCount > PAGE_SIZE && (
        <div className="pager">
          <Pager
            pageNo={pageNo}
            pageSize={pageSize}
            total={data.totalCount}
            onTurn={(to, size) => setPage({ pageNo: size === pageSize ? to : 1, pageSize: size })}
          />
        </div>
      )}
    </>
  )
}

function reasonOf(def: ImportDef, { column, text }: ImportRow['errors'][number]): string {
  const title = def.columns.find((c) => c.key === column)?.title
  return title && !text.startsWith(title) ? `${title}：${text}` : text
}

interface LineProps {
  def: ImportDef
  row: ImportRow
  /** The text typed so far, while it is being mended. */
  cells: string[] | null
  fixable: boolean
  busy: boolean
  onCells: (cells: string[] | null) => void
  onFix: () => void
}
function Line({ def, row: r, cells, fixable, busy, onCells, onFix }: LineProps) {
  return (
    <tr
      onKeyDown={(e) => {
        if (cells && e.key === 'Enter') onFix()
        else if (cells && e.key === 'Escape') {
          e.stopPropagation()
          onCells(null)
        }
      }}
    >
      <td className="right">{r.row}</td>
      {fixable && <td className="why">{r.errors.map((e) => reasonOf(def, e)).join('；')}</td>}
      {def.columns.map((c, i) => (
        <td
          key={c.key}
          className={r.errors.some((e) => e.column === c.key) ? 'wrong' : ''}
          title={r.cells[i]}
        >
          {cells ? (
            <input
              className="input"
              aria-label={`第 ${r.row} 行${c.title}`}
              autoFocus={r.errors[0]?.column === c.key}
              value={cells[i]}
              maxLength={500}
              onChange={(e) => onCells(cells.with(i, e.target.value))}
            />
          ) : (
            r.cells[i]
          )}
        </td>
      ))}
      {fixable && (
        <td className="last">
          <span className="actions">
            {cells ? (
              <>
                <button onClick={onFix}>保存</button>
                <button onClick={() => onCells(null)}>取消</button>
              </>
            ) : (
              <button disabled={busy} onClick={() => onCells(r.cells)}>
                修改
              </button>
            )}
          </span>
        </td>
      )}
    </tr>
  )
}
