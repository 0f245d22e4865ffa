import { violationsApi } from '@zhuguan/contract/features/violations/violations.api.ts'

import { rowsBy } from '../../kit/ahead.ts'
import { useList } from '../../kit/list/useList.ts'
import { Violations } from './Violations.tsx'

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(violationsApi.list)

export default function BreakListPage() {
  return (
    <Violations
      list={useList(violationsApi.list)}
      empty="还没有违规。报警判为属实并认出工人时自动记入，也可以拍照登记。"
    />
  )
}
