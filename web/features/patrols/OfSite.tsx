import { useQuery } from '@tanstack/react-query'
import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import type { PatrolKind } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'

import { call } from '../../kit/api.ts'
import { useList } from '../../kit/list/useList.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { Patrols } from './Patrols.tsx'

import './patrols.css'

/** The person whose list it is. */
export function SiteName({ id }: { id: string }) {
  const { data: site } = useQuery({
    queryKey: [sitesApi.details.path, id],
    queryFn: ({ signal }) => call(sitesApi.details, { query: { id } }, signal),
  })
  return <b className="about">{site?.ws_name}</b>
}

/** Patrols of one site, done in one way. */
export function OfSite({ kind, empty }: { kind: PatrolKind; empty: string }) {
  const list = useList(patrolsApi.list, { about: 'site_id', always: { kind } })
  const { site_id } = list.address.filters
  if (!site_id) return <NoSubject what="工地" from="工地信息" />
  return <Patrols list={list} of={{ site: true, kind }} about={<SiteName id={site_id} />} empty={empty} />
}
