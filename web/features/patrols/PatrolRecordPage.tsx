import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import { patrolTasksApi } from '@zhuguan/contract/features/patrols/plans.api.ts'
import type { ReactNode } from 'react'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { useList } from '../../kit/list/useList.ts'
import { usePage, useParam } from '../../kit/page.tsx'
import { dayOf, dayStart, nowSeconds } from '../../kit/time.ts'
import { Granted } from '../../parts/granted.tsx'
import { Patrols } from './Patrols.tsx'
import { Tasks } from './Tasks.tsx'

import './patrols.css'

const VIEWS = [
  ['records', '记录'],
  ['tasks', '任务'],
] as const
const DAY = 86_400
/** Up to the end of today: what is planned after that waits for nobody yet. */
const TASKS = () => `?view=tasks&to=${dayStart(dayOf(nowSeconds())) + DAY}`

/** Patrols that were made, and those that plans want. */
export default function PatrolRecordPage() {
  const page = usePage()
  const view = useParam('view') === 'tasks' ? 'tasks' : 'records'
  const views = (
    <>
      <span className="switch" role="group" aria-label="记录或任务">
        {VIEWS.map(([v, label]) => (
          <button
            key={v}
            aria-pressed={v === view}
            onClick={() => page.go(page.path + (v === 'tasks' ? TASKS() : ''), { replace: true })}
          >
            {label}
          </button>
        ))}
      </span>
      <Granted needs="patrol:do">
        <LinkTo page="PatrolDo" className="button primary">
          新增现场巡检
        </LinkTo>
      </Granted>
    </>
  )
  return view === 'tasks' ? <AllTasks views={views} /> : <AllPatrols views={views} />
}
const AllPatrols = ({ views }: { views: ReactNode }) => (
  <Patrols list={useList(patrolsApi.list)} views={views} empty="还没有巡检记录；现场巡检在手机上进行。" />
)
const AllTasks = ({ views }: { views: ReactNode }) => (
  <Tasks
    list={useList(patrolTasksApi.list)}
    views={views}
    empty="没有巡检任务；巡检计划会按频率为在建的工地生成任务。"
  />
)
