import { type DeviceAction, deviceActions } from '@zhuguan/contract/features/devices/devices.actions.ts'
import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import type { DeviceRow } from '@zhuguan/contract/features/devices/devices.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'
import { useLogLink } from '../../parts/useLogLink.ts'
import { useNoLook } from '../../parts/video/useNoLook.ts'

export interface OpenDevice {
  kind: 'bind' | 'unbind' | 'live'
  device: DeviceRow
}
type Command = Exclude<DeviceAction, 'bind' | 'distribute' | 'unbind'>
const command = (device: DeviceRow, action: Command) => ({
  run: (remark: string) =>
    call(devicesApi.change, { body: { id: device.id, version: device.version, action, remark } }),
})
/** Without a reason it is asked for once more. */
const asked = (device: DeviceRow, action: Command) => ({
  ...command(device, action),
  confirm: `确定要把设备 ${device.sn} ${deviceActions.table[action].label}吗？`,
})

/** What this person may do with a device, on the list and on its own page. */
export function useDeviceActions(
  devices: readonly DeviceRow[],
  open: (what: OpenDevice) => void,
): (device: DeviceRow) => RowAction[] {
  const actor = useActor()
  const noLook = useNoLook(devices.filter((d) => d.type === 'camera' && d.site_id).map((d) => d.id))
  const logLink = useLogLink()
  return (device) => {
    const commands = actionsOf(deviceActions, device, actor, {
      bind: { open: () => open({ kind: 'bind', device }) },
      unbind: { open: () => open({ kind: 'unbind', device }) },
      fault: command(device, 'fault'),
      repair: asked(device, 'repair'),
      recover: command(device, 'recover'),
      enable: asked(device, 'enable'),
      remove: command(device, 'remove'),
      // From the stock's own pages.
      distribute: null,
    })
    const live =
      hasPermission(actor, 'device:live') && device.type === 'camera' && device.site_id
        ? [
            {
              key: 'live',
              label: '实时预览',
              why: noLook(device.id),
              open: () => open({ kind: 'live' as const, device }),
            },
          ]
        : []
    return [...live, ...commands, ...logLink('device', device.id)]
  }
}
