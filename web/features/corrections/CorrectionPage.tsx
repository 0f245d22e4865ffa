import { useQueryClient } from '@tanstack/react-query'
import { alarmTodo, correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { correctionsApi } from '@zhuguan/contract/features/corrections/corrections.api.ts'
import { correctionColumns } from '@zhuguan/contract/features/corrections/corrections.columns.ts'
import { correctionSource } from '@zhuguan/contract/features/corrections/corrections.record.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { useQueue } from '../../kit/list/useQueue.ts'
import { useOpened } from '../../kit/useOpened.ts'
import { dueOf, OverdueFilter, StatusOf } from '../../parts/correcting.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, PersonFilter, SiteFilter } from '../../parts/places.tsx'
import { type Asking, useCorrectionActions } from './useCorrectionActions.ts'

const CorrectionPanel = lazyPart(() => import('./CorrectionPanel.tsx'))
const CorrectionDrawers = lazyPart(() => import('./CorrectionDrawers.tsx'))

const columns = columnsOf<typeof correctionsApi.list>()(correctionColumns, {
  site: (c) => (
    <LinkTo page="SiteInfo" query={{ id: c.site_id }}>
      {c.siteName}
    </LinkTo>
  ),
  status: (c) => <StatusOf of={c} />,
  due: (c) => dueOf(c),
})
const ORDER = [
  '最急的在前',
  '未办结的在前，按截止时间从早到晚，超期最久的最先；已办结的在后，新的在前。点列名可以改用别的顺序。',
] as const

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(correctionsApi.list)

export default function CorrectionPage() {
  const list = useList(correctionsApi.list)
  const client = useQueryClient()
  const [asking, setAsking] = useState<Asking | null>(null)
  const actionsOf = useCorrectionActions(setAsking)
  const [opened, show] = useOpened()
  const queue = useQueue(list, [opened, show])
  const refresh = () => {
    queue.done()
    void client.invalidateQueries({ queryKey: [correctionsApi.details.path] })
  }
  useLiveRows(list, ['correction', 'alarm'], (e) => (e.what === 'seen' ? null : e.id))
  return (
    <>
      <ListPage
        name="整改单"
        list={list}
        columns={columns}
        current={queue.current}
        onCurrent={queue.onCurrent}
        onOpen={(c) => show(c.id)}
        order={ORDER}
        empty="还没有需要整改的问题；报警、巡检和整洁度检查发现的问题会出现在这里。"
        filters={
          <>
            <CodeFilter single list={list} field="todo" label="待我处理" options={alarmTodo.options} />
            <CodeFilter list={list} field="source" label="来源" options={correctionSource.options} />
            <CodeFilter
              list={list}
              field="correctionStatus"
              label="状态"
              options={correctionStatus.options}
            />
            <BranchFilter list={list} />
            <SiteFilter list={list} />
            <PersonFilter list={list} field="assignee_id" label="责任人" />
            <OverdueFilter list={list} />
            <DayRangeFilter seconds list={list} from="from" to="to" label="发现时间" />
          </>
        }
        actions={<ListExport list={list} endpoint={correctionsApi.export} name="整改单" />}
        actionsOf={actionsOf}
        onDone={refresh}
      />
      {opened && (
        <CorrectionPanel
          id={opened}
          queue={queue}
          row={list.rows.find((r) => r.id === opened)}
          actionsOf={actionsOf}
          onDone={refresh}
          onClose={() => show(null)}
        />
      )}
      {asking && <CorrectionDrawers {...asking} onClose={() => setAsking(null)} onDone={refresh} />}
    </>
  )
}
