import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'

import { call } from '../kit/api.ts'
import { LookupFilter } from '../kit/list/filters.tsx'
import type { List } from '../kit/list/useList.ts'

type AnyList = Pick<List<{ id: string }>, 'address' | 'filter'>

const workerLabel = (r: { id: string; w_id: string; w_name: string }) => ({
  value: r.id,
  label: `${r.w_id} ${r.w_name}`,
})
export const findWorkers = (keyword: string) =>
  call(workersApi.pick, { query: { keyword } }).then((rows) => rows.map(workerLabel))
const workerOf = (id: string) =>
  call(workersApi.pick, { query: { id } }).then((rows) => rows.map(workerLabel)[0])
export const WorkerFilter = ({ list }: { list: AnyList }) => (
  <LookupFilter list={list} field="worker_id" label="工人" find={findWorkers} nameOf={workerOf} />
)
