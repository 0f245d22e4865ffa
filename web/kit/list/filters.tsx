import { type ReactNode, useEffect, useState } from 'react'

import { Opener } from '../Floating.tsx'
import { lazyPart } from '../lazyPart.tsx'
import type { Addressed } from './address.ts'

interface Option {
  value: number | string
  label: string
}
const WAIT_MS = 300

/** Hands on what was typed once typing pauses. */
function useTyped(kept: string, give: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(kept)
  useEffect(() => setText(kept), [kept])
  useEffect(() => {
    if (text.trim() === kept) return
    const timer = setTimeout(() => give(text.trim()), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText]
}

export const KeywordFilter = ({ list, placeholder }: { list: Addressed<'keyword'>; placeholder: string }) => (
  <TextFilter list={list} field="keyword" label="关键字" placeholder={placeholder} />
)

/** Whatever is typed is looked for in one field. */
export function TextFilter<F extends string>({
  list,
  field,
  label,
  placeholder = label,
}: {
  list: Addressed<F>
  field: NoInfer<F>
  label: string
  placeholder?: string
}) {
  const [text, setText] = useTyped(list.address.filters[field] ?? '', (typed) =>
    list.filter([field, typed || undefined]),
  )
  return (
    <input
      type="search"
      className="input"
      value={text}
      maxLength={50}
      placeholder={placeholder}
      aria-label={label}
      onChange={(e) => setText(e.target.value)}
    />
  )
}

/** A filter at rest says its name; an active one says its value and can be taken off. */
function Chip({
  label,
  value,
  onClear,
  children,
}: {
  label: string
  value: string
  onClear: () => void
  children: (close: () => void) => ReactNode
}) {
  const button = (
    <button className={`filter${value ? ' on' : ''}`}>
      {label}
      {value ? <b>{value}</b> : <i className="caret" />}
    </button>
  )
  return (
    <span className="chip-box">
      <Opener button={button}>{children}</Opener>
      {value && (
        <button className="filter-off" aria-label={`去掉${label}`} onClick={onClear}>
          ×
        </button>
      )}
    </span>
  )
}

/** A filter that is set elsewhere (a map, a figure that was opened): here it is said, and taken off. */
export function GivenFilter<F extends string>({
  list,
  field,
  label,
  value,
}: {
  list: Addressed<F>
  field: NoInfer<F>
  label: string
  value: (kept: string) => string
}) {
  const kept = list.address.filters[field]
  if (!kept) return null
  return (
    <span className="chip-box">
      <span className="filter on">
        {label}
        <b>{value(kept)}</b>
      </span>
      <button
        className="filter-off"
        aria-label={`去掉${label}`}
        onClick={() => list.filter([field, undefined])}
      >
        ×
      </button>
    </span>
  )
}

/** One or several codes of a closed list. */
export function CodeFilter<F extends string>({
  list,
  field,
  label,
  options,
  single,
  hint,
}: {
  list: Addressed<F>
  field: NoInfer<F>
  label: string
  options: readonly Option[]
  single?: boolean
  /** A sentence under what can be chosen. */
  hint?: string
}) {
  const chosen = list.address.filters[field]?.split(',') ?? []
  const named = chosen.map((v) => options.find((o) => String(o.value) === v)?.label ?? v)
  const set = (values: string[]) => list.filter([field, values.join(',') || undefined])
  return (
    <Chip
      label={label}
      value={named.length > 2 ? `${named[0]} 等 ${named.length} 项` : named.join('、')}
      onClear={() => set([])}
    >
      {(close) => (
        <div className="pick" role={single ? 'listbox' : 'group'} aria-label={label}>
          {options.map((o, i) => {
            const value = String(o.value)
            const on = chosen.includes(value)
            return single ? (
              <button
                key={value}
                role="option"
                aria-selected={on}
                data-focus={i === 0 || undefined}
                onClick={() => {
                  close()
                  set(on ? [] : [value])
                }}
              >
                {o.label}
              </button>
            ) : (
              <label key={value}>
                <input
                  type="checkbox"
                  data-focus={i === 0 || undefined}
                  checked={on}
                  onChange={() => set(on ? chosen.filter((v) => v !== value) : [...chosen, value])}
                />
                {o.label}
              </label>
            )
          })}
          {options.length === 0 && <p className="quiet">没有可选的内容</p>}
          {hint && <small className="quiet hint">{hint}</small>}
        </div>
      )}
    </Chip>
  )
}

type Find = (text: string) => Promise<{ value: string; label: string }[]>

function Finder({
  label,
  find,
  onPick,
}: {
  label: string
  find: Find
  onPick: (found: { value: string; label: string }) => void
}) {
  const [found, setFound] = useState<{ value: string; label: string }[] | null>(null)
  const search = (text: string) => void find(text).then(setFound, () => setFound([]))
  const [text, setText] = useTyped('', search)
  useEffect(() => search(''), [])
  return (
    <div className="pick" role="listbox" aria-label={label}>
      <input
        className="input"
        data-focus
        value={text}
        placeholder={`查找${label}`}
        aria-label={`查找${label}`}
        onChange={(e) => setText(e.target.value)}
      />
      {found?.map((o) => (
        <button key={o.value} role="option" aria-selected={false} onClick={() => onPick(o)}>
          {o.label}
        </button>
      ))}
      {found?.length === 0 && <p className="quiet">没有找到</p>}
    </div>
  )
}

/** Something looked up on the server while typing; `nameOf` says what an id in the address stands for. */
export function LookupFilter<F extends string>({
  list,
  field,
  label,
  find,
  nameOf,
}: {
  list: Addressed<F>
  field: NoInfer<F>
  label: string
  find: Find
  nameOf: (id: string) => Promise<{ value: string; label: string } | undefined>
}) {
  const kept = list.address.filters[field]
  const [name, setName] = useState<{ value: string; label: string } | null>(null)
  useEffect(() => {
    if (kept && name?.value !== kept)
      nameOf(kept).then(
        (found) => setName(found ?? { value: kept, label: '查看不到的记录' }),
        () => setName({ value: kept, label: '名称没有读到' }),
      )
  }, [kept])
  const known = name && name.value === kept ? name.label : '…'
  return (
    <Chip label={label} value={kept ? known : ''} onClear={() => list.filter([field, undefined])}>
      {(close) => (
        <Finder
          label={label}
          find={find}
          onPick={(o) => {
            close()
            setName(o)
            list.filter([field, o.value])
          }}
        />
      )}
    </Chip>
  )
}

const Range = lazyPart(
  () => import('./DayRange.tsx'),
  ({ label }) => (
    <button className="filter" aria-busy="true">
      {label}
      <i className="caret" />
    </button>
  ),
)
/** The calendar is heavy and comes when it is first wanted. */
export function DayRangeFilter<F extends string>({
  list,
  from,
  to,
  label,
  seconds,
}: {
  list: Addressed<F>
  from: NoInfer<F>
  to: NoInfer<F>
  label: string
  /** The server wants Unix seconds. */ seconds?: boolean
}) {
  const set = !!(list.address.filters[from] || list.address.filters[to])
  const [wanted, setWanted] = useState(set)
  // It may be set from elsewhere after this was drawn.
  if (!wanted && !set)
    return (
      <button className="filter" onClick={() => setWanted(true)}>
        {label}
        <i className="caret" />
      </button>
    )
  return (
    <span className="chip-box">
      <span className={set ? 'on' : ''}>
        <Range
          label={label}
          open={!set}
          from={list.address.filters[from]}
          to={list.address.filters[to]}
          seconds={seconds ?? false}
          onChange={(a, b) => list.filter([from, a], [to, b])}
        />
      </span>
    </span>
  )
}
