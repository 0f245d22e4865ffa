import { patrolTasksApi } from '@zhuguan/contract/features/patrols/plans.api.ts'

import { useList } from '../../kit/list/useList.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { SiteName } from './OfSite.tsx'
import { Tasks } from './Tasks.tsx'

import './patrols.css'

/** The patrols that plans wanted of one site, and their outcome. */
export default function SiteplanPatrolPage() {
  const list = useList(patrolTasksApi.list, { about: 'site_id' })
  const { site_id } = list.address.filters
  if (!site_id) return <NoSubject what="工地" from="工地信息" />
  return (
    <Tasks list={list} of={{ site: true }} about={<SiteName id={site_id} />} empty="这个工地没有巡检任务。" />
  )
}
