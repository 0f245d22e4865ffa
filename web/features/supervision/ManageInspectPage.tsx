import { patrolKind } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import { visitColumns } from '@zhuguan/contract/features/supervision/supervision.columns.ts'
import { type Inspection, visitResult } from '@zhuguan/contract/features/supervision/supervision.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { message } from '../../kit/notices.ts'
import { usePage } from '../../kit/page.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, PersonFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'

const TONE: Record<Inspection['result'], Tone> = {
  clear: 'ok',
  problems: 'bad',
  begun: 'wait',
  abandoned: 'grey',
}
const columns = columnsOf<typeof supervisionApi.visits>()(visitColumns, {
  by: (v) =>
    v.isReached ? (
      <LinkTo page="PatrolDetail" query={{ id: v.id }}>
        {v.inspectorName}
      </LinkTo>
    ) : (
      v.inspectorName
    ),
  result: (v) => <State tone={TONE[v.result]}>{visitResult.label(v.result)}</State>,
})

/** Every visit of managers and stewards; each row opens its patrol. */
export default function ManageInspectPage() {
  const list = useList(supervisionApi.visits)
  const page = usePage()
  const isSuperior = hasPermission(useActor(), 'manage:supervise')
  return (
    <ListPage
      name="巡查"
      list={list}
      columns={columns}
      onOpen={(v) =>
        v.isReached
          ? page.go(linkTo('PatrolDetail', { id: v.id }))
          : message.info('这个工地已经交出去，记录打不开了')
      }
      empty="这段时间没有巡查。"
      filters={
        <>
          {isSuperior && <PersonFilter list={list} field="id" label="管理人员" />}
          {isSuperior && <BranchFilter list={list} />}
          <CodeFilter list={list} field="kind" label="类型" options={patrolKind.options} />
          <CodeFilter list={list} field="result" label="结果" options={visitResult.options} />
          <DayRangeFilter list={list} from="from" to="to" label="日期（默认近 30 天）" />
        </>
      }
      actions={<ListExport list={list} endpoint={supervisionApi.visitsExport} name="管理巡查" />}
    />
  )
}
