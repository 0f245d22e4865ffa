import { useQueryClient } from '@tanstack/react-query'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { examineColumns } from '@zhuguan/contract/features/examine/examine.columns.ts'
import {
  examineKind,
  type ExamineRow,
  examineState,
  PAGE_OF_KIND,
} from '@zhuguan/contract/features/examine/examine.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { useQueue } from '../../kit/list/useQueue.ts'
import { message } from '../../kit/notices.ts'
import { useOpened } from '../../kit/useOpened.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { everyEntryOf, useActor, useSession } from '../../parts/session.ts'
import type { Batch } from './ExamineLeft.tsx'
import { StateOf, WaitOf } from './ExamineStates.tsx'
import { useExamineActions } from './useExamineActions.ts'

import './examine.css'

const ExaminePanel = lazyPart(() => import('./ExaminePanel.tsx'))
const ExamineBatch = lazyPart(() => import('./ExamineBatch.tsx'))
const ExamineLeft = lazyPart(() => import('./ExamineLeft.tsx'))

const columns = columnsOf<typeof examineApi.list>()(examineColumns, {
  state: (r) => <StateOf of={r} />,
  waiting: (r) => <WaitOf of={r} />,
  change: (r) =>
    r.change ? (
      <span className="examine-cut" title={r.change}>
        {r.change}
      </span>
    ) : (
      <span className="quiet">{r.round === 1 ? '首次提交' : '没有变化'}</span>
    ),
})
const ORDER = [
  '最急的在前',
  '待审核的在前，按审核期限从早到晚；已审核的在后，新提交的在前。点列名可以改用别的顺序。',
] as const
const YES = [{ value: 'true', label: '是' }]

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(examineApi.list)

export default function ExamineListPage() {
  const list = useList(examineApi.list)
  const client = useQueryClient()
  const actor = useActor()
  const [left, setLeft] = useState<{ batch: Batch; rows: ExamineRow[] } | null>(null)
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const actionsOf = useExamineActions()
  const judges = hasPermission(actor, 'examine:judge')
  const entries = everyEntryOf(useSession()).map((e) => e.item.componentName)
  const kinds = examineKind.options.filter((k) => entries.includes(PAGE_OF_KIND[k.value]))
  const [opened, show] = useOpened()
  const queue = useQueue(list, [opened, show])
  const refresh = () => {
    queue.done()
    void client.invalidateQueries({ queryKey: [examineApi.details.path] })
  }
  useLiveRows(list, ['examine'], (e) => e.id)
  const chosen = list.rows.filter((r) => list.selected.includes(r.id))
  async function passChosen() {
    setBusy(true)
    try {
      const some = chosen.map(({ id, version, hash }) => ({ id, version, hash }))
      const batch = await call(examineApi.batch, { body: { some } })
      // Keep only the skipped rows selected.
      list.select(batch.skipped.map((s) => s.id))
      if (batch.skipped.length) setLeft({ batch, rows: chosen })
      else message.success(`已通过 ${batch.done} 条`)
    } catch (error) {
      message.error((error as Error).message)
    } finally {
      setBusy(false)
      setAsking(false)
      refresh()
    }
  }
  return (
    <>
      <ListPage
        name="审核"
        list={list}
        columns={columns}
        current={queue.current}
        onCurrent={queue.onCurrent}
        onOpen={(r) => show(r.id)}
        order={ORDER}
        empty="还没有提交审核的单据；报价、变更、退款、合同作废和退换补提交以后出现在这里。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="编号、摘要" />
            {judges && <CodeFilter single list={list} field="todo" label="待我审核" options={YES} />}
            <CodeFilter list={list} field="kind" label="类型" options={kinds} />
            <CodeFilter list={list} field="examineState" label="状态" options={examineState.options} />
            <BranchFilter list={list} />
            <CodeFilter single list={list} field="overdue" label="是否超时" options={YES} />
            <GivenFilter list={list} field="object_id" label="单据" value={() => '指定的一张'} />
          </>
        }
        actions={<ListExport list={list} endpoint={examineApi.export} name="审核" />}
        {...(judges && {
          batch: (
            <button className="button small" onClick={() => setAsking(true)}>
              批量通过
            </button>
          ),
        })}
        actionsOf={actionsOf}
        onDone={refresh}
      />
      {opened && (
        <ExaminePanel
          id={opened}
          queue={queue}
          row={list.rows.find((r) => r.id === opened)}
          actionsOf={actionsOf}
          onDone={refresh}
          onClose={() => show(null)}
        />
      )}
      {asking && (
        <ExamineBatch
          rows={chosen}
          busy={busy}
          onCancel={() => setAsking(false)}
          onOk={() => void passChosen()}
        />
      )}
      {left && <ExamineLeft {...left} onClose={() => setLeft(null)} />}
    </>
  )
}
