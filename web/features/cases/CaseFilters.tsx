import type { FieldCase } from '@zhuguan/contract/features/cases/cases.record.ts'
import type { NearbyMiddle } from '@zhuguan/contract/features/nearby/nearby.record.ts'

import { PlaceSearch } from '../../parts/PlaceSearch.tsx'
import type { Place } from './CaseBoard.tsx'

const FIELDS = {
  style: '风格',
  layout: '户型',
  areaRange: '面积',
  priceRange: '造价',
} as const
type Field = keyof typeof FIELDS
export const fields = Object.keys(FIELDS) as Field[]
export type Chosen = Readonly<Partial<Record<Field, string>> & { within?: number }>
const KM = 1_000
const WITHIN = [1, 2, 5, 10, 20]

/** A visitor's questions: how it looks, how big it is, what it costs, and how far it is from their home. */
export function CaseFilters({
  all,
  chosen,
  onChoose,
  place,
  onPlace,
  middle,
}: {
  all: readonly FieldCase[]
  chosen: Chosen
  onChoose: (next: Chosen) => void
  place: Place
  onPlace: (place: Place) => void
  middle: NearbyMiddle | undefined
}) {
  const isNowhere = !middle || middle.kind === 'none'
  const from = isNowhere ? '' : `离${middle.name} `
  return (
    <span className="case-filters">
      {fields.map((f) => {
        const values = [...new Set(all.map((k) => k[f]).filter((v): v is string => !!v))]
        return (
          <select
            key={f}
            aria-label={FIELDS[f]}
            value={chosen[f] ?? ''}
            onChange={(e) => {
              const { [f]: _old, ...rest } = chosen
              onChoose(e.target.value ? { ...rest, [f]: e.target.value } : rest)
            }}
          >
            <option value="">{FIELDS[f]}</option>
            {values
              .toSorted((a, b) => a.localeCompare(b, 'zh', { numeric: true }))
              .map((v) => (
                <option key={v} value={v}>
                  {v}
                </option>
              ))}
          </select>
        )
      })}
      <PlaceSearch here={place.community} onPick={onPlace} quiet />
      <select
        aria-label="距离"
        disabled={isNowhere}
        title={isNowhere ? '先输入客户住的小区' : '按小区算；业主没有同意公开小区的不算在内'}
        value={chosen.within ?? ''}
        onChange={(e) => {
          const { within: _old, ...rest } = chosen
          onChoose(e.target.value ? { ...rest, within: Number(e.target.value) } : rest)
        }}
      >
        <option value="">距离</option>
        {WITHIN.map((km) => (
          <option key={km} value={km * KM}>
            {`${from}${km} 公里内`}
          </option>
        ))}
      </select>
      {(Object.keys(chosen).length > 0 || place.community !== '') && (
        <button
          onClick={() => {
            onChoose({})
            onPlace({ community: '', city: '' })
          }}
        >
          清除
        </button>
      )}
    </span>
  )
}
