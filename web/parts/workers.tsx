import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'

import { call } from '../kit/api.ts'
import type { Addressed } from '../kit/list/address.ts'
import { LookupFilter } from '../kit/list/filters.tsx'

const workerLabel = (r: { id: string; w_id: string; w_name: string }) => ({
  value: r.id,
  label: `${r.w_id} ${r.w_name}`,
})
export const findWorkers = (keyword: string) =>
  call(workersApi.pick, { query: { keyword } }).then((rows) => rows.map(workerLabel))
export const workerOf = (id: string) =>
  call(workersApi.pick, { query: { id } }).then((rows) => rows.map(workerLabel)[0])
export const WorkerFilter = ({ list }: { list: Addressed<'worker_id'> }) => (
  <LookupFilter list={list} field="worker_id" label="工人" find={findWorkers} nameOf={workerOf} />
)
