import { deviceStockApi } from '@zhuguan/contract/features/devices/device-stock.api.ts'
import type { StockRow } from '@zhuguan/contract/features/devices/device-stock.record.ts'
import { deviceActions } from '@zhuguan/contract/features/devices/devices.actions.ts'
import {
  bindStatus,
  DEVICE_STATUS_ALL,
  type DeviceRow,
  deviceStatus,
  deviceType,
} from '@zhuguan/contract/features/devices/devices.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { CodeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { type ColumnOf, ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLive } from '../../kit/live.ts'
import { usePage } from '../../kit/page.tsx'
import { type RowAction } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { ago, full } from '../../kit/time.ts'
import { Granted, useGranted } from '../../parts/granted.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { useLogLink } from '../../parts/useLogLink.ts'
import { DEVICE_TONE } from './DeviceListPage.tsx'

const StockDrawers = lazyPart(() => import('./StockDrawers.tsx'))
const Secrets = lazyPart(() => import('./Secrets.tsx'))
const LabelSheet = lazyPart(() => import('./LabelSheet.tsx'))
const columns: ColumnOf<typeof deviceStockApi.list>[] = [
  { key: 'sn', title: '序列号', fixed: true, sort: 'sn', render: (d) => d.sn },
  { key: 'type', title: '类型', sort: 'type', render: (d) => deviceType.label(d.type) },
  { key: 'model', title: '型号', sort: 'model', render: (d) => d.model },
  { key: 'bc', title: '分公司', render: (d) => d.bc_name || '集团仓库' },
  {
    key: 'status',
    title: '状态',
    sort: 'deviceStatus',
    render: (d) => (
      <State tone={DEVICE_TONE[d.deviceStatus] ?? 'grey'}>{deviceStatus.label(d.deviceStatus)}</State>
    ),
  },
  {
    key: 'bind',
    title: '绑定',
    render: (d) =>
      d.site_id ? (
        <LinkTo page="SiteInfo" query={{ id: d.site_id }}>
          {d.siteName}
        </LinkTo>
      ) : (
        bindStatus.label(d.bindStatus)
      ),
  },
  {
    key: 'seen',
    title: '最近心跳',
    sort: 'lastSeen',
    render: (d) => <span title={full(d.lastSeen)}>{ago(d.lastSeen)}</span>,
  },
  { key: 'remark', title: '备注', render: (d) => d.remark || '--' },
]
export type StockOpen =
  | { kind: 'stock' }
  | { kind: 'distribute'; devices: DeviceRow[] }
  | { kind: 'take'; of: StockRow }
  | { kind: 'scrap'; of: StockRow }
  | { kind: 'bind' | 'replace' | 'edit'; device: DeviceRow }

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(deviceStockApi.list)

export default function DeviceAdminPage() {
  const list = useList(deviceStockApi.list)
  const page = usePage()
  const actor = useActor()
  const granted = useGranted()
  const logLink = useLogLink()
  const [open, setOpen] = useState<StockOpen | null>(null)
  const [secrets, setSecrets] = useState<{ sn: string; secret: string }[] | null>(null)
  const [labels, setLabels] = useState<DeviceRow[] | null>(null)
  const refresh = () => void list.refresh()
  useLive(['device'], () => list.refresh())
  const may = (label: string) => hasPermission(actor, label)
  const chosen = list.rows.filter((d) => list.selected.includes(d.id))
  const actionsOf = (d: DeviceRow): RowAction[] =>
    granted([
      {
        needs: 'device:bind',
        key: 'bind',
        label: '绑定',
        why: deviceActions.refusal('bind', d, actor),
        open: () => setOpen({ kind: 'bind', device: d }),
      },
      {
        needs: 'device:bind',
        key: 'replace',
        label: '更换',
        why: deviceActions.refusal('unbind', d, actor, undefined, '更换'),
        open: () => setOpen({ kind: 'replace', device: d }),
      },
      {
        needs: 'device:bind',
        key: 'unbind',
        label: '解绑',
        why: deviceActions.refusal('unbind', d, actor),
        confirm: `确定把 ${d.sn} 从 ${d.siteName} 解绑吗？`,
        run: () => call(deviceStockApi.bindaction, { body: { action: 'unbind', sn: d.sn } }),
      },
      {
        needs: 'device:distribute',
        key: 'distribute',
        label: d.bc_id ? '调拨' : '分配',
        why: deviceActions.refusal('distribute', d, actor, undefined, d.bc_id ? '调拨' : '分配'),
        open: () => setOpen({ kind: 'distribute', devices: [d] }),
      },
      { needs: 'device:edit', key: 'edit', label: '编辑', open: () => setOpen({ kind: 'edit', device: d }) },
      {
        needs: 'device:secret',
        key: 'secret',
        label: '换密钥',
        confirm: `换密钥后，${d.sn} 要写入新密钥才能继续上报。确定更换吗？`,
        run: () =>
          call(deviceStockApi.secret, { body: { id: d.id, version: d.version } }).then((s) =>
            setSecrets([s]),
          ),
      },
      {
        needs: 'device:delete',
        key: 'delete',
        label: '报废',
        danger: true,
        reason: true,
        why: deviceActions.refusal('remove', d, actor),
        confirm: `报废 ${d.sn}：请写明原因`,
        run: (remark: string) =>
          call(deviceStockApi.deldevice, { body: { id: d.id, version: d.version, remark } }),
      },
      {
        key: 'history',
        label: '绑定记录',
        open: () => page.go(linkTo('DeviceBindLog', { keyword: d.sn })),
      },
      ...logLink('device', d.id),
    ])
  return (
    <>
      <ListPage
        name="设备"
        list={list}
        columns={columns}
        {...(may('device:edit') ? { onOpen: (device: DeviceRow) => setOpen({ kind: 'edit', device }) } : {})}
        empty="还没有设备。入库后会出现在这里。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="序列号、型号、工地" />
            <CodeFilter list={list} field="type" label="类型" options={deviceType.options} />
            <BranchFilter list={list} />
            <CodeFilter
              single
              list={list}
              field="deviceStatus"
              label="状态"
              options={[DEVICE_STATUS_ALL, ...deviceStatus.options]}
            />
            <CodeFilter single list={list} field="bindStatus" label="绑定" options={bindStatus.options} />
          </>
        }
        actions={
          <Granted needs="device:stock">
            <button className="button primary" onClick={() => setOpen({ kind: 'stock' })}>
              入库
            </button>
          </Granted>
        }
        batch={
          <>
            {may('device:distribute') && (
              <button className="button" onClick={() => setOpen({ kind: 'distribute', devices: chosen })}>
                分配到分公司
              </button>
            )}
            <button className="button" onClick={() => setLabels(chosen)}>
              打印标签
            </button>
          </>
        }
        actionsOf={actionsOf}
      />
      {open && (
        <StockDrawers
          open={open}
          onClose={() => setOpen(null)}
          onDone={() => {
            list.select([])
            refresh()
          }}
          onSecrets={setSecrets}
        />
      )}
      {secrets && <Secrets devices={secrets} onClose={() => setSecrets(null)} />}
      {labels && <LabelSheet devices={labels} onClose={() => setLabels(null)} />}
    </>
  )
}
