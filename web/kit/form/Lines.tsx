import { Button } from 'antd'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'

import { type RowAction, RowActions } from '../RowActions.tsx'
import { askedOf } from './asked.ts'
import type { Draft, Fields, Raw, RowIn, RowsName } from './useForm.ts'

import './lines.css'

type Row = Readonly<Record<string, unknown>>
const listIn = (of: Raw, name: string) => (of.get(name) as readonly Row[] | null | undefined) ?? []

/** One row of a list as a record of its own, for the same fields that a whole form has. */
function rowIn(of: Raw, name: string, at: number, mayBeBlank: boolean): Raw {
  const rows = listIn(of, name)
  const asked = (field: string) => askedOf(of.asked(name).rows?.[field])
  const put = (write: Raw['put']) => (field: string, value: unknown) =>
    write(
      name,
      rows.map((row, i) => (i === at ? { ...row, [field]: value } : row)),
    )
  const path = (field: string) => `${of.path(name)}.${at}.${field}`
  return {
    get: (field) => rows[at]?.[field],
    put: put(of.put),
    preset: put(of.preset),
    asked,
    needs: (field) => !mayBeBlank && asked(field).needed,
    fault: (field) => of.fault(`${name}.${at}.${field}`),
    theirs: () => undefined,
    path,
    frozen: of.frozen,
  }
}
const moved = <T,>(list: readonly T[], from: number, to: number): T[] => {
  const rest = list.filter((_, i) => i !== from)
  return [...rest.slice(0, to), list[from]!, ...rest.slice(to)]
}

const Tool = ({ name, sign, off, run }: { name: string; sign: string; off?: boolean; run: () => void }) => (
  <button type="button" className="icon-button" aria-label={name} title={name} disabled={off} onClick={run}>
    {sign}
  </button>
)

/**
 * A document's lines: the rows of one field, each with fields of its own. Alt+↑ and Alt+↓ move a row, Enter in the last
 * one begins another, Alt+Delete removes; the same can be done with buttons. Without `fresh` the rows are given.
 */
export function Lines<B, K extends RowsName<B>>({
  of,
  name,
  fresh,
  mayBeBlank = false,
  drag = false,
  columns,
  title,
  actions,
  sums,
  children,
}: {
  of: Fields<B>
  name: K
  /** A row that nothing is known of yet; with it rows can be added, removed and moved. */
  fresh?: () => Draft<RowIn<B, K & keyof B>>
  /** A row may be left empty, so none of its fields is marked as needed. */
  mayBeBlank?: boolean
  /** Rows have a grip by which they are dragged, beside keys and buttons. */
  drag?: boolean
  /** Widths of the fields in a row, as a grid says them. */
  columns: string
  /** The name of a row for those who cannot see where it stands. */
  title: (row: Draft<RowIn<B, K & keyof B>>, at: number) => string
  /** The further commands of a row. */
  actions?: (row: Draft<RowIn<B, K & keyof B>>, at: number) => RowAction[]
  sums?: (rows: readonly Draft<RowIn<B, K & keyof B>>[]) => ReactNode
  children: (row: Fields<RowIn<B, K & keyof B>>, at: number) => ReactNode
}) {
  type R = RowIn<B, K & keyof B>
  const { raw } = of
  const rows = listIn(raw, name)
  const box = useRef<HTMLOListElement>(null)
  // A row keeps its identity while it moves; its values say nothing of it.
  const [keys, setKeys] = useState<readonly number[]>([])
  const last = useRef(0)
  const newKeys = (count: number) => Array.from({ length: count }, () => (last.current += 1))
  useEffect(() => {
    if (keys.length !== rows.length) setKeys(newKeys(rows.length))
  }, [rows.length])
  const [dragged, setDragged] = useState<number | null>(null)
  const [focus, setFocus] = useState<number | null>(null)
  useEffect(() => {
    if (focus === null) return
    box.current?.children[focus]?.querySelector<HTMLElement>('input, textarea')?.focus()
    setFocus(null)
  }, [focus])

  const change = (next: readonly unknown[], nextKeys: readonly number[], at: number | null) => {
    setKeys(nextKeys)
    raw.put(name, next)
    setFocus(at)
  }
  const add = (at: number) =>
    change(
      [...rows.slice(0, at), fresh!(), ...rows.slice(at)],
      [...keys.slice(0, at), ...newKeys(1), ...keys.slice(at)],
      at,
    )
  const remove = (at: number) =>
    change(
      rows.filter((_, i) => i !== at),
      keys.filter((_, i) => i !== at),
      rows.length > 1 ? Math.min(at, rows.length - 2) : null,
    )
  const move = (at: number, to: number) =>
    to >= 0 && to < rows.length && change(moved(rows, at, to), moved(keys, at, to), to)
  function onKeyDown(e: KeyboardEvent, at: number) {
    if (!fresh) return
    const inField = (e.target as HTMLElement).matches('input')
    const plain = !e.altKey && !e.ctrlKey && !e.metaKey
    const does: Partial<Record<string, () => unknown>> = {
      ...(e.altKey && {
        ArrowUp: () => move(at, at - 1),
        ArrowDown: () => move(at, at + 1),
        Delete: () => remove(at),
      }),
      ...(plain && inField && at === rows.length - 1 && { Enter: () => add(at + 1) }),
    }
    const act = does[e.key]
    if (!act || e.nativeEvent.isComposing) return
    e.preventDefault()
    act()
  }
  const shown = rows as readonly Draft<R>[]
  const fault = raw.fault(name)
  return (
    <div className="lines" data-field={raw.path(name)}>
      <ol ref={box} style={{ '--columns': columns } as object}>
        {rows.map((row, at) => {
          const line = rowIn(raw, name, at, mayBeBlank)
          const more = actions?.(shown[at]!, at) ?? []
          return (
            <li
              key={keys[at] ?? `new ${at}`}
              aria-label={title(shown[at]!, at)}
              onKeyDown={(e) => onKeyDown(e, at)}
              onDragOver={(e) => dragged !== null && e.preventDefault()}
              onDrop={(e) => {
                e.preventDefault()
                if (dragged !== null) move(dragged, at)
                setDragged(null)
              }}
            >
              {children(
                {
                  values: row as Draft<R>,
                  set: (more) =>
                    raw.put(
                      name,
                      rows.map((r, i) => (i === at ? { ...r, ...more } : r)),
                    ),
                  raw: line,
                },
                at,
              )}
              {(fresh || more.length > 0) && (
                <span className="line-tools">
                  {more.length > 0 && <RowActions actions={more} onDone={() => {}} />}
                  {fresh && drag && (
                    <span
                      className="line-grip"
                      draggable
                      title="拖动排序"
                      onDragStart={() => setDragged(at)}
                      onDragEnd={() => setDragged(null)}
                    >
                      ⠿
                    </span>
                  )}
                  {fresh && (
                    <>
                      <Tool name="上移" sign="↑" off={at === 0} run={() => move(at, at - 1)} />
                      <Tool name="下移" sign="↓" off={at === rows.length - 1} run={() => move(at, at + 1)} />
                      <Tool name="删除" sign="×" run={() => remove(at)} />
                    </>
                  )}
                </span>
              )}
            </li>
          )
        })}
      </ol>
      {fault && <em role="alert">{fault}</em>}
      {(fresh || sums) && (
        <div className="lines-foot">
          {fresh && <Button onClick={() => add(rows.length)}>加一行</Button>}
          {sums && <span className="num">{sums(shown)}</span>}
        </div>
      )}
    </div>
  )
}
