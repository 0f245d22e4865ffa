import { patrolTasksApi } from '@zhuguan/contract/features/patrols/plans.api.ts'

import { useList } from '../../kit/list/useList.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { WorkerName } from '../../parts/WorkerName.tsx'
import { Tasks } from './Tasks.tsx'

import './patrols.css'

/** The patrols that plans wanted of one steward or manager, and their outcome. */
export default function WorkerplanPatrolPage() {
  const list = useList(patrolTasksApi.list, { about: 'worker_id' })
  const { worker_id } = list.address.filters
  if (!worker_id) return <NoSubject what="工人" from="工人基本信息" />
  return (
    <Tasks
      list={list}
      of={{ person: true }}
      about={<WorkerName id={worker_id} />}
      empty="没有计划巡检；没有对应账号的，请在工人的编辑里选择。"
    />
  )
}
