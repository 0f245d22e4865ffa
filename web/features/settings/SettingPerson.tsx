import { Select } from 'antd'
import { useEffect, useState } from 'react'

import { findPeople, personOf } from '../../parts/places.tsx'
import type { SettingPeople } from './SettingLine.tsx'

type Option = Awaited<ReturnType<typeof findPeople>>[number]
const NOBODY = { value: '', label: '不指定' }

/** A person whom a setting names; that they are stopped or away is said beside them. */
export default function SettingPerson({
  bc,
  people,
  value,
  onChange,
  ...look
}: {
  id: string
  disabled: boolean
  status: '' | 'error'
  bc: string
  people: SettingPeople
  value: string
  onChange: (value: unknown) => void
}) {
  const [found, setFound] = useState<readonly Option[]>([])
  const [named, setNamed] = useState<Option | undefined>()
  const search = (text: string) =>
    void findPeople(text, { bc: bc || undefined }).then(setFound, () => setFound([]))
  useEffect(() => search(''), [bc])
  const known = people.find((p) => p.id === value)
  const listed = found.find((o) => o.value === value)
  useEffect(() => {
    if (value && !known && !listed) void personOf(value).then(setNamed, () => {})
  }, [value, known, listed])
  const shown = known ? { value, label: known.nickname } : (named ?? { value, label: '集团指定的人' })
  const options = [NOBODY, ...found, ...(value && !listed ? [shown] : [])]
  return (
    <>
      <Select
        {...look}
        className="setting-times"
        virtual={false}
        showSearch={{ filterOption: false, onSearch: search }}
        value={value}
        options={options}
        onChange={onChange}
      />
      {known?.why && (
        <em role="alert">
          {known.nickname}
          {known.why}，请换一位
        </em>
      )}
    </>
  )
}
