import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import type { CustomerRow } from '@zhuguan/contract/features/customers/customers.record.ts'
import { Select } from 'antd'
import { useEffect, useRef, useState } from 'react'

import { call } from '../kit/api.ts'

const PAUSE_MS = 250
const textOf = (c: CustomerRow) => [c.name, c.phone, c.community, c.storeName].filter(Boolean).join(' · ')

/** A customer, looked up by name, telephone or community; one that is not there yet can be made. */
export function CustomerPick({
  label = '客户',
  value,
  onPick,
  onNew,
  signed = false,
}: {
  label?: string
  /** Only who has signed. */
  signed?: boolean
  value: CustomerRow | null
  onPick: (customer: CustomerRow) => void
  /** With what was typed; without it only who is there is picked. */
  onNew?: (typed: string) => void
}) {
  const [found, setFound] = useState<readonly CustomerRow[] | null>(null)
  const [typed, setTyped] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const read = (keyword: string): Promise<readonly CustomerRow[]> =>
    call(customersApi.pick, { query: { keyword, ...(signed && { signed: 'true' as const }) } }).catch(
      () => [],
    )
  const search = (keyword: string) => void read(keyword).then(setFound)
  /** A name that nobody bears is somebody new; the answer may still be on its way when it is entered. */
  async function enter(name: string) {
    clearTimeout(timer.current)
    const there = await read(name)
    setFound(there)
    if (there.length === 0) onNew?.(name)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const known = value && !found?.some((c) => c.id === value.id) ? [value] : []
  return (
    <Select
      className="wide"
      virtual={false}
      autoFocus={!!onNew}
      aria-label={label}
      placeholder="输入姓名、电话或小区查找客户"
      value={value?.id ?? null}
      notFoundContent={
        found && onNew ? (
          <button className="text-button" onClick={() => onNew(typed)}>
            没有找到，新增客户{typed && `“${typed}”`}
          </button>
        ) : (
          (found && '没有找到') || '正在查找…'
        )
      }
      showSearch={{
        filterOption: false,
        onSearch: (text) => {
          setTyped(text)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => search(text), PAUSE_MS)
        },
      }}
      onOpenChange={(open) => open && !found && search('')}
      onInputKeyDown={(e) => {
        const isEntered = e.key === 'Enter' && !e.nativeEvent.isComposing
        if (isEntered && onNew && typed.trim()) void enter(typed.trim())
      }}
      options={[...(found ?? []), ...known].map((c) => ({ value: c.id, label: textOf(c) }))}
      onChange={(id: string | null) => {
        const picked = found?.find((c) => c.id === id)
        if (picked) onPick(picked)
      }}
    />
  )
}
