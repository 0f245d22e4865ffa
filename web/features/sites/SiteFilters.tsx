import type { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import {
  noWork,
  siteDeviceStatus,
  siteStage,
  siteStatus,
  tidinessLevel,
} from '@zhuguan/contract/features/sites/sites.record.ts'
import type { FilterOf } from '@zhuguan/contract/kit/paging.ts'

import type { Addressed } from '../../kit/list/address.ts'
import {
  CodeFilter,
  DayRangeFilter,
  GivenFilter,
  KeywordFilter,
  LookupFilter,
} from '../../kit/list/filters.tsx'
import { BranchFilter, PersonFilter } from '../../parts/places.tsx'
import { findStores, storeOf } from './useStores.ts'

export type SiteFilter = FilterOf<typeof sitesApi.points>

/** The list and the map of sites are filtered by the same things and keep them in the same address. */
export function SiteFilters({ list }: { list: Addressed<SiteFilter> }) {
  return (
    <>
      <KeywordFilter list={list} placeholder="编号、名称、业主、首字母" />
      <BranchFilter list={list} />
      <LookupFilter list={list} field="store_id" label="门店" find={findStores} nameOf={storeOf} />
      <CodeFilter list={list} field="status" label="状态" options={siteStatus.options} />
      <CodeFilter list={list} field="stage" label="阶段" options={siteStage.options} />
      <CodeFilter list={list} field="noWork" label="无人施工" options={noWork.options} />
      <CodeFilter
        single
        list={list}
        field="deviceStatus"
        label="设备在线"
        options={siteDeviceStatus.options}
      />
      <CodeFilter list={list} field="tidiness" label="整洁度" options={tidinessLevel.options} />
      <PersonFilter list={list} field="steward_id" label="项目管家" post={1} />
      <PersonFilter list={list} field="manager_id" label="项目经理" post={2} />
      <DayRangeFilter list={list} from="startFrom" to="startTo" label="开工日期" />
      {/* What is set elsewhere comes last, so no other chip moves. */}
      <GivenFilter list={list} field="area" label="圈选范围" value={() => '地图上圈出的'} />
      <GivenFilter list={list} field="ids" label="指定工地" value={(ids) => `${ids.split(',').length} 个`} />
      <GivenFilter
        list={list}
        field="stopped"
        label="停工"
        value={(v) => (v === 'true' ? '有无人施工' : '无')}
      />
      <GivenFilter
        list={list}
        field="alarmed"
        label="报警"
        value={(v) => (v === 'true' ? '有未办结' : '无未办结')}
      />
      <GivenFilter list={list} field="overdue" label="超期报警" value={(v) => (v === 'true' ? '有' : '无')} />
      <GivenFilter
        list={list}
        field="located"
        label="位置"
        value={(v) => (v === 'true' ? '已标注' : '未标注')}
      />
    </>
  )
}
