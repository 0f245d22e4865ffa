import { useQuery } from '@tanstack/react-query'
import { nearbyApi } from '@zhuguan/contract/features/nearby/nearby.api.ts'
import { type NearbyPlace, TYPED_POINT } from '@zhuguan/contract/features/nearby/nearby.record.ts'
import { useState } from 'react'

import { call } from '../kit/api.ts'

import './placeSearch.css'

/** A community that the group knows, by a part of its name; Enter takes the first. */
export function PlaceSearch({
  here,
  onPick,
  onPoint,
  quiet = false,
}: {
  here: string
  onPick: (place: NearbyPlace) => void
  /** A point that was typed, where one may be asked about. */
  onPoint?: (point: string) => void
  /** It is one of several ways to look, and does not take the keyboard. */
  quiet?: boolean
}) {
  const [typed, setTyped] = useState('')
  const keyword = typed.trim()
  const point = keyword.replaceAll(/\s*[,，]\s*|\s+/g, ',')
  const isPoint = onPoint !== undefined && TYPED_POINT.test(point)
  const { data, error } = useQuery({
    queryKey: [nearbyApi.places.path, keyword],
    enabled: keyword !== '' && !isPoint,
    queryFn: ({ signal }) => call(nearbyApi.places, { query: { keyword } }, signal),
  })
  const found = keyword === '' ? [] : (data ?? [])
  function pick(place: NearbyPlace | undefined) {
    if (!place) return
    setTyped('')
    onPick(place)
  }
  const take = () => (isPoint ? go() : pick(found[0]))
  function go() {
    setTyped('')
    onPoint?.(point)
  }
  return (
    <span className="place-search">
      <input
        aria-label="小区"
        placeholder={here || '输入客户的小区'}
        autoFocus={here === '' && !quiet}
        value={typed}
        maxLength={50}
        onChange={(e) => setTyped(e.target.value)}
        onKeyDown={(e) => {
          if (e.key === 'Enter' && !e.nativeEvent.isComposing) take()
          if (e.key === 'Escape') setTyped('')
          e.stopPropagation()
        }}
      />
      {isPoint && (
        <span className="place-found">
          <button onClick={go}>
            <b>看这一点的周边</b>
            <small>{point}</small>
          </button>
        </span>
      )}
      {keyword !== '' && !isPoint && (data || error) && (
        <span className="place-found">
          {error && <small>{error.message}</small>}
          {data && found.length === 0 && <small>没有在这样的小区做过工地，换一个字试试</small>}
          {found.map((p) => (
            <button key={`${p.city} ${p.community}`} onClick={() => pick(p)}>
              <b>{p.community}</b>
              <small>
                {p.city}，在建 {p.building}，完工 {p.finished}
              </small>
            </button>
          ))}
        </span>
      )}
    </span>
  )
}
