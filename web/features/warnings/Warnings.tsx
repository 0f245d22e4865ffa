import { warningsApi } from '@zhuguan/contract/features/warnings/warnings.api.ts'
import {
  NOBODY_COUNTS,
  RULES_OF,
  warningBall,
  warningEnd,
  warningKind,
  warningLevel,
  type WarningRow,
  warningRule,
  warningState,
} from '@zhuguan/contract/features/warnings/warnings.record.ts'
import { type ReactNode, useState } from 'react'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { CodeFilter, DayRangeFilter, GivenFilter } from '../../kit/list/filters.tsx'
import { type ColumnOf, ListPage } from '../../kit/list/ListPage.tsx'
import type { List } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, PersonFilter, SiteFilter } from '../../parts/places.tsx'
import { useWarningActions } from './useWarningActions.ts'

import './warnings.css'

const WarningPanel = lazyPart(() => import('./WarningPanel.tsx'))
const TakeDrawer = lazyPart(() => import('./TakeDrawer.tsx'))

/** Warnings with what may be done to them: all, or those of one home and kind. */
export function Warnings({
  list,
  columns,
  of,
  about,
  empty,
}: {
  list: List<typeof warningsApi.list>
  columns: ColumnOf<typeof warningsApi.list>[]
  of?: WarningRow['kind']
  about?: ReactNode
  empty: string
}) {
  const [opened, setOpened] = useState<string | null>(list.address.filters.id ?? null)
  const [taking, setTaking] = useState<WarningRow | null>(null)
  const actionsOf = useWarningActions(setTaking)
  const refresh = () => void list.refresh()
  useLiveRows(list, ['warning'], (e) => e.id)
  const shown = list.rows.find((w) => w.id === opened)
  const rules = warningRule.options.filter((o) => !of || RULES_OF[of].some((rule) => rule === o.value))
  return (
    <>
      <ListPage
        name="预警"
        list={list}
        columns={columns}
        onOpen={(w) => setOpened(w.id)}
        empty={empty}
        order={['没关闭的在前', '没关闭的按等级从高到低在前，同级的新的在前；关闭的在后']}
        filters={
          <>
            {about}
            {!of && <CodeFilter list={list} field="kind" label="类型" options={warningKind.options} />}
            <CodeFilter list={list} field="level" label="等级" options={warningLevel.options} />
            <CodeFilter list={list} field="state" label="状态" options={warningState.options} />
            {!of && <BranchFilter list={list} />}
            {!of && <SiteFilter list={list} />}
            <CodeFilter
              list={list}
              field="rule"
              label="规则"
              options={rules}
              {...(of !== 'quality' && { hint: NOBODY_COUNTS })}
            />
            <CodeFilter list={list} field="ball" label="轮到谁" options={warningBall.options} />
            {!of && <PersonFilter list={list} field="manager_id" label="项目经理" />}
            <CodeFilter list={list} field="end" label="关闭方式" options={warningEnd.options} />
            <DayRangeFilter list={list} from="from" to="to" label="产生时间" />
            <GivenFilter list={list} field="id" label="预警" value={() => '指定的一条'} />
          </>
        }
        actions={<ListExport list={list} endpoint={warningsApi.export} name="工期与质量预警" />}
        actionsOf={actionsOf}
        onDone={refresh}
      />
      {shown && (
        <WarningPanel
          row={shown}
          actions={actionsOf(shown)}
          onDone={refresh}
          onClose={() => setOpened(null)}
        />
      )}
      {taking && <TakeDrawer warning={taking} onClose={() => setTaking(null)} onDone={refresh} />}
    </>
  )
}
