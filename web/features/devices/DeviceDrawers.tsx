import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import {
  type DeviceRow,
  deviceStatus,
  deviceType,
} from '@zhuguan/contract/features/devices/devices.record.ts'

import { ChoiceField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import LiveDrawer from '../../parts/LiveDrawer.tsx'
import { SiteField } from '../../parts/pickFields.tsx'
import { ToldField } from '../../parts/ToldField.tsx'

interface Props {
  device: DeviceRow
  onClose: () => void
}

/** Loaded with the first drawer that is opened. */
export default function DeviceDrawers({
  kind,
  onDone,
  ...p
}: Props & { kind: 'bind' | 'unbind' | 'live'; onDone: () => void }) {
  if (kind === 'bind') return <BindDrawer {...p} onDone={onDone} />
  if (kind === 'unbind') return <UnbindDrawer {...p} onDone={onDone} />
  return <LiveDrawer id={p.device.id} sn={p.device.sn} onClose={p.onClose} />
}

function BindDrawer({ device, ...p }: Props & DrawerProps) {
  const { id, version } = device
  const form = useForm(devicesApi.bind, { id, version, site_id: null, remark: '', told: false })
  return (
    <FormDrawer {...p} narrow form={form} title={`绑定 ${device.sn}`} done="已绑定，等待设备的第一次心跳">
      <SiteField of={form} name="site_id" hint="与设备同一分公司的工地" />
      {device.type === deviceType.code.camera && <ToldField of={form} notice="camera" />}
      <TextField of={form} name="remark" rows={2} />
    </FormDrawer>
  )
}

const PLACES = {
  options: [
    { value: 'unbind', label: '备用：留在分公司，随时可以再装' },
    { value: 'recover', label: '在库：带回仓库' },
  ],
} as const
/** Taken off its site; what is faulty stays so until it is repaired. */
function UnbindDrawer({ device, ...p }: Props & DrawerProps) {
  const { id, version } = device
  const form = useForm(devicesApi.change, { id, version, action: 'unbind', remark: '' }, { need: ['remark'] })
  const isFaulty = device.deviceStatus === deviceStatus.code.faulty
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`解绑 ${device.sn}`}
      done={`${device.sn} 已从 ${device.siteName} 取下`}
    >
      <p className="quiet lead">
        {device.sn} 从 {device.siteName} 取下{isFaulty ? '；它现在是故障，修复之前仍是故障' : ''}。
      </p>
      <ChoiceField of={form} name="action" label="取下之后" codes={PLACES} />
      <TextField of={form} name="remark" label="原因" rows={2} example="工地完工" />
    </FormDrawer>
  )
}
