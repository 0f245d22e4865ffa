import { Select } from 'antd'
import { useEffect, useState } from 'react'

import { findPeople, findSites } from './places.tsx'

interface PickerProps {
  value?: string | null
  onChange?: (id: string | null) => void
  label: string
}
export function Lookup({
  value,
  onChange,
  label,
  find,
}: PickerProps & { find: (text: string) => Promise<{ value: string; label: string }[]> }) {
  const [options, setOptions] = useState<{ value: string; label: string }[]>([])
  const search = (text: string) => void find(text).then(setOptions, () => {})
  useEffect(() => search(''), [])
  return (
    <Select
      style={{ width: '100%' }}
      placeholder={`选择${label}`}
      aria-label={label}
      allowClear
      showSearch={{ filterOption: false, onSearch: search }}
      value={value ?? undefined}
      options={options}
      onChange={(v?: string) => onChange?.(v ?? null)}
    />
  )
}
export const SitePicker = (p: PickerProps) => <Lookup {...p} find={findSites} />
export const PersonPicker = ({ site, post, ...p }: PickerProps & { site?: string; post?: number }) => (
  <Lookup {...p} find={(t) => findPeople(t, site, post)} />
)
