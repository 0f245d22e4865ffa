import { useQuery } from '@tanstack/react-query'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { Place } from '@zhuguan/contract/kit/places.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { PlacePicker } from '../../parts/PlacePicker.tsx'
import { useMayOpen } from '../../parts/session.ts'
import { readPoints, SITE_KINDS } from './sitePoints.ts'

/** The place of a site, put on a map that shows the other sites of its branch. */
export function SitePlacePicker({
  place,
  near,
  onChange,
}: {
  place: Place | null
  near: string | null | undefined
  onChange: (to: Place) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const mayMap = useMayOpen('SiteMap')
  const { data } = useQuery({
    queryKey: [sitesApi.points.path, 'near', near],
    enabled: isOpen && mayMap && !!near,
    structuralSharing: false,
    queryFn: async ({ signal }) =>
      readPoints(await call(sitesApi.points, { query: { bc_id: [near!] } }, signal)),
  })
  const around = { about: near ?? '', kinds: SITE_KINDS, points: data, called: '工地' }
  return <PlacePicker place={place} onChange={onChange} around={around} onOpen={setOpen} />
}
