import { violationsApi } from '@zhuguan/contract/features/violations/violations.api.ts'
import { violationStatus, violationType } from '@zhuguan/contract/features/violations/violations.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { type ReactNode, useState } from 'react'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { CodeFilter, DayRangeFilter, GivenFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { List } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { Granted } from '../../parts/granted.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, SiteFilter } from '../../parts/places.tsx'
import { useViolationActions } from './useViolationActions.ts'
import { violationTable } from './violationTable.tsx'

const ViolationPanel = lazyPart(() => import('./ViolationPanel.tsx'))
const ViolationDrawer = lazyPart(() => import('./ViolationDrawer.tsx'))
const OF_SITE = ['site', 'bc']
const OF_WORKER = ['name', 'trade']

/** Violations with what may be done to them: all, or those of one worker or site. */
export function Violations({
  list,
  about,
  of,
  empty,
}: {
  list: List<typeof violationsApi.list>
  about?: ReactNode
  of?: { worker_id?: string; site_id?: string }
  empty: string
}) {
  const [opened, setOpened] = useState<string | null>(null)
  const [adding, setAdding] = useState(false)
  const actionsOf = useViolationActions()
  const refresh = () => void list.refresh()
  useLiveRows(list, ['violation'], (e) => e.id)
  const hidden = [...(of?.site_id ? OF_SITE : []), ...(of?.worker_id ? OF_WORKER : [])]
  const shown = list.rows.find((v) => v.id === opened)
  return (
    <>
      <ListPage
        name="违规"
        list={list}
        columns={violationTable.filter((c) => !hidden.includes(c.key))}
        onOpen={(v) => setOpened(v.id)}
        empty={empty}
        filters={
          <>
            {about}
            <CodeFilter list={list} field="type" label="违规类型" options={violationType.options} />
            {!of?.site_id && <BranchFilter list={list} />}
            {!of?.site_id && <SiteFilter list={list} />}
            {!of?.worker_id && (
              <CodeFilter list={list} field="w_type" label="工种" options={workerType.options} />
            )}
            <CodeFilter list={list} field="status" label="处理状态" options={violationStatus.options} />
            <DayRangeFilter seconds list={list} from="from" to="to" label="时间范围" />
            <GivenFilter list={list} field="id" label="违规" value={() => '指定的一条'} />
          </>
        }
        actions={
          <>
            <ListExport list={list} endpoint={violationsApi.export} name="违规记录" />
            <Granted needs="violation:add">
              <button className="button primary" onClick={() => setAdding(true)}>
                新增
              </button>
            </Granted>
          </>
        }
        actionsOf={actionsOf}
        onDone={refresh}
      />
      {shown && (
        <ViolationPanel
          row={shown}
          actions={actionsOf(shown)}
          onDone={refresh}
          onClose={() => setOpened(null)}
        />
      )}
      {adding && <ViolationDrawer {...of} onClose={() => setAdding(false)} onDone={refresh} />}
    </>
  )
}
