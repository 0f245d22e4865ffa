import { Modal } from 'antd'

import type { SheetColumn, SheetRow } from './column.ts'
import { SHEET_KEYS } from './keys.ts'
import { type Selection, useSelected } from './selection.ts'

/** Something that can be done to the selected rows, by its keys and by a button. */
export interface SheetCommand<R extends SheetRow> {
  /** As keys.ts names them: Alt+H. */
  keys: string
  label: string
  /** The reason why not with these rows. */
  unless?: (rows: readonly R[]) => string | undefined
  run: (rows: readonly R[]) => void
}

const Tool = ({ label, keys, off, run }: { label: string; keys: string; off?: string; run: () => void }) => (
  <button
    type="button"
    className="plain-button sheet-tool"
    aria-disabled={off !== undefined}
    title={off ?? keys.replaceAll('+', ' ')}
    // The keyboard stays in the sheet.
    onMouseDown={(e) => e.preventDefault()}
    onClick={run}
  >
    {label}
  </button>
)

export function SheetTools<R extends SheetRow>({
  chosen,
  rows,
  commands,
  run,
  undo,
  redo,
  insert,
  remove,
  onHelp,
}: {
  chosen: Selection
  rows: readonly R[]
  commands: readonly SheetCommand<R>[]
  run: (command: SheetCommand<R>) => void
  undo?: () => void
  redo?: () => void
  insert?: () => void
  remove?: () => void
  onHelp: () => void
}) {
  const { top, bottom } = useSelected(chosen)
  const some = rows.slice(top, bottom + 1)
  return (
    <div className="sheet-tools" role="toolbar" aria-label="表格">
      {insert && <Tool label="插入行" keys="Ctrl+Enter" run={insert} />}
      {remove && <Tool label="删除行" keys="Alt+Delete" run={remove} />}
      {commands.map((c) => (
        <Tool
          key={c.keys}
          label={c.label}
          keys={c.keys}
          off={some.length === 0 ? '先选一行' : c.unless?.(some)}
          run={() => run(c)}
        />
      ))}
      <span className="grow" />
      {undo && <Tool label="撤销" keys="Ctrl+Z" run={undo} />}
      {redo && <Tool label="重做" keys="Ctrl+Y" run={redo} />}
      <Tool label="按键" keys="F1" run={onHelp} />
    </div>
  )
}

/** Where the keyboard is, and what was said of the last thing done. */
export function SheetFoot<R extends SheetRow>({
  chosen,
  said,
  rows,
  columns,
}: {
  chosen: Selection
  said: { bad: boolean; text: string } | null
  rows: readonly R[]
  columns: readonly SheetColumn<R>[]
}) {
  const { top, bottom, left, right } = useSelected(chosen)
  const [down, across] = [bottom - top + 1, right - left + 1]
  const spot =
    down * across === 1 ? `第 ${top + 1} 行 ${columns[left]?.title ?? ''}` : `已选 ${down} 行 × ${across} 列`
  return (
    <div className="sheet-foot">
      {rows.length > 0 && <span className="quiet">{spot}</span>}
      {said && (
        <span role={said.bad ? 'alert' : 'status'} className={said.bad ? 'bad' : undefined}>
          {said.text}
        </span>
      )}
      <span className="grow" />
      <span className="quiet">共 {rows.length} 行</span>
    </div>
  )
}

export function SheetKeys<R extends SheetRow>({
  commands,
  more,
  onClose,
}: {
  commands: readonly SheetCommand<R>[]
  more: readonly (readonly [keys: string, what: string])[]
  onClose: () => void
}) {
  const own = commands.map((c) => [c.keys.replaceAll('+', ' '), c.label] as const)
  return (
    <Modal open title="表格的按键" footer={null} onCancel={onClose}>
      <dl className="sheet-keys">
        {[...own, ...more, ...SHEET_KEYS].map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
