import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import {
  patrolPlansApi,
  patrolTasksApi,
  patrolTemplatesApi,
} from '@zhuguan/contract/features/patrols/plans.api.ts'

import { examplesOf } from '../../testing/example.ts'

const items = [{ title: '地面清洁', hint: '', weight: 1, photo: false }]
export const patrolsExamples = examplesOf(patrolsApi, (r) => {
  const query = {
    bc_id: [r.bc_id],
    site_id: r.site,
    user_id: r.person,
    worker_id: r.worker,
    plan_id: r.patrolPlan,
    id: r.patrol,
  }
  return {
    list: { query },
    export: { query },
    details: { query: { id: r.patrol } },
    begin: [
      { body: { task_id: r.patrolTask } },
      { body: { site_id: r.site, template_id: r.patrolTemplate } },
    ],
    submit: {
      body: {
        id: r.patrol,
        items: [
          {
            id: r.patrolItem,
            verdict: 'failed',
            pictures: [r.upload],
            correction: { problem: '地面有积水', assignee_id: r.manager },
          },
        ],
      },
    },
    abandon: { body: { id: r.patrol, version: 0, reason: '临时有事' } },
    remote: {
      body: {
        site_id: r.site,
        device_id: r.device,
        picture: 'still.jpg',
        picture_at: 1_700_000_000,
        tidiness: 2,
        problems: [],
        task_id: r.patrolTask,
        view: r.liveView,
      },
      answers: { view: 400 },
    },
    stills: { query: { ids: [r.device] } },
    wall: { query: { bc_id: [r.bc_id], site_id: r.site } },
  }
})

export const patrolTemplatesExamples = examplesOf(patrolTemplatesApi, (r) => {
  const one = { id: r.patrolTemplate, version: 0 }
  return {
    list: { query: { bc_id: r.bc_id } },
    add: { body: { name: '油工阶段', bc_id: r.bc_id, items } },
    edit: { body: { ...one, name: '油工阶段', items } },
    stop: { body: one },
    start: { body: one },
  }
})

export const patrolPlansExamples = examplesOf(patrolPlansApi, (r) => {
  const plan = {
    name: '每日巡检',
    kind: 'plan' as const,
    template_id: r.patrolTemplate,
    site_ids: [r.site],
    every: 'day' as const,
    weekdays: [1 as const],
    share: 'one' as const,
    user_ids: [r.manager],
    fromTime: '08:00',
    toTime: '18:00',
    days: 1,
  }
  const one = { id: r.patrolPlan, version: 0 }
  const query = { bc_id: [r.bc_id], user_id: r.person, id: r.patrolPlan }
  return {
    list: { query },
    export: { query },
    add: { body: { ...plan, bc_id: r.bc_id } },
    edit: { body: { ...one, ...plan } },
    stop: { body: { ...one, reason: '不再需要' } },
  }
})

export const patrolTasksExamples = examplesOf(patrolTasksApi, (r) => {
  const query = {
    bc_id: [r.bc_id],
    site_id: r.site,
    plan_id: r.patrolPlan,
    user_id: r.person,
    worker_id: r.worker,
    id: r.patrolTask,
  }
  return {
    list: { query },
    export: { query },
    excuse: { body: { id: r.patrolTask, version: 0, reason: '业主不在家' } },
  }
})
