import { alarmType, alarmVerdict } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { trustsApi } from '@zhuguan/contract/features/trusts/trusts.api.ts'
import { labelColumns } from '@zhuguan/contract/features/trusts/trusts.columns.ts'
import { modelOf } from '@zhuguan/contract/features/trusts/trusts.record.ts'
import type { ReactNode } from 'react'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter, TextFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { Picture } from '../../kit/Picture.tsx'
import { full } from '../../kit/time.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, SiteFilter } from '../../parts/places.tsx'
import { VerdictOf } from './trustWords.tsx'

/** On the page the picture is shown; the file has its key. */
const columns = columnsOf<typeof trustsApi.labels>()(labelColumns, {
  picture: (a) => (
    <Picture picture={a.picture} caption={`${a.deviceSn} ${full(a.at)}`} width={54} height={30} />
  ),
  type: (a) => (
    <LinkTo page="AlarmEvent" query={{ id: a.id }}>
      {alarmType.label(a.type)}
    </LinkTo>
  ),
  verdict: (a) => <VerdictOf verdict={a.verdict} />,
  model: (a) => modelOf(a.model),
})
const { none } = alarmVerdict.code
const JUDGED = alarmVerdict.options.filter((o) => o.value !== none)

export function Labels({ views }: { views: ReactNode }) {
  const list = useList(trustsApi.labels)
  return (
    <ListPage
      name="训练标签"
      list={list}
      columns={columns}
      empty="判定过的报警会出现在这里，可以导出给训练模型的人用。"
      filters={
        <>
          <CodeFilter list={list} field="verdict" label="判定" options={JUDGED} />
          <CodeFilter list={list} field="type" label="报警类型" options={alarmType.options} />
          <BranchFilter list={list} />
          <SiteFilter list={list} />
          <TextFilter list={list} field="model" label="型号版本" placeholder="型号版本，例如 2.4" />
          <DayRangeFilter seconds list={list} from="from" to="to" label="时间范围" />
        </>
      }
      actions={
        <>
          {views}
          <ListExport list={list} endpoint={trustsApi.exportLabels} name="训练标签" />
        </>
      }
    />
  )
}
