import { useQueryClient } from '@tanstack/react-query'
import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import {
  feedbackKind,
  feedbackLevel,
  type FeedbackRow,
  feedbackStatus,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { type ReactNode, useState } from 'react'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { CodeFilter, DayRangeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { List } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { OverdueFilter } from '../../parts/correcting.tsx'
import { Granted } from '../../parts/granted.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, PersonFilter, SiteFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { feedbackTable } from './feedbackTable.tsx'
import { type Asking, useFeedbackActions } from './useFeedbackActions.ts'

import './feedback.css'

const FeedbackPanel = lazyPart(() => import('./FeedbackPanel.tsx'))
const FeedbackDrawers = lazyPart(() => import('./FeedbackDrawers.tsx'))
const EnterDrawer = lazyPart(() => import('../../parts/EnterDrawer.tsx'))
/** Whose it is stays: an owner of before has complained as well. */
const OF_HOME = ['site', 'bc']
const TO_CALL = [
  { value: 'true', label: '待回访' },
  { value: 'false', label: '不需要回访' },
]

/** Feedback with what may be done to it: all, or that of one home. */
export function Feedbacks({
  list,
  about,
  site_id,
  empty,
}: {
  list: List<typeof feedbackApi.list>
  about?: ReactNode
  site_id?: string
  empty: string
}) {
  const client = useQueryClient()
  const actor = useActor()
  const [opened, setOpened] = useState<string | null>(list.address.filters.id ?? null)
  const [adding, setAdding] = useState<{ after?: FeedbackRow } | null>(null)
  const [asking, setAsking] = useState<Asking | null>(null)
  const commands = useFeedbackActions(setAsking)
  const refresh = () => {
    void list.refresh()
    void client.invalidateQueries({ queryKey: [feedbackApi.details.path] })
  }
  useLiveRows(list, ['feedback'], (e) => e.id)
  /** What is closed too long ago is followed by a new one. */
  const actionsOf = (f: FeedbackRow): RowAction[] => [
    ...commands(f),
    ...(f.status === feedbackStatus.code.closed && hasPermission(actor, 'feedback:enter')
      ? [{ key: 'after', label: '登记后续', open: () => setAdding({ after: f }) }]
      : []),
  ]
  return (
    <>
      <ListPage
        name="反馈"
        list={list}
        columns={feedbackTable.filter((c) => !site_id || !OF_HOME.includes(c.key))}
        current={opened}
        onOpen={(f) => setOpened(f.id)}
        empty={empty}
        filters={
          <>
            {about}
            <KeywordFilter list={list} placeholder="编号、内容、工地、业主" />
            <CodeFilter list={list} field="kind" label="类型" options={feedbackKind.options} />
            <CodeFilter list={list} field="level" label="等级" options={feedbackLevel.options} />
            <CodeFilter list={list} field="status" label="状态" options={feedbackStatus.options} />
            {!site_id && <BranchFilter list={list} />}
            <OverdueFilter list={list} />
            <CodeFilter single list={list} field="callback" label="回访" options={TO_CALL} />
            {!site_id && <SiteFilter list={list} />}
            <PersonFilter list={list} field="assignee_id" label="责任人" />
            {!site_id && <PersonFilter list={list} field="manager_id" label="项目负责人" />}
            <DayRangeFilter seconds list={list} from="from" to="to" label="登记时间" />
            <GivenFilter list={list} field="id" label="反馈" value={() => '指定的一条'} />
          </>
        }
        actions={
          <>
            <ListExport list={list} endpoint={feedbackApi.export} name="反馈与投诉" />
            <Granted needs="feedback:enter">
              <button className="button primary" onClick={() => setAdding({})}>
                登记
              </button>
            </Granted>
          </>
        }
        actionsOf={actionsOf}
        onDone={refresh}
      />
      {opened && (
        <FeedbackPanel
          key={opened}
          id={opened}
          row={list.rows.find((f) => f.id === opened)}
          actionsOf={actionsOf}
          onDone={refresh}
          onClose={() => setOpened(null)}
        />
      )}
      {asking && <FeedbackDrawers {...asking} onClose={() => setAsking(null)} onDone={refresh} />}
      {adding && (
        <EnterDrawer
          site_id={adding.after?.site_id ?? site_id}
          after={adding.after}
          onClose={() => setAdding(null)}
          onDone={refresh}
        />
      )}
    </>
  )
}
