import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { deviceColumns } from '@zhuguan/contract/features/devices/devices.columns.ts'
import {
  bindStatus,
  DEVICE_STATUS_ALL,
  deviceStatus,
  deviceType,
  spanCause,
} from '@zhuguan/contract/features/devices/devices.record.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { State, type Tone } from '../../kit/State.tsx'
import { ago, full } from '../../kit/time.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { type OpenDevice, useDeviceActions } from './useDeviceActions.ts'
import { useRemovals } from './useRemovals.ts'

const FacesDrawer = lazyPart(() => import('./FacesDrawer.tsx'))
const DeviceDrawers = lazyPart(() => import('./DeviceDrawers.tsx'))

export const DEVICE_TONE: Record<number, Tone> = {
  1: 'ok',
  2: 'bad',
  3: 'wait',
  4: 'bad',
  5: 'grey',
  6: 'grey',
}
const columns = columnsOf<typeof devicesApi.list>()(deviceColumns, {
  site: (d) =>
    d.site_id ? (
      <LinkTo page="SiteInfo" query={{ id: d.site_id }}>
        {d.siteName}
      </LinkTo>
    ) : (
      '--'
    ),
  status: (d) => (
    <span title={d.cause ? spanCause.label(d.cause) : undefined}>
      <State tone={DEVICE_TONE[d.deviceStatus] ?? 'grey'}>
        {deviceStatus.label(d.deviceStatus) +
          (d.deviceStatus === deviceStatus.code.offline && d.cause ? ` · ${spanCause.label(d.cause)}` : '')}
      </State>
    </span>
  ),
  rate: (d) => (d.onlineRate === null ? '--' : `${d.onlineRate}%`),
  retrieval: (d) => (d.retrieveBy ? <State tone="wait">{`${d.retrieveBy} 前`}</State> : '--'),
  seen: (d) => <span title={full(d.lastSeen)}>{ago(d.lastSeen)}</span>,
})
/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(devicesApi.list)

export default function DeviceListPage() {
  const list = useList(devicesApi.list)
  const [open, setOpen] = useState<OpenDevice | null>(null)
  const [faces, setFaces] = useState(false)
  const { data: removals } = useRemovals()
  const actionsOf = useDeviceActions(list.rows, setOpen)
  useLiveRows(list, ['device'], (e) => e.id || null)
  const refresh = () => void list.refresh()
  return (
    <>
      <ListPage
        name="设备"
        list={list}
        columns={columns}
        linkTo={(device) => hrefOf('DeviceInfo', { id: device.id })}
        empty="还没有设备。入库后会出现在这里。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="序列号、型号、工地" />
            <CodeFilter list={list} field="type" label="类型" options={deviceType.options} />
            <BranchFilter list={list} />
            <CodeFilter single list={list} field="bindStatus" label="绑定状态" options={bindStatus.options} />
            <CodeFilter
              single
              list={list}
              field="deviceStatus"
              label="设备状态"
              options={[DEVICE_STATUS_ALL, ...deviceStatus.options]}
            />
            <CodeFilter
              single
              list={list}
              field="retrieval"
              label="待回收"
              options={[
                { value: 'true', label: '待回收' },
                { value: 'false', label: '不用回收' },
              ]}
            />
            <CodeFilter
              single
              list={list}
              field="firmware"
              label="固件"
              options={[...new Set(list.rows.map((r) => r.firmware).filter(Boolean))].map((f) => ({
                value: f,
                label: f,
              }))}
            />
          </>
        }
        actions={
          <>
            {(removals?.length ?? 0) > 0 && (
              <button className="button" onClick={() => setFaces(true)}>
                待删除的人脸 {removals!.length}
              </button>
            )}
            <ListExport list={list} endpoint={devicesApi.export} name="设备" />
          </>
        }
        actionsOf={actionsOf}
      />
      {faces && <FacesDrawer onClose={() => setFaces(false)} />}
      {open && <DeviceDrawers {...open} onClose={() => setOpen(null)} onDone={refresh} />}
    </>
  )
}
