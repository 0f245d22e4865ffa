import { warningsApi } from '@zhuguan/contract/features/warnings/warnings.api.ts'

import { rowsBy } from '../../kit/ahead.ts'
import { useList } from '../../kit/list/useList.ts'
import { Warnings } from './Warnings.tsx'
import { warningTable } from './warningTable.tsx'

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(warningsApi.list)

export default function WarningListPage() {
  return (
    <Warnings
      list={useList(warningsApi.list)}
      columns={warningTable}
      empty="没有预警。工期和质量每天夜里检查，工地有变化时随时检查。"
    />
  )
}
