import { useQuery, useQueryClient } from '@tanstack/react-query'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { usersApi } from '@zhuguan/contract/features/users/users.api.ts'

import { call, callAddressed } from '../kit/api.ts'
import type { Addressed } from '../kit/list/address.ts'
import { CodeFilter, LookupFilter } from '../kit/list/filters.tsx'

export const useBranches = () =>
  useQuery({
    queryKey: [sessionApi.companylistprebc.path],
    staleTime: 300_000,
    queryFn: ({ signal }) => call(sessionApi.companylistprebc, {}, signal),
  }).data ?? []

/** After a branch was opened, renamed or closed: every choice reads them anew. */
export function useBranchesAnew(): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: [sessionApi.companylistprebc.path] })
}

/** Shown to those who see more than one branch. */
export function BranchFilter({ list, single }: { list: Addressed<'bc_id'>; single?: boolean }) {
  const branches = useBranches()
  if (branches.length < 2) return null
  return (
    <CodeFilter
      list={list}
      single={single}
      field="bc_id"
      label="分公司"
      options={branches.map((b) => ({ value: b.bc_id, label: b.bc_name }))}
    />
  )
}

const siteLabel = (r: { id: string; code: string; ws_name: string }) => ({
  value: r.id,
  label: `${r.code} ${r.ws_name}`,
})
const personLabel = (r: { id: string; nickname: string; post: string; bc_name: string; away: string }) => ({
  value: r.id,
  label: `${r.nickname}（${r.post || r.bc_name}）${r.away && ` ${r.away}`}`,
})
export const findSites = (keyword: string, bc_id?: string) =>
  call(sitesApi.pick, { query: { keyword, bc_id } }).then((rows) => rows.map(siteLabel))
/** What somebody must be able to do on a site to be named for it. */
export type Does = 'alarm' | 'correction' | 'feedback'
export const findPeople = (
  keyword: string,
  {
    site,
    bc,
    ...rest
  }: { site?: string; bc?: string; post?: number; correct?: 'alarm' | 'correction' | 'feedback' } = {},
) =>
  callAddressed(usersApi.pick, { keyword, site_id: site, bc_id: bc, ...rest }).then((rows) =>
    rows.map(personLabel),
  )
/** An address knows ids only. */
export const siteOf = (id: string) =>
  call(sitesApi.pick, { query: { id } }).then((rows) => rows.map(siteLabel)[0])
export const personOf = (id: string) =>
  call(usersApi.pick, { query: { id } }).then((rows) => rows.map(personLabel)[0])

export const SiteFilter = ({ list }: { list: Addressed<'site_id'> }) => (
  <LookupFilter list={list} field="site_id" label="工地" find={findSites} nameOf={siteOf} />
)
export const PersonFilter = <F extends string>({
  list,
  field,
  label,
  post,
}: {
  list: Addressed<F>
  field: NoInfer<F>
  label: string
  post?: number
}) => (
  <LookupFilter
    list={list}
    field={field}
    label={label}
    find={(t) => findPeople(t, { post })}
    nameOf={personOf}
  />
)
