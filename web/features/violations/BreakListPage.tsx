import { violationsApi } from '@zhuguan/contract/features/violations/violations.api.ts'

import { useList } from '../../kit/list/useList.ts'
import { Violations } from './Violations.tsx'

export default function BreakListPage() {
  return (
    <Violations
      list={useList(violationsApi.list)}
      empty="还没有违规。报警判为属实并认出工人时自动记入，也可以拍照登记。"
    />
  )
}
