import { useQuery } from '@tanstack/react-query'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { warningsApi } from '@zhuguan/contract/features/warnings/warnings.api.ts'
import type { WarningRow } from '@zhuguan/contract/features/warnings/warnings.record.ts'

import { call } from '../../kit/api.ts'
import type { ColumnOf } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { Warnings } from './Warnings.tsx'

/** The faults of the schedule, or of the quality, of one home. */
export function HomeWarnings({
  kind,
  columns,
  empty,
}: {
  kind: WarningRow['kind']
  columns: ColumnOf<typeof warningsApi.list>[]
  empty: string
}) {
  const list = useList(warningsApi.list, { about: 'site_id', always: { kind } })
  const { site_id } = list.address.filters
  const { data: site } = useQuery({
    queryKey: [sitesApi.pick.path, site_id],
    enabled: !!site_id,
    queryFn: ({ signal }) => call(sitesApi.pick, { query: { id: site_id! } }, signal),
  })
  if (!site_id) return <NoSubject what="工地" from="工期与质量预警" />
  return (
    <Warnings
      list={list}
      columns={columns}
      of={kind}
      about={<b className="about">{site?.[0]?.ws_name}</b>}
      empty={empty}
    />
  )
}
