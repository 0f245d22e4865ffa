import { deviceStockApi } from '@zhuguan/contract/features/devices/device-stock.api.ts'
import type { StockRow } from '@zhuguan/contract/features/devices/device-stock.record.ts'
import { deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { useState } from 'react'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { CodeFilter, TextFilter } from '../../kit/list/filters.tsx'
import { type ColumnOf, ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLive } from '../../kit/live.ts'
import { usePage } from '../../kit/page.tsx'
import { useGranted } from '../../parts/granted.tsx'
import { ListImport } from '../../parts/listButtons.tsx'
import { BranchFilter, useBranches } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import type { StockOpen } from './DeviceAdminPage.tsx'

const load = () =>
  import('@zhuguan/contract/features/devices/device-stock.import.ts').then((m) => m.deviceStockImport)

const StockDrawers = lazyPart(() => import('./StockDrawers.tsx'))
const Secrets = lazyPart(() => import('./Secrets.tsx'))
/** The list of devices behind a figure. */
const behind = (r: StockRow, filter: { bindStatus?: number; deviceStatus?: number | string }) =>
  hrefOf('DeviceList', { keyword: r.model, type: r.type, bc_id: r.bc_id, ...filter })
const figure = (n: number, to: string) => (n ? <a href={to}>{n}</a> : 0)
const columns: ColumnOf<typeof deviceStockApi.totals>[] = [
  { key: 'model', title: '型号', fixed: true, sort: 'model', render: (r) => r.model || '--' },
  { key: 'type', title: '类型', sort: 'type', render: (r) => deviceType.label(r.type) },
  { key: 'bc', title: '分公司', render: (r) => r.bc_name },
  {
    key: 'inStock',
    title: '在库',
    right: true,
    sort: 'inStock',
    render: (r) => figure(r.inStock, behind(r, { deviceStatus: 6 })),
  },
  {
    key: 'spare',
    title: '备用',
    right: true,
    sort: 'spare',
    render: (r) => figure(r.spare, behind(r, { deviceStatus: 5 })),
  },
  {
    key: 'bound',
    title: '已分配',
    right: true,
    sort: 'bound',
    render: (r) => figure(r.bound, behind(r, { bindStatus: 2, deviceStatus: '1,2,3' })),
  },
  {
    key: 'faulty',
    title: '故障',
    right: true,
    sort: 'faulty',
    render: (r) => figure(r.faulty, behind(r, { deviceStatus: 4 })),
  },
  { key: 'total', title: '合计', right: true, sort: 'total', render: (r) => figure(r.total, behind(r, {})) },
]

export default function DeviceStockPage() {
  const list = useList(deviceStockApi.totals)
  const page = usePage()
  const actor = useActor()
  const granted = useGranted()
  const oneBranch = useBranches().length < 2
  const [open, setOpen] = useState<StockOpen | null>(null)
  const [secrets, setSecrets] = useState<{ sn: string; secret: string }[] | null>(null)
  const refresh = () => void list.refresh()
  useLive(['device'], () => list.refresh())
  const rowsOf = (r: StockRow) => page.go(behind(r, {}).slice(1))
  return (
    <>
      <ListPage
        name="库存"
        list={list}
        columns={columns}
        onOpen={rowsOf}
        empty="还没有设备。入库后按型号和分公司统计在这里。"
        actionsOf={(r) => {
          const none = r.inStock + r.spare === 0 ? '没有在库或备用的设备' : undefined
          // Within one branch only what lies in stock can be made ready; another branch is out of reach.
          const out = oneBranch && r.bc_id && r.inStock === 0
          return granted([
            {
              needs: 'device:distribute',
              key: 'take',
              label: r.bc_id && r.inStock === 0 ? '调拨' : '分配',
              why: none ?? (out ? '调到别的分公司，要由看得到两边的人办理' : undefined),
              open: () => setOpen({ kind: 'take', of: r }),
            },
            {
              needs: 'device:delete',
              key: 'scrap',
              label: '报废',
              danger: true,
              why: none,
              open: () => setOpen({ kind: 'scrap', of: r }),
            },
          ])
        }}
        filters={
          <>
            <CodeFilter list={list} field="type" label="类型" options={deviceType.options} />
            <TextFilter list={list} field="model" label="型号" />
            <BranchFilter list={list} />
          </>
        }
        actions={
          <>
            <button
              className="button"
              onClick={() =>
                page.go(linkTo('DeviceBindLog', { action: ['入库', '分配', '调拨', '回收入库', '报废'] }))
              }
            >
              出入库流水
            </button>
            <ListImport list={list} needs="device:stock" load={load} label="Excel 入库" />
            {hasPermission(actor, 'device:stock') && (
              <button className="button primary" onClick={() => setOpen({ kind: 'stock' })}>
                入库
              </button>
            )}
          </>
        }
      />
      {open && (
        <StockDrawers open={open} onClose={() => setOpen(null)} onDone={refresh} onSecrets={setSecrets} />
      )}
      {secrets && <Secrets devices={secrets} onClose={() => setSecrets(null)} />}
    </>
  )
}
