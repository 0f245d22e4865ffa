import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'

import { call } from '../kit/api.ts'
import type { Addressed } from '../kit/list/address.ts'
import { LookupFilter } from '../kit/list/filters.tsx'

interface Picked {
  id: string
  w_id: string
  w_name: string
  onSite: boolean
}
const workerLabel = (r: Picked) => ({
  value: r.id,
  label: `${r.w_id} ${r.w_name}${r.onSite ? ' · 在这个工地' : ''}`,
})
/** Those who are on the site come first. */
export const findWorkers = (keyword: string, site_id?: string) =>
  call(workersApi.pick, { query: { keyword, site_id } }).then((rows) => rows.map(workerLabel))
export const workerOf = (id: string) =>
  call(workersApi.pick, { query: { id } }).then((rows) => rows.map(workerLabel)[0])
export const WorkerFilter = ({ list }: { list: Addressed<'worker_id'> }) => (
  <LookupFilter
    list={list}
    field="worker_id"
    label="工人"
    find={(text) => findWorkers(text)}
    nameOf={workerOf}
  />
)
