import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'

import { rowsBy } from '../../kit/ahead.ts'
import { useList } from '../../kit/list/useList.ts'
import { Promises } from './Promises.tsx'

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(promisesApi.list)

export default function PromiseListPage() {
  return (
    <Promises
      list={useList(promisesApi.list)}
      empty="还没有承诺。对业主说过的话登记下来，到期前会提醒责任人。"
    />
  )
}
