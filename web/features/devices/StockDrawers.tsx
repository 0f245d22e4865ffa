import { useQuery } from '@tanstack/react-query'
import { deviceStockApi } from '@zhuguan/contract/features/devices/device-stock.api.ts'
import type { StockRow } from '@zhuguan/contract/features/devices/device-stock.record.ts'
import {
  type DeviceRow,
  deviceStatus,
  deviceType,
} from '@zhuguan/contract/features/devices/devices.record.ts'

import { call } from '../../kit/api.ts'
import { ChoiceField, ManyField, PastedField, ReasonField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { message } from '../../kit/notices.ts'
import { BranchField, SiteField } from '../../parts/pickFields.tsx'
import { useBranches } from '../../parts/places.tsx'
import type { StockOpen } from './DeviceAdminPage.tsx'

type Secrets = { sn: string; secret: string }[]
type Props = DrawerProps & { device: DeviceRow }
/** Those that were left out, in one sentence; the others are done. */
function tellRefused(refused: readonly { sn: string; why: string }[]): void {
  const few = refused.slice(0, 3).map((r) => `${r.sn} ${r.why}`)
  if (refused.length) message.error(`${refused.length} 台没有成功：${few.join('；')}`)
}

/** Loaded with the first drawer that is opened. */
export default function StockDrawers({
  open,
  onSecrets,
  ...p
}: DrawerProps & { open: StockOpen; onSecrets: (devices: Secrets) => void }) {
  switch (open.kind) {
    case 'stock':
      return <StockDrawer {...p} onSecrets={onSecrets} />
    case 'distribute':
      return <DistributeDrawer {...p} devices={open.devices} />
    case 'take':
      return <TakeDrawer {...p} of={open.of} />
    case 'scrap':
      return <ScrapDrawer {...p} of={open.of} />
    case 'edit':
      return <EditDrawer {...p} device={open.device} />
    case 'bind':
      return <BindBySerial {...p} device={open.device} />
    case 'replace':
      return <ReplaceDrawer {...p} device={open.device} />
  }
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

/** Devices of one model that lie in one place: in stock first, then spare. */
function useLying(of: StockRow, states: readonly DeviceRow['deviceStatus'][] = LYING) {
  const { data } = useQuery({
    queryKey: [deviceStockApi.list.path, 'lying', of.id, ...states],
    queryFn: ({ signal }) => {
      const query = { keyword: of.model, type: [of.type], deviceStatus: [...states], pageSize: MOST_LYING }
      const at = of.bc_id ? { bc_id: [of.bc_id] } : {}
      return call(deviceStockApi.list, { query: { ...query, ...at } }, signal)
    },
  })
  return (data?.list ?? [])
    .filter((d) => d.model === of.model && d.bc_id === of.bc_id)
    .map((d) => ({ value: d.id, label: `${d.sn}（${deviceStatus.label(d.deviceStatus)}）` }))
}
const LYING: readonly DeviceRow['deviceStatus'][] = [deviceStatus.code.inStock, deviceStatus.code.spare]
const MOST_LYING = 100
const placeOf = (of: StockRow) => `${of.bc_name} ${deviceType.label(of.type)} ${of.model}`
const lyingHint = (lying: readonly unknown[]) =>
  lying.length ? `可选 ${lying.length} 台，输入序列号可以查找` : '没有可选的设备'

function TakeDrawer({ of, onDone, ...p }: DrawerProps & { of: StockRow }) {
  // What is spare in the only branch that one sees has nowhere to go.
  const oneBranch = useBranches().length < 2
  const lying = useLying(of, oneBranch && of.bc_id ? [deviceStatus.code.inStock] : LYING)
  const verb = of.bc_id && of.inStock === 0 ? '调拨' : '分配'
  const form = useForm(deviceStockApi.distribution, { ids: [], bc_id: null, remark: '' })
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`${verb} ${placeOf(of)}`}
      done={({ done }) => ({ text: `已${verb} ${done} 台` })}
      onDone={({ refused }) => {
        tellRefused(refused)
        onDone()
      }}
    >
      <ManyField of={form} name="ids" options={lying} hint={lyingHint(lying)} />
      <BranchField of={form} name="bc_id" label="给哪个分公司" />
      <TextField of={form} name="remark" rows={2} />
    </FormDrawer>
  )
}

function ScrapDrawer({ of, onDone, ...p }: DrawerProps & { of: StockRow }) {
  const lying = useLying(of)
  const form = useForm(deviceStockApi.scrap, { ids: [], remark: '' })
  return (
    <FormDrawer
      {...p}
      danger
      form={form}
      title={`报废 ${placeOf(of)}`}
      ok="报废"
      done={({ done }) => ({ text: `已报废 ${done} 台` })}
      onDone={({ refused }) => {
        tellRefused(refused)
        onDone()
      }}
    >
      <ManyField
        of={form}
        name="ids"
        options={lying}
        hint={`${lyingHint(lying)}。报废之后不能再用，历史还在；装在工地上的要先解绑，故障的要先修复`}
      />
      <ReasonField of={form} name="remark" label="报废的原因" example="外壳破损，修不好" />
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
