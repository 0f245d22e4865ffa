import { deviceStockApi } from '@zhuguan/contract/features/devices/device-stock.api.ts'
import { BIND_ACTIONS } from '@zhuguan/contract/features/devices/device-stock.record.ts'
import { bindLogColumns } from '@zhuguan/contract/features/devices/devices.columns.ts'

import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLive } from '../../kit/live.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { SiteFilter } from '../../parts/places.tsx'

const columns = columnsOf<typeof deviceStockApi.bindlog>()(bindLogColumns, {
  site: (b) =>
    b.site_id ? (
      <LinkTo page="SiteInfo" query={{ id: b.site_id }}>
        {b.siteName}
      </LinkTo>
    ) : (
      '--'
    ),
})

export default function DeviceBindLogPage() {
  const list = useList(deviceStockApi.bindlog)
  useLive(['device'], () => list.refresh())
  return (
    <ListPage
      name="绑定记录"
      list={list}
      columns={columns}
      linkTo={(b) => hrefOf('DeviceInfo', { id: b.device_id })}
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
      actions={<ListExport list={list} endpoint={deviceStockApi.bindlogExport} name="绑定记录" />}
    />
  )
}
