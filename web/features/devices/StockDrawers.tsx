import { deviceStockApi } from '@zhuguan/contract/features/devices/device-stock.api.ts'
import { type DeviceRow, deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { Input, Select } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { AskDrawer, Field } from '../../kit/AskDrawer.tsx'
import { message } from '../../kit/notices.ts'
import { SitePicker } from '../../parts/pickers.tsx'
import { useBranches } from '../../parts/places.tsx'
import type { StockOpen } from './DeviceAdminPage.tsx'

interface Props {
  onClose: () => void
  onDone: () => void
}
const wide = { width: '100%' }
const serials = (text: string) => text.split(/[\s,，;；]+/).filter(Boolean)
/** Those that were left out, in one sentence; the others are done. */
const tellRefused = (refused: { sn: string; why: string }[]) =>
  refused.length &&
  message.error(
    `${refused.length} 台没有成功：${refused
      .slice(0, 3)
      .map((r) => `${r.sn} ${r.why}`)
      .join('；')}`,
  )

/** Comes when the first drawer is opened. */
export default function StockDrawers({
  open,
  onSecrets,
  ...p
}: Props & { open: StockOpen; onSecrets: (devices: { sn: string; secret: string }[]) => void }) {
  if (open.kind === 'stock') return <StockDrawer {...p} onSecrets={onSecrets} />
  if (open.kind === 'distribute') return <DistributeDrawer {...p} devices={open.devices} />
  if (open.kind === 'edit') return <EditDrawer {...p} device={open.device} />
  return open.kind === 'bind' ? (
    <BindBySerial {...p} device={open.device} />
  ) : (
    <ReplaceDrawer {...p} device={open.device} />
  )
}

function StockDrawer({
  onSecrets,
  ...p
}: Props & { onSecrets: (devices: { sn: string; secret: string }[]) => void }) {
  const branches = useBranches()
  const [f, setF] = useState({
    type: 'camera' as DeviceRow['type'],
    model: '',
    bc_id: '',
    sns: '',
    remark: '',
  })
  const count = new Set(serials(f.sns)).size
  async function send() {
    const { added, refused } = await call(deviceStockApi.stock, {
      body: { ...f, sns: serials(f.sns), bc_id: f.bc_id || undefined },
    })
    tellRefused(refused)
    onSecrets(added)
  }
  return (
    <AskDrawer {...p} title="设备入库" done="已入库" ready={count > 0 && !!f.model} send={send}>
      {(errors) => (
        <>
          <Field label="类型" error={errors.type}>
            <Select
              style={wide}
              aria-label="类型"
              value={f.type}
              options={deviceType.options}
              onChange={(type) => setF({ ...f, type })}
            />
          </Field>
          <Field label="型号" error={errors.model}>
            <Input value={f.model} maxLength={40} onChange={(e) => setF({ ...f, model: e.target.value })} />
          </Field>
          {branches.length > 1 && (
            <Field label="放在" error={errors.bc_id}>
              <Select
                style={wide}
                aria-label="放在"
                value={f.bc_id}
                options={[
                  { value: '', label: '集团仓库' },
                  ...branches.map((b) => ({ value: b.bc_id, label: b.bc_name })),
                ]}
                onChange={(bc_id) => setF({ ...f, bc_id })}
              />
            </Field>
          )}
          <Field
            label={`序列号（一行一个，可以从表格里粘贴）${count ? `，共 ${count} 个` : ''}`}
            error={errors.sns}
          >
            <Input.TextArea
              rows={10}
              value={f.sns}
              aria-label="序列号"
              placeholder={'CAM-0001\nCAM-0002'}
              onChange={(e) => setF({ ...f, sns: e.target.value })}
            />
          </Field>
          <Field label="备注" error={errors.remark}>
            <Input
              value={f.remark}
              maxLength={200}
              placeholder="例如 采购单号"
              onChange={(e) => setF({ ...f, remark: e.target.value })}
            />
          </Field>
        </>
      )}
    </AskDrawer>
  )
}

function DistributeDrawer({ devices, ...p }: Props & { devices: DeviceRow[] }) {
  const branches = useBranches()
  const [bc, setBc] = useState<string>()
  const [remark, setRemark] = useState('')
  return (
    <AskDrawer
      {...p}
      title={devices.length === 1 ? `分配 ${devices[0]!.sn}` : `分配 ${devices.length} 台设备`}
      done="已分配"
      ready={!!bc}
      send={() =>
        call(deviceStockApi.distribution, {
          body: { ids: devices.map((d) => d.id), bc_id: bc!, remark },
        }).then(({ refused }) => tellRefused(refused))
      }
    >
      {(errors) => (
        <>
          <Field label="分公司" error={errors.bc_id}>
            <Select
              style={wide}
              aria-label="分公司"
              value={bc}
              options={branches.map((b) => ({ value: b.bc_id, label: b.bc_name }))}
              onChange={setBc}
            />
          </Field>
          <Field label="备注" error={errors.remark}>
            <Input value={remark} maxLength={200} onChange={(e) => setRemark(e.target.value)} />
          </Field>
          <ul className="quiet">
            {devices.slice(0, 20).map((d) => (
              <li key={d.id}>
                {d.sn}（{deviceType.label(d.type)} {d.model}）
              </li>
            ))}
            {devices.length > 20 && <li>… 共 {devices.length} 台</li>}
          </ul>
        </>
      )}
    </AskDrawer>
  )
}

function EditDrawer({ device, ...p }: Props & { device: DeviceRow }) {
  const [f, setF] = useState({ model: device.model, remark: device.remark })
  return (
    <AskDrawer
      {...p}
      title={`编辑 ${device.sn}`}
      done="已保存"
      ready={!!f.model}
      send={() =>
        call(deviceStockApi.updatedevice, { body: { id: device.id, version: device.version, ...f } })
      }
    >
      {(errors) => (
        <>
          <Field label="型号" error={errors.model}>
            <Input value={f.model} maxLength={40} onChange={(e) => setF({ ...f, model: e.target.value })} />
          </Field>
          <Field label="备注" error={errors.remark}>
            <Input
              value={f.remark}
              maxLength={200}
              onChange={(e) => setF({ ...f, remark: e.target.value })}
            />
          </Field>
        </>
      )}
    </AskDrawer>
  )
}

function BindBySerial({ device, ...p }: Props & { device: DeviceRow }) {
  const [site, setSite] = useState<string | null>(null)
  const [remark, setRemark] = useState('')
  return (
    <AskDrawer
      {...p}
      title={`绑定 ${device.sn}`}
      done="已绑定，等待设备的第一次心跳"
      ready={!!site}
      send={() =>
        call(deviceStockApi.bindaction, { body: { action: 'bind', sn: device.sn, site_id: site!, remark } })
      }
    >
      {(errors) => (
        <>
          <Field label="工地（与设备同一分公司）" error={errors.site_id}>
            <SitePicker label="工地" value={site} onChange={setSite} />
          </Field>
          <Field label="备注" error={errors.remark}>
            <Input value={remark} maxLength={200} onChange={(e) => setRemark(e.target.value)} />
          </Field>
        </>
      )}
    </AskDrawer>
  )
}

/** The old one comes off and the new one takes its place on the site, or nothing happens. */
function ReplaceDrawer({ device, ...p }: Props & { device: DeviceRow }) {
  const [sn, setSn] = useState('')
  const [remark, setRemark] = useState('')
  return (
    <AskDrawer
      {...p}
      title={`更换 ${device.sn}`}
      done="已更换，等待新设备的第一次心跳"
      ready={!!sn.trim()}
      send={() =>
        call(deviceStockApi.bindaction, {
          body: { action: 'replace', sn: device.sn, with: sn.trim(), remark },
        })
      }
    >
      {(errors) => (
        <>
          <p className="quiet">
            {device.sn} 从 {device.siteName} 取下，新设备装到同一个工地。新设备要在本分公司备用。
          </p>
          <Field label="新设备的序列号（可以扫码）" error={errors.with ?? errors.sn}>
            <Input value={sn} autoFocus maxLength={64} onChange={(e) => setSn(e.target.value)} />
          </Field>
          <Field label="原因" error={errors.remark}>
            <Input
              value={remark}
              maxLength={200}
              placeholder="例如 镜头进水"
              onChange={(e) => setRemark(e.target.value)}
            />
          </Field>
        </>
      )}
    </AskDrawer>
  )
}
