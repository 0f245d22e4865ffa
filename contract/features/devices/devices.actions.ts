import { defineActions } from '../../kit/actions.ts'
import { type DeviceRow, deviceStatus } from './devices.record.ts'

const { faulty, inStock, notEnabled, offline, online, spare } = deviceStatus.code
export type DeviceState = Pick<DeviceRow, 'deviceStatus' | 'bindStatus' | 'bc_id'>

/** docs/states.md. 3→1 and 1↔2 are the heartbeats' own. */
export const deviceActions = defineActions<DeviceState>()('deviceStatus', deviceStatus, {
  bind: { label: '绑定', from: [spare], to: notEnabled, permission: 'device:bind', asks: true },
  unbind: {
    label: '解绑',
    from: [online, offline, notEnabled, faulty],
    // Taken down it is not mended: what is faulty stays so until somebody says that it was repaired.
    to: { [online]: spare, [offline]: spare, [notEnabled]: spare, [faulty]: faulty },
    permission: 'device:bind',
    asks: true,
    unless: (device) => (device.bindStatus === 1 ? '这台设备没有绑定工地' : undefined),
  },
  fault: {
    label: '报修',
    from: [online, offline, notEnabled],
    to: faulty,
    permission: 'device:edit',
    reason: true,
  },
  repair: {
    label: '修复',
    from: [faulty],
    to: spare,
    permission: 'device:edit',
    unless: (device) => (device.bindStatus === 2 ? '请先解绑，再登记修复' : undefined),
  },
  recover: {
    label: '回收入库',
    from: [online, offline, notEnabled, faulty, spare],
    to: inStock,
    permission: 'device:edit',
    reason: true,
  },
  distribute: {
    label: '分配',
    from: [inStock, spare],
    to: spare,
    permission: 'device:distribute',
    asks: true,
  },
  enable: { label: '启用', from: [inStock], to: spare, permission: 'device:edit' },
  remove: { label: '报废', from: [spare, inStock], to: inStock, permission: 'device:delete', reason: true },
})
export type DeviceAction = (typeof deviceActions.names)[number]
