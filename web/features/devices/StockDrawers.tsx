import { deviceStockApi } from '@zhuguan/contract/features/devices/device-stock.api.ts'
import { type DeviceRow, deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'

import { call } from '../../kit/api.ts'
import { ChoiceField, PastedField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { message } from '../../kit/notices.ts'
import { BranchField, SiteField } from '../../parts/pickFields.tsx'
import type { StockOpen } from './DeviceAdminPage.tsx'

type Secrets = { sn: string; secret: string }[]
type Props = DrawerProps & { device: DeviceRow }
/** Those that were left out, in one sentence; the others are done. */
function tellRefused(refused: readonly { sn: string; why: string }[]): void {
  const few = refused.slice(0, 3).map((r) => `${r.sn} ${r.why}`)
  if (refused.length) message.error(`${refused.length} 台没有成功：${few.join('；')}`)
}

/** Comes when the first drawer is opened. */
export default function StockDrawers({
  open,
  onSecrets,
  ...p
}: DrawerProps & { open: StockOpen; onSecrets: (devices: Secrets) => void }) {
  if (open.kind === 'stock') return <StockDrawer {...p} onSecrets={onSecrets} />
  if (open.kind === 'distribute') return <DistributeDrawer {...p} devices={open.devices} />
  if (open.kind === 'edit') return <EditDrawer {...p} device={open.device} />
  return open.kind === 'bind' ? (
    <BindBySerial {...p} device={open.device} />
  ) : (
    <ReplaceDrawer {...p} device={open.device} />
  )
}

function StockDrawer({ onSecrets, onDone, ...p }: DrawerProps & { onSecrets: (devices: Secrets) => void }) {
  const start = { type: deviceType.code.camera, model: '', bc_id: null, sns: null, remark: '' }
  const form = useForm(deviceStockApi.stock, start)
  return (
    <FormDrawer
      {...p}
      form={form}
      title="设备入库"
      done={({ added }) => ({ text: `已入库 ${added.length} 台` })}
      onDone={({ added, refused }) => {
        tellRefused(refused)
        onSecrets(added)
        onDone()
      }}
    >
      <ChoiceField of={form} name="type" codes={deviceType} />
      <TextField of={form} name="model" example="EyeSite C6" />
      <BranchField clear of={form} name="bc_id" label="放在" placeholder="集团仓库" />
      <PastedField of={form} name="sns" example={'CAM-0001\nCAM-0002'} hint="一行一个，可以从表格里粘贴" />
      <TextField of={form} name="remark" example="采购单号" />
    </FormDrawer>
  )
}

const SHOWN = 20
function DistributeDrawer({ devices, onDone, ...p }: DrawerProps & { devices: DeviceRow[] }) {
  const form = useForm(deviceStockApi.distribution, {
    ids: devices.map((d) => d.id),
    bc_id: null,
    remark: '',
  })
  return (
    <FormDrawer
      {...p}
      narrow
      form={form}
      title={devices.length === 1 ? `分配 ${devices[0]!.sn}` : `分配 ${devices.length} 台设备`}
      done={({ done }) => ({ text: `已分配 ${done} 台` })}
      onDone={({ refused }) => {
        tellRefused(refused)
        onDone()
      }}
    >
      <BranchField of={form} name="bc_id" />
      <TextField of={form} name="remark" rows={2} />
      <ul className="quiet">
        {devices.slice(0, SHOWN).map((d) => (
          <li key={d.id}>
            {d.sn}（{deviceType.label(d.type)} {d.model}）
          </li>
        ))}
        {devices.length > SHOWN && <li>… 共 {devices.length} 台</li>}
      </ul>
    </FormDrawer>
  )
}

const factsOf = ({ id, version, model, remark }: DeviceRow) => ({ id, version, model, remark })
function EditDrawer({ device, ...p }: Props) {
  const form = useForm(deviceStockApi.updatedevice, factsOf(device), {
    latest: () =>
      call(deviceStockApi.list, { query: { ids: [device.id] } }).then(({ list }) =>
        factsOf(list[0] ?? device),
      ),
  })
  return (
    <FormDrawer {...p} narrow form={form} title={`编辑 ${device.sn}`} done={`${device.sn} 已保存`}>
      <TextField of={form} name="model" />
      <TextField of={form} name="remark" rows={2} />
    </FormDrawer>
  )
}

function BindBySerial({ device: { sn }, ...p }: Props) {
  const form = useForm(
    deviceStockApi.bindaction,
    { action: 'bind', sn, site_id: null, remark: '' },
    { need: ['site_id'] },
  )
  return (
    <FormDrawer {...p} narrow form={form} title={`绑定 ${sn}`} done="已绑定，等待设备的第一次心跳">
      <SiteField of={form} name="site_id" hint="与设备同一分公司的工地" />
      <TextField of={form} name="remark" rows={2} />
    </FormDrawer>
  )
}

/** The old one comes off and the new one takes its place on the site, or nothing happens. */
function ReplaceDrawer({ device: { sn, siteName }, ...p }: Props) {
  const form = useForm(
    deviceStockApi.bindaction,
    { action: 'replace', sn, with: '', remark: '' },
    { need: ['with'] },
  )
  return (
    <FormDrawer {...p} narrow form={form} title={`更换 ${sn}`} done="已更换，等待新设备的第一次心跳">
      <p className="quiet lead">
        {sn} 从 {siteName} 取下，新设备装到同一个工地。新设备要在本分公司备用。
      </p>
      <TextField of={form} name="with" label="新设备的序列号" hint="可以用扫码枪扫" />
      <TextField of={form} name="remark" label="原因" rows={2} example="镜头进水" />
    </FormDrawer>
  )
}
