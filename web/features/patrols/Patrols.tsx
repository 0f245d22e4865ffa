import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import {
  type PatrolKind,
  patrolKind,
  patrolPlace,
  patrolStatus,
} from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { rankReason } from '@zhuguan/contract/features/rankings/rankings.record.ts'
import type { ReactNode } from 'react'

import { hrefOf } from '../../kit/LinkTo.tsx'
import { CodeFilter, DayRangeFilter, GivenFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { List } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, PersonFilter, SiteFilter } from '../../parts/places.tsx'
import { patrolTable } from './patrolTable.tsx'
import { usePatrolActions } from './usePatrolActions.ts'

const OF_SITE = ['site', 'bc']
const OF_KIND = ['kind']
const ON_SITE = ['tidiness', 'device']
const AT_CAMERA = ['distance', 'score', 'template', 'plan']

/** Patrols with what may be done to them: all, or those of one site, person or kind. */
export function Patrols({
  list,
  about,
  views,
  of = {},
  empty,
}: {
  list: List<typeof patrolsApi.list>
  about?: ReactNode
  /** Beside the buttons: another way of seeing them. */
  views?: ReactNode
  of?: { site?: boolean; person?: boolean; kind?: PatrolKind }
  empty: string
}) {
  const actionsOf = usePatrolActions()
  useLiveRows(list, ['patrol', 'correction'], (e) => e.id)
  const hidden = [
    ...(of.site ? OF_SITE : []),
    ...(of.kind ? OF_KIND : []),
    ...(of.person ? ['by'] : []),
    ...(of.kind === 'remote' ? AT_CAMERA : ON_SITE),
  ]
  return (
    <ListPage
      name="巡检"
      list={list}
      columns={patrolTable.filter((c) => !hidden.includes(c.key))}
      linkTo={(p) => hrefOf('PatrolDetail', { id: p.id })}

      empty={empty}
      filters={
        <>
          {about}
          {!of.kind && <CodeFilter list={list} field="kind" label="类型" options={patrolKind.options} />}
          {!of.site && <BranchFilter list={list} />}
          {!of.site && <SiteFilter list={list} />}
          {!of.person && <PersonFilter list={list} field="user_id" label="巡检人" />}
          <CodeFilter
            single
            list={list}
            field="problems"
            label="有无问题"
            options={[
              { value: 'true', label: '有问题' },
              { value: 'false', label: '没有问题' },
            ]}
          />
          {of.kind !== 'remote' && (
            <CodeFilter list={list} field="place" label="定位" options={patrolPlace.options} />
          )}
          <CodeFilter list={list} field="status" label="状态" options={patrolStatus.options} />
          <DayRangeFilter seconds list={list} from="from" to="to" label="时间范围" />
          <GivenFilter list={list} field="plan_id" label="计划" value={() => '指定的计划'} />
          <GivenFilter
            list={list}
            field="found"
            label="收获"
            value={(kept) => (kept === 'true' ? '有问题或整洁度差' : '没有发现')}
          />
          <GivenFilter
            list={list}
            field="reason"
            label="该巡原因"
            value={(kept) => kept.split(',').map(rankReason.label).join('、')}
          />
        </>
      }
      actions={
        <>
          {views}
          <button className="button" onClick={() => window.print()}>
            打印
          </button>
          <ListExport list={list} endpoint={patrolsApi.export} name="巡检记录" />
        </>
      }
      actionsOf={actionsOf}
      onDone={() => void list.refresh()}
    />
  )
}
