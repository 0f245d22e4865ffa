import { planActions } from '@zhuguan/contract/features/patrols/patrols.actions.ts'
import { patrolKind } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { patrolPlansApi } from '@zhuguan/contract/features/patrols/plans.api.ts'
import { planColumns } from '@zhuguan/contract/features/patrols/plans.columns.ts'
import {
  planEvery,
  type PlanRow,
  planStatus,
  weekday,
} from '@zhuguan/contract/features/patrols/plans.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { actionsOf } from '../../kit/actionsOf.ts'
import { rowsBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf, NOTHING } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, GivenFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { State } from '../../kit/State.tsx'
import { full, short } from '../../kit/time.ts'
import { Granted } from '../../parts/granted.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, PersonFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'

import './patrols.css'

const PatrolPlanDrawer = lazyPart(() => import('./PatrolPlanDrawer.tsx'))
const TemplatesDrawer = lazyPart(() => import('./TemplatesDrawer.tsx'))

const WEEK = weekday.values.length
/** When it is time, in words: 每天 08:00–18:00. */
function everyOf(p: PlanRow): string {
  const hours = `${p.fromTime}–${p.toTime}${p.days > 1 ? `，${p.days} 天内` : ''}`
  if (p.every === planEvery.code.stage) return `${siteStage.label(p.stage)}开始时 ${hours}`
  const days = p.weekdays.map((d) => weekday.label(d).slice(1)).join('、')
  return p.weekdays.length === WEEK ? `每天 ${hours}` : `每周${days} ${hours}`
}
/** Why nobody can say when it is time again. */
function whyNever(p: PlanRow): string {
  if (p.status === planStatus.code.stopped) return '计划已停用'
  return p.every === planEvery.code.stage ? `随工地的${siteStage.label(p.stage)}阶段开始` : '没有要巡检的日子'
}
const tasksOf = (p: PlanRow) => hrefOf('PatrolRecord', { view: 'tasks', plan_id: p.id })

const table = columnsOf<typeof patrolPlansApi.list>()(planColumns, {
  template: (p) => p.templateName || NOTHING,
  every: (p) => everyOf(p),
  sites: (p) => (
    <span title={p.site_ids ? `选定 ${p.site_ids.length} 个，其中在建 ${p.sites} 个` : '全部在建工地'}>
      {p.site_ids ? p.sites : `全部 ${p.sites}`}
    </span>
  ),
  users: (p) => <span title={p.userNames}>{p.userNames || NOTHING}</span>,
  share: (p) =>
    p.due ? (
      <LinkTo
        page="PatrolRecord"
        query={{ view: 'tasks', plan_id: p.id }}
        title={`本月到期 ${p.due} 次，完成 ${p.done} 次；免除的不计`}
      >
        {Math.round((p.done / p.due) * 100)}% <small>{`${p.done}/${p.due}`}</small>
      </LinkTo>
    ) : (
      NOTHING
    ),
  next: (p) =>
    p.nextDue === null ? (
      <span title={whyNever(p)}>{NOTHING}</span>
    ) : (
      <span title={full(p.nextDue)}>{short(p.nextDue)}</span>
    ),
  status: (p) => (
    <State tone={p.status === planStatus.code.active ? 'ok' : 'grey'}>{planStatus.label(p.status)}</State>
  ),
})

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(patrolPlansApi.list)

/** The person who patrols what, and when. */
export default function PatrolPlanPage() {
  const list = useList(patrolPlansApi.list)
  const actor = useActor()
  const [opened, setOpened] = useState<{ plan: PlanRow | null; copy: boolean } | null>(null)
  const [templates, setTemplates] = useState(false)
  const refresh = () => void list.refresh()
  useLiveRows(list, ['patrol'], () => null)
  return (
    <>
      <ListPage
        name="计划"
        list={list}
        columns={table}
        linkTo={tasksOf}
        empty="还没有巡检计划；新增以后，会按频率为在建的工地生成任务。"
        filters={
          <>
            <CodeFilter list={list} field="kind" label="类型" options={patrolKind.options} />
            <BranchFilter list={list} />
            <PersonFilter list={list} field="user_id" label="执行人" />
            <CodeFilter list={list} field="status" label="状态" options={planStatus.options} />
            <GivenFilter list={list} field="id" label="计划" value={() => '指定的计划'} />
          </>
        }
        actions={
          <>
            <button className="button" onClick={() => setTemplates(true)}>
              模板管理
            </button>
            <ListExport list={list} endpoint={patrolPlansApi.export} name="巡检计划" />
            <Granted needs="patrol:plan">
              <button className="button primary" onClick={() => setOpened({ plan: null, copy: false })}>
                新增
              </button>
            </Granted>
          </>
        }
        actionsOf={(p) => [
          ...actionsOf(planActions, p, actor, {
            edit: { open: () => setOpened({ plan: p, copy: false }) },
            stop: {
              confirm: `停用“${p.name}”：没有开始的任务会取消，已经开始的巡检仍可提交。请写明原因`,
              run: (reason) => call(patrolPlansApi.stop, { body: { id: p.id, version: p.version, reason } }),
            },
          }),
          ...(hasPermission(actor, 'patrol:plan')
            ? [{ key: 'copy', label: '复制', open: () => setOpened({ plan: p, copy: true }) }]
            : []),
        ]}
        onDone={refresh}
      />
      {opened && <PatrolPlanDrawer {...opened} onClose={() => setOpened(null)} onDone={refresh} />}
      {templates && <TemplatesDrawer onClose={() => setTemplates(false)} onDone={refresh} />}
    </>
  )
}
