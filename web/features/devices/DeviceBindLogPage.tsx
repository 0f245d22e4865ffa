import { deviceStockApi } from '@zhuguan/contract/features/devices/device-stock.api.ts'
import { BIND_ACTIONS, type BindLogRow } from '@zhuguan/contract/features/devices/device-stock.record.ts'
import { deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { ExportButton } from '../../kit/list/ExportButton.tsx'
import { CodeFilter, DayRangeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { type ColumnOf, ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLive } from '../../kit/live.ts'
import { full, short } from '../../kit/time.ts'
import { SiteFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'

const columns: ColumnOf<typeof deviceStockApi.bindlog>[] = [
  { key: 'sn', title: '设备', fixed: true, sort: 'sn', render: (b) => b.sn },
  { key: 'type', title: '类型', render: (b) => deviceType.label(b.type) },
  { key: 'action', title: '动作', render: (b) => b.action },
  {
    key: 'site',
    title: '工地',
    render: (b) => (b.site_id ? <a href={`#/SiteInfo?id=${b.site_id}`}>{b.siteName}</a> : '--'),
  },
  { key: 'actor', title: '操作人', render: (b) => b.actor },
  { key: 'at', title: '时间', sort: 'at', render: (b) => <span title={full(b.at)}>{short(b.at)}</span> },
  { key: 'remark', title: '备注', render: (b) => b.remark || '--' },
]

export default function DeviceBindLogPage() {
  const list = useList(deviceStockApi.bindlog)
  const actor = useActor()
  const [current, setCurrent] = useState<string | null>(null)
  useLive(['device'], () => list.refresh())
  return (
    <ListPage
      name="绑定记录"
      list={list}
      columns={columns}
      current={current}
      onCurrent={setCurrent}
      empty="还没有记录。入库、分配、绑定和解绑都会记在这里。"
      filters={
        <>
          <KeywordFilter list={list} placeholder="设备序列号" />
          <CodeFilter
            list={list}
            field="action"
            label="动作"
            options={BIND_ACTIONS.map((a) => ({ value: a, label: a }))}
          />
          <SiteFilter list={list} />
          <DayRangeFilter list={list} from="from" to="to" label="时间" />
        </>
      }
      actions={
        hasPermission(actor, 'device:export') && (
          <ExportButton
            endpoint={deviceStockApi.bindlogExport}
            filters={list.address.filters}
            total={list.total}
            name="绑定记录"
          />
        )
      }
    />
  )
}
