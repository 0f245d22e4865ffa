import { Input, Select } from 'antd'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { List } from './useList.ts'

type AnyList = Pick<List<{ id: string }>, 'address' | 'filter'>
const WAIT_MS = 300

export function KeywordFilter({ list, placeholder }: { list: AnyList; placeholder: string }) {
  const kept = list.address.filters.keyword ?? ''
  const [text, setText] = useState(kept)
  useEffect(() => setText(kept), [kept])
  useEffect(() => {
    if (text.trim() === kept) return
    const timer = setTimeout(() => list.filter({ keyword: text.trim() || undefined }), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  return <Input allowClear value={text} placeholder={placeholder} aria-label="关键字" onChange={(e) => setText(e.target.value)} />
}

/** One or several codes of a closed list. */
export function CodeFilter({ list, field, label, options, single }: { list: AnyList; field: string; label: string; options: readonly { value: number | string; label: string }[]; single?: boolean }) {
  const kept = list.address.filters[field]
  const common = { placeholder: label, 'aria-label': label, allowClear: true, popupMatchSelectWidth: false, options: options.map((o) => ({ value: String(o.value), label: o.label })) }
  return single
    ? <Select {...common} value={kept} onChange={(v?: string) => list.filter({ [field]: v })} />
    : <Select {...common} mode="multiple" maxTagCount={1} maxTagTextLength={5} showSearch={false} value={kept ? kept.split(',') : []} onChange={(v: string[]) => list.filter({ [field]: v.join(',') || undefined })} />
}

/** Something looked up on the server while typing. */
export function LookupFilter({ list, field, label, find }: { list: AnyList; field: string; label: string; find: (text: string) => Promise<{ value: string; label: string }[]> }) {
  const [options, setOptions] = useState<{ value: string; label: string }[]>([])
  const search = (text: string) => void find(text).then(setOptions, () => {})
  const kept = list.address.filters[field]
  useEffect(() => {
    if (kept && options.length === 0) search('')
  }, [kept])
  return <Select placeholder={label} aria-label={label} allowClear showSearch={{ filterOption: false, onSearch: search }} popupMatchSelectWidth={false} value={kept} options={options} onOpenChange={(open) => open && options.length === 0 && search('')} onChange={(v?: string) => list.filter({ [field]: v })} />
}

const Range = lazy(() => import('./DayRange.tsx'))
/** The calendar is heavy and comes when it is first wanted. */
export function DayRangeFilter({ list, from, to, label, seconds }: { list: AnyList; from: string; to: string; label: string; /** The server wants Unix seconds. */ seconds?: boolean }) {
  const set = !!(list.address.filters[from] || list.address.filters[to])
  const [wanted, setWanted] = useState(set)
  if (!wanted) return <button className="plain-button" onClick={() => setWanted(true)}>{label}</button>
  return <Suspense fallback={<button className="plain-button">{label}</button>}><Range label={label} open={!set} from={list.address.filters[from]} to={list.address.filters[to]} seconds={seconds ?? false} onChange={(a, b) => list.filter({ [from]: a, [to]: b })} /></Suspense>
}
