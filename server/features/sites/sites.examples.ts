import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { stagesApi } from '@zhuguan/contract/features/sites/stages.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const sitesExamples = examplesOf(sitesApi, (r) => {
  const one = { id: r.site, version: 0 }
  const site = { ws_name: '改名', bc_id: r.bc_id, store_id: r.store, address: '某地' }
  const filters = {
    bc_id: [r.bc_id],
    store_id: [r.store],
    steward_id: r.steward,
    manager_id: r.manager,
    ids: [r.site],
  }
  return {
    list: { query: filters },
    points: { query: filters },
    export: { query: filters },
    stores: { query: { bc_id: r.bc_id } },
    phone: { body: { id: r.site, reason: '试试看' } },
    pick: { query: { id: r.site, bc_id: r.bc_id } },
    details: { query: { id: r.site } },
    foresee: { query: { id: r.site, change: 'move' as const, bc_id: r.bc_id } },
    add: { body: { ...site, steward_id: r.steward, manager_id: r.manager } },
    edit: { body: { ...one, ...site, steward_id: r.steward, manager_id: r.manager } },
    state: { body: { ...one, action: 'finish' as const, reason: '试试看', aftercare_id: r.person } },
    move: { body: { ...one, bc_id: r.bc_id, reason: '试试看' } },
    people: { body: { ...one, steward_id: r.steward, manager_id: r.manager } },
    livedIn: { body: { ...one, livedIn: true, reason: '试试看' } },
    place: { body: { ...one, lng: 120, lat: 30 } },
  }
})
export const stagesExamples = examplesOf(stagesApi, (r) => {
  const one = { id: r.site, version: 0 }
  const tiling = { stage: 'tiling', plannedStart: '2026-01-01', plannedFinish: '2026-01-02' } as const
  return {
    plan: { body: { ...one, stages: [tiling] } },
    change: { body: { ...one, stage: 'tiling', action: 'begin' as const } },
  }
})
