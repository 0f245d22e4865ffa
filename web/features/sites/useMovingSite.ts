import { useQueryClient } from '@tanstack/react-query'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { SiteRow } from '@zhuguan/contract/features/sites/sites.record.ts'
import { metres, type Place } from '@zhuguan/contract/kit/places.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { message } from '../../kit/notices.ts'
import type { SiteMapData } from './sitePoints.ts'

/** A site that is being put where it belongs, and where it stood. */
export interface Moving {
  site: SiteRow
  from: Place | null
}

/** Moves one site on the map: from where it stands to where it is let go, saved when somebody says so. */
export function useMovingSite(data: SiteMapData | undefined) {
  const client = useQueryClient()
  const [moving, setMoving] = useState<Moving | null>(null)
  const [to, setTo] = useState<Place | null>(null)
  const [busy, setBusy] = useState(false)
  const refresh = (of: { path: string }) => client.invalidateQueries({ queryKey: [of.path] })

  function start(site: SiteRow): void {
    const i = data?.find(site.id)
    const from = i === undefined ? null : { lng: data!.lng[i]! / 1e6, lat: data!.lat[i]! / 1e6 }
    setTo(from)
    setMoving({ site, from })
  }
  async function place(): Promise<void> {
    const { site, from } = moving!
    setBusy(true)
    try {
      await call(sitesApi.place, { body: { id: site.id, version: site.version, ...to! } })
      message.success(`${site.ws_name} 的位置已${from ? '修正' : '标注'}`)
      setMoving(null)
      await Promise.all([sitesApi.points, sitesApi.list, sitesApi.details].map(refresh))
    } catch (why) {
      message.error((why as Error).message)
      void refresh(sitesApi.list)
    } finally {
      setBusy(false)
    }
  }
  /** Metres; null while it stood nowhere. */
  const moved = moving?.from && to ? metres(moving.from, to) : null
  const ready = !busy && to !== null && (moved === null || moved >= 1)
  return { moving, moved, ready, start, moveTo: setTo, place, stop: () => setMoving(null) }
}
