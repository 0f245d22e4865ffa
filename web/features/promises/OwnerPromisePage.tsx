import { useQuery } from '@tanstack/react-query'
import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'

import { call } from '../../kit/api.ts'
import { useList } from '../../kit/list/useList.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { Promises } from './Promises.tsx'

/** The promises to the owner of one home. */
export default function OwnerPromisePage() {
  const list = useList(promisesApi.list, { about: 'site_id' })
  const { site_id } = list.address.filters
  const { data: site } = useQuery({
    queryKey: [sitesApi.pick.path, site_id],
    enabled: !!site_id,
    queryFn: ({ signal }) => call(sitesApi.pick, { query: { id: site_id! } }, signal),
  })
  if (!site_id) return <NoSubject what="工地" from="承诺管理" />
  return (
    <Promises
      list={list}
      site_id={site_id}
      about={<b className="about">{site?.[0]?.ws_name}</b>}
      empty="没有对这一家的业主承诺过什么。"
    />
  )
}
