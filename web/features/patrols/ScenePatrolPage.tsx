import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'

import { useList } from '../../kit/list/useList.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { WorkerName } from '../../parts/WorkerName.tsx'
import { Patrols } from './Patrols.tsx'

import './patrols.css'

/** The findings of one steward or manager on sites. */
export default function ScenePatrolPage() {
  const list = useList(patrolsApi.list, { about: 'worker_id', always: { kind: 'scene' } })
  const { worker_id } = list.address.filters
  if (!worker_id) return <NoSubject what="工人" from="工人基本信息" />
  return (
    <Patrols
      list={list}
      of={{ person: true, kind: 'scene' }}
      about={<WorkerName id={worker_id} />}
      empty="没有现场巡检；没有对应账号的，请在工人的编辑里选择。"
    />
  )
}
