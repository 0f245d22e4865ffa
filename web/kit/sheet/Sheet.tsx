import {
  type ClipboardEvent,
  type Key,
  type KeyboardEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import {
  Cell,
  type CellKeyboardEvent,
  type CellKeyDownArgs,
  type CellRendererProps,
  type Column,
  DataGrid,
  type DataGridHandle,
} from 'react-data-grid'

import { readClipboard, writeHtml, writeTsv } from './block.ts'
import { CellEditor, type Way } from './CellEditor.tsx'
import * as change from './change.ts'
import { refusedIn, type Refused, type SheetColumn, type SheetRow, whyNot, written } from './column.ts'
import { isTyping, keyName, WAYS } from './keys.ts'
import { at, stretched } from './range.ts'
import { selection, SelectionContext, useIsSelected } from './selection.ts'
import { type SheetCommand, SheetFoot, SheetKeys, SheetTools } from './SheetTools.tsx'

import 'react-data-grid/lib/styles.css'
import './sheet.css'

export interface SheetProps<R extends SheetRow> {
  /** The name of the sheet. */
  label: string
  rows: readonly R[]
  columns: readonly SheetColumn<R>[]
  /** One step; it may be undone. */
  onChange: (rows: readonly R[]) => void
  fresh?: (after: R | undefined) => R
  most?: number
  /** The reason why nothing can be written here. */
  frozen?: string
  undo?: () => void
  redo?: () => void
  commands?: readonly SheetCommand<R>[]
  /** The keys beside it, for the list of keys. */
  keys?: readonly (readonly [keys: string, what: string])[]
  rowTone?: (row: R) => string | undefined
  height: number | string
  /** What is said where there are no rows. */
  empty?: string
  /** The keyboard is in the sheet as soon as it is there. */
  begin?: boolean
  /** A dialog of the page stands in front of it: the keyboard comes back when that is gone. */
  covered?: boolean
}
export const ROW = 32
const MOST = 500
const side = <R extends SheetRow>(): Column<R> => ({
  key: 'side',
  name: '#',
  width: 44,
  minWidth: 44,
  frozen: true,
  cellClass: 'sheet-side',
  renderCell: ({ rowIdx }) => rowIdx + 1,
})

function SheetCell<R extends SheetRow>({
  props,
  onEnter,
}: {
  props: CellRendererProps<R, unknown>
  onEnter: Enter
}) {
  const { rowIdx, column, isCellActive } = props
  const isSelected = useIsSelected(rowIdx, column.idx - 1)
  return (
    <Cell
      {...props}
      aria-selected={isSelected || isCellActive}
      className={isSelected ? 'is-selected' : undefined}
      onMouseEnter={(e) => e.buttons === 1 && onEnter(rowIdx, column.idx - 1)}
    />
  )
}
type Enter = (row: number, col: number) => void

/** A sheet that is driven as Excel is, without a mouse; it knows cells and nothing of what they mean. */
export function Sheet<R extends SheetRow>(p: SheetProps<R>) {
  const { rows, columns, most = MOST } = p
  const grid = useRef<DataGridHandle>(null)
  const [chosen] = useState(selection)
  const [said, setSaid] = useState<{ bad: boolean; text: string } | null>(null)
  const [help, setHelp] = useState(false)
  const isTyped = useRef(true)
  const isStretching = useRef(false)
  // Where a run of Tabs began: Enter goes back there, one row down.
  const run = useRef<number | null>(null)
  const goal = useRef<{ row: number; idx: number } | null>(null)
  const now = useRef(p)
  now.current = p
  const sheet = () => ({ rows: now.current.rows, columns, fresh: p.frozen ? undefined : p.fresh, most })
  const last = { row: rows.length - 1, col: columns.length - 1 }

  const go = (row: number, idx: number) => {
    const to = { rowIdx: Math.max(0, Math.min(now.current.rows.length - 1, row)), idx }
    grid.current?.setActivePosition(to, { shouldFocus: true })
    // The cell of a row that has gone took the focus with it, and the grid sees no change of place.
    queueMicrotask(() => {
      if (document.activeElement === document.body)
        grid.current?.element?.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]')?.focus()
    })
  }
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!p.begin) return
    if (rows.length > 0) go(0, 1)
    else frame.current?.focus()
  }, [])
  useEffect(() => {
    if (!goal.current) return
    const { row, idx } = goal.current
    goal.current = null
    go(row, idx)
  }, [rows])
  const say = (text: string | undefined, bad = true) => setSaid(text === undefined ? null : { bad, text })

  /** Rows after a change, with the keyboard at a row where that has moved. */
  function apply(answer: change.Changed<R> | Refused, row?: number): void {
    const no = p.frozen ?? refusedIn(answer)
    if (no !== undefined) return say(no)
    const { rows: next, note } = answer as change.Changed<R>
    say(note, false)
    if (next.some((r, i) => r !== rows[i]) || next.length !== rows.length) {
      const { from } = chosen.range()
      if (row !== undefined) goal.current = { row, idx: from.col + 1 }
      p.onChange(next)
    }
  }
  function stepTo(row: number, idx: number, way: Way): void {
    const by = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] }[way as string]
    if (!by) return void tab(row, idx, way === 'before' ? -1 : 1)
    const start = way === 'down' && run.current !== null ? run.current : idx
    run.current = null
    go(row + by[0]!, Math.max(1, Math.min(columns.length, start + by[1]!)))
  }
  /** To the next cell that can be written; false where there is none, and the keyboard leaves the sheet. */
  function tab(row: number, idx: number, by: 1 | -1): boolean {
    const all = now.current.rows
    run.current ??= idx
    for (let n = row * columns.length + (idx - 1) + by; n >= 0 && n < all.length * columns.length; n += by) {
      const [r, c] = [Math.floor(n / columns.length), n % columns.length]
      if (!p.frozen && whyNot(columns[c]!, all[r]!) !== undefined) continue
      go(r, c + 1)
      return true
    }
    return false
  }
  function move(by: 1 | -1): void {
    const box = chosen.box()
    const next = change.moved(sheet(), box, by)
    if (!next) return
    const { from, to } = chosen.range()
    apply({ rows: next }, from.row + by)
    isStretching.current = true
    chosen.set({ from: { ...from, row: from.row + by }, to: { ...to, row: to.row + by } })
  }
  function removeRows(): void {
    if (!p.fresh) return say('这张表不能删行')
    const box = chosen.box()
    apply({ rows: change.removed(sheet(), box) }, Math.min(box.top, rows.length - 2 - (box.bottom - box.top)))
  }
  const insert = () => {
    const after = rows.length === 0 ? -1 : chosen.box().bottom
    const answer = change.inserted(sheet(), after)
    apply(answer, after + 1)
    const fresh = 'rows' in answer ? answer.rows[after + 1] : undefined
    // To what is to be filled in first.
    const open = fresh ? columns.findIndex((c) => whyNot(c, fresh) === undefined && c.text(fresh) === '') : -1
    if (goal.current) goal.current.idx = Math.max(0, open) + 1
  }
  const edit = (rowIdx: number, idx: number) => {
    isTyped.current = false
    grid.current?.setActivePosition({ rowIdx, idx }, { enableEditor: true })
  }
  const commands = p.frozen ? [] : (p.commands ?? [])
  const runCommand = (command: SheetCommand<R>) => {
    const { top, bottom } = chosen.box()
    const some = rows.slice(top, bottom + 1)
    const why = some.length === 0 ? '先选一行' : command.unless?.(some)
    if (why !== undefined) return say(why)
    say(undefined)
    command.run(some)
  }
  const back = (step: (() => void) | undefined) => {
    const { from } = chosen.range()
    goal.current = { row: from.row, idx: from.col + 1 }
    step?.()
  }
  const isCovered = help || p.covered === true
  const wasCovered = useRef(false)
  useEffect(() => {
    if (wasCovered.current && !isCovered) {
      const { from } = chosen.range()
      requestAnimationFrame(() => go(from.row, from.col + 1))
    }
    wasCovered.current = isCovered
  }, [isCovered])
  const does = (row: number, idx: number): Readonly<Record<string, () => unknown>> => ({
    ArrowUp: () => row > 0 && go(row - 1, idx),
    Enter: () => stepTo(row, idx, 'down'),
    'Shift+Enter': () => stepTo(row, idx, 'up'),
    F2: () => (why(row, idx) === undefined ? edit(row, idx) : say(why(row, idx))),
    F1: () => setHelp(true),
    Escape: () => frame.current?.querySelector('button')?.focus(),
    Delete: () => apply(change.cleared(sheet(), chosen.box())),
    Backspace: () => apply(change.cleared(sheet(), chosen.box())),
    'Ctrl+D': () => apply(change.filledDown(sheet(), chosen.box())),
    'Ctrl+A': () => chosen.set({ from: { row: 0, col: 0 }, to: last }),
    'Ctrl+Home': () => go(0, 1),
    'Ctrl+ArrowUp': () => go(0, idx),
    'Ctrl+ArrowDown': () => go(last.row, idx),
    'Ctrl+ArrowLeft': () => go(row, 1),
    'Ctrl+ArrowRight': () => go(row, columns.length),
    'Ctrl+End': () => go(last.row, columns.length),
    'Ctrl+Enter': insert,
    'Alt+Delete': removeRows,
    'Alt+ArrowUp': () => move(-1),
    'Alt+ArrowDown': () => move(1),
    'Ctrl+Z': () => back(p.undo),
    'Ctrl+Y': () => back(p.redo),
    'Ctrl+Shift+Z': () => back(p.redo),
    ...Object.fromEntries(commands.map((c) => [c.keys, () => runCommand(c)])),
  })
  const why = (row: number, idx: number) =>
    p.frozen ?? (idx === 0 || !rows[row] ? '' : whyNot(columns[idx - 1]!, rows[row]))

  function onCellKeyDown(args: CellKeyDownArgs<R>, e: CellKeyboardEvent): void {
    if (args.mode === 'EDIT' || args.rowIdx < 0) return
    const isSign = isTyping(e)
    // A sign that is typed is no shortcut of the page.
    if (isSign || e.key === 'Escape') e.stopPropagation()
    const [row, idx] = [args.rowIdx, args.column?.idx ?? 0]
    const name = keyName(e)
    const reach = WAYS[name]
    const act = reach
      ? () => {
          chosen.set(
            stretched(chosen.range(), reach[0], reach[1], { rows: rows.length, cols: columns.length }),
          )
          const { to } = chosen.range()
          grid.current?.scrollToCell({ rowIdx: to.row, idx: to.col + 1 })
        }
      : does(row, idx)[name]
    const isTab = e.key === 'Tab' && tab(row, idx, e.shiftKey ? -1 : 1)
    if (e.key.startsWith('Arrow')) run.current = null
    if (act || isTab) {
      e.stopPropagation()
      e.preventDefault()
      e.preventGridDefault()
      act?.()
      return
    }
    // The grid would take a letter with Alt for typing.
    if (e.altKey) e.preventGridDefault()
    if (!isSign && e.key !== 'Process') return
    isTyped.current = true
    refuseTyping(e, why(row, idx))
  }
  function refuseTyping(e: CellKeyboardEvent, reason: string | undefined): void {
    if (reason === undefined) return
    e.preventGridDefault()
    if (e.key === '?') setHelp(true)
    else if (reason) say(reason)
  }
  function put(row: R, change: (now: R) => R | Refused): string | undefined {
    const all = now.current.rows
    const old = all.find((r) => r.id === row.id)
    if (!old) return undefined
    const next = change(old)
    const no = refusedIn(next)
    if (no !== undefined || next === old) return no
    const changed = all.map((r) => (r === old ? (next as R) : r))
    // Where the keyboard goes next depends on what stands there now.
    now.current = { ...now.current, rows: changed }
    p.onChange(changed)
    return no
  }
  const shown = useMemo<Column<R>[]>(
    () => [
      side<R>(),
      ...columns.map((column): Column<R> => ({
        key: column.key,
        name: column.title,
        width: column.isWide ? `minmax(${column.width}px, 1fr)` : column.width,
        minWidth: 40,
        frozen: column.frozen,
        resizable: true,
        headerCellClass: column.right ? 'right' : undefined,
        cellClass: (row) => [column.right && 'right', column.tone?.(row)].filter(Boolean).join(' '),
        renderCell: ({ row }) => column.show?.(row) ?? column.text(row),
        editable: (row) => now.current.frozen === undefined && whyNot(column, row) === undefined,
        editorOptions: { closeOnExternalRowChange: false },
        renderEditCell: ({ row, rowIdx, column: { idx }, onClose }) => (
          <CellEditor
            column={column}
            row={row}
            isTyped={isTyped.current}
            put={(text) => acts.current.put(row, (r) => written(column, r, text))}
            takeLater={(offer, text) =>
              void acts.current.put(row, (r) => (column.text(r) === text ? column.take!(r, offer) : r))
            }
            lost={say}
            take={(offer) => acts.current.put(row, (r) => column.take!(r, offer))}
            leave={(way) => {
              isTyped.current = true
              onClose(false, true)
              if (way) acts.current.stepTo(rowIdx, idx, way)
            }}
          />
        ),
      })),
    ],
    [columns],
  )
  const acts = useRef({ put, stepTo })
  acts.current = { put, stepTo }
  const onEnter = useRef<Enter>((row, col) =>
    chosen.set({ from: chosen.range().from, to: { row, col: Math.max(0, col) } }),
  )
  const renderers = useMemo(
    () => ({
      noRowsFallback: <p className="sheet-none quiet">{p.empty ?? '还没有内容。'}</p>,
      renderCell: (key: Key, props: CellRendererProps<R, unknown>) => (
        <SheetCell key={key} props={props} onEnter={onEnter.current} />
      ),
    }),
    [p.empty],
  )

  const inEditor = (e: ClipboardEvent) => (e.target as HTMLElement).matches('input, textarea')
  function onCopy(e: ClipboardEvent, cut = false): void {
    if (inEditor(e) || rows.length === 0) return
    e.preventDefault()
    const block = change.copied(sheet(), chosen.box())
    e.clipboardData.setData('text/plain', writeTsv(block))
    e.clipboardData.setData('text/html', writeHtml(block))
    if (cut) apply(change.cleared(sheet(), chosen.box()))
  }
  function onPaste(e: ClipboardEvent): void {
    if (inEditor(e)) return
    e.preventDefault()
    const block = readClipboard(e.clipboardData)
    if (block) apply(change.pasted(sheet(), chosen.box(), block))
  }
  // Keys of an empty sheet have no cell to go to.
  const onEmptyKey = (e: KeyboardEvent) => {
    if (rows.length > 0 || keyName(e) !== 'Ctrl+Enter') return
    e.preventDefault()
    insert()
  }
  return (
    <SelectionContext value={chosen}>
      <div
        ref={frame}
        className={p.frozen === undefined ? 'sheet' : 'sheet frozen'}
        tabIndex={rows.length === 0 ? 0 : undefined}
        onCopy={onCopy}
        onCut={(e) => onCopy(e, true)}
        onPaste={onPaste}
        onKeyDown={onEmptyKey}
      >
        <SheetTools
          chosen={chosen}
          rows={rows}
          commands={commands}
          run={runCommand}
          undo={p.frozen === undefined ? p.undo : undefined}
          redo={p.frozen === undefined ? p.redo : undefined}
          insert={p.frozen === undefined && p.fresh ? insert : undefined}
          remove={p.frozen === undefined && p.fresh ? removeRows : undefined}
          onHelp={() => setHelp(true)}
        />
        <DataGrid
          ref={grid}
          aria-label={p.label}
          className="sheet-grid"
          style={{ blockSize: p.height }}
          columns={shown}
          rows={rows}
          rowKeyGetter={(row) => row.id}
          rowHeight={ROW}
          renderers={renderers}
          headerRowHeight={ROW}
          rowClass={(row) => p.rowTone?.(row)}
          onCellKeyDown={onCellKeyDown}
          onCellPaste={({ row }) => row}
          onCellDoubleClick={() => (isTyped.current = false)}
          onCellMouseDown={({ rowIdx, column }, e) => {
            run.current = null
            if (!e.shiftKey) return
            e.preventGridDefault()
            e.preventDefault()
            onEnter.current(rowIdx, column.idx - 1)
          }}
          onActivePositionChange={({ rowIdx, column }) => {
            setSaid(null)
            goal.current = null
            if (rowIdx < 0 || !column) return
            if (isStretching.current) isStretching.current = false
            else if (column.idx === 0)
              chosen.set({ from: { row: rowIdx, col: 0 }, to: { row: rowIdx, col: last.col } })
            else chosen.set(at(rowIdx, column.idx - 1))
          }}
        />
        <SheetFoot chosen={chosen} said={said} rows={rows} columns={columns} />
        {help && <SheetKeys commands={commands} more={p.keys ?? []} onClose={() => setHelp(false)} />}
      </div>
    </SelectionContext>
  )
}
