import { randomBytes } from 'node:crypto'

import type { deviceStockApi } from '@zhuguan/contract/features/devices/device-stock.api.ts'
import { deviceActions } from '@zhuguan/contract/features/devices/devices.actions.ts'
import {
  type DeviceRow,
  deviceStatus,
  deviceType,
  spanCause,
} from '@zhuguan/contract/features/devices/devices.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { found, invalid, outside, Refused, unlessSeen } from '../../kit/refuse.ts'
import { row, there, uuid } from '../../kit/row.ts'
import { hasBranch } from '../../kit/scoped.ts'
import { seal } from '../../kit/secret.ts'
import type { Call } from '../../kit/serve.ts'
import { tell } from '../live/live.service.ts'
import { lockDevice, openSpan } from './devices.queries.ts'
import { deviceScope } from './devices.reads.ts'
import { addDevice, changeDevice, tellDevices, writeBinding } from './devices.service.ts'

type Api = typeof deviceStockApi

/** A branch of the caller's; without one the group's own stock, which only those see who see the whole group. */
async function branchTo(tx: Tx, call: Call, bc: string | null): Promise<void> {
  const { scope, tenant } = call.user
  if (!hasBranch(scope, bc)) throw outside()
  if (bc !== null)
    found(
      (
        await tx.query('stock.branch', there, 'SELECT 1 FROM companies WHERE tenant_id = $1 AND bc_id = $2', [
          tenant,
          bc,
        ])
      ).rows[0],
    )
}

/** New devices. A number that is on the books already is named and left as it is. */
export async function stockDevices(
  tx: Tx,
  call: Call,
  b: BodyOf<Api['stock']>,
  secretKey: Buffer,
): Promise<{ added: { id: string; sn: string; secret: string }[]; refused: { sn: string; why: string }[] }> {
  const { tenant } = call.user
  const bc = b.bc_id ?? (call.user.scope.bcs?.length === 1 ? call.user.scope.bcs[0]! : null)
  await branchTo(tx, call, bc)
  const sns = [...new Set(b.sns)]
  const added: { id: string; sn: string; secret: string }[] = []
  const refused = b.sns.filter((sn, i) => b.sns.indexOf(sn) !== i).map((sn) => ({ sn, why: '在清单里重复' }))
  for (const sn of sns) {
    // Numbers are unique in the whole installation, beyond what the caller can see: the index says so, in a part that can be taken back.
    await tx.run('stock.savepoint', 'SAVEPOINT one', [])
    try {
      const device = await addDevice(
        tx,
        { tenant, sn, type: b.type, model: b.model, bc, site: null, stocked: true },
        secretKey,
      )
      await writeBinding(tx, call, { device: device.id, site: null, action: '入库', remark: b.remark })
      added.push(device)
    } catch (error) {
      if ((error as { code?: string }).code !== '23505') throw error
      await tx.run('stock.back', 'ROLLBACK TO SAVEPOINT one', [])
      refused.push({ sn, why: '序列号已经在库' })
    }
  }
  if (added.length === 0)
    throw new Refused(
      `没有入库：${refused
        .slice(0, 3)
        .map((r) => `${r.sn} ${r.why}`)
        .join('；')}`,
      400,
      200,
      { fields: { sns: refused.map((r) => `${r.sn} ${r.why}`).join('；') } },
    )
  await call.log(tx, {
    action: '设备入库',
    object: 'device',
    objectId: '',
    after: {
      type: b.type,
      model: b.model,
      bc_id: bc,
      count: added.length,
      sns: added.map((a) => a.sn),
      refused,
    },
  })
  return { added, refused }
}

/** From stock, or from another branch, to a branch. Those that cannot be moved are named; the others are. */
export async function distribute(
  tx: Tx,
  call: Call,
  b: BodyOf<Api['distribution']>,
): Promise<{ done: number; refused: { sn: string; why: string }[] }> {
  const { tenant, scope } = call.user
  await branchTo(tx, call, b.bc_id)
  const refused: { sn: string; why: string }[] = []
  let done = 0
  for (const id of [...new Set(b.ids)].sort()) {
    const device = found(await lockDevice(tx, scope, id))
    const why =
      deviceActions.refusal('distribute', device, call.user) ??
      (device.bc_id === b.bc_id && device.deviceStatus === deviceStatus.code.spare
        ? '已经在这个分公司备用'
        : undefined)
    if (why) {
      refused.push({ sn: device.sn, why })
      continue
    }
    const moved = device.bc_id !== null && device.bc_id !== b.bc_id
    await tx.run(
      'stock.move',
      `UPDATE devices
       SET bc_id = $3, device_status = $4, cause = $5, version = version + 1
       WHERE tenant_id = $1 AND id = $2`,
      [tenant, id, b.bc_id, deviceActions.table.distribute.to, spanCause.code.distributed],
    )
    await openSpan(tx, tenant, id, deviceActions.table.distribute.to, spanCause.code.distributed, call.now())
    await writeBinding(tx, call, {
      device: id,
      site: null,
      action: moved ? '调拨' : '分配',
      remark: [device.bc_name && `原属 ${device.bc_name}`, b.remark].filter(Boolean).join('，'),
    })
    await call.log(tx, {
      action: moved ? '设备调拨' : '设备分配',
      object: 'device',
      objectId: id,
      before: { bc_id: device.bc_id, deviceStatus: device.deviceStatus },
      after: { bc_id: b.bc_id, deviceStatus: deviceActions.table.distribute.to },
    })
    tell(tx, call, { topic: 'device', bc: b.bc_id, site: null, id })
    await tellDevices(tx, device.sn)
    done += 1
  }
  refuseNone(done, refused)
  return { done, refused }
}

type RefusedDevices = { sn: string; why: string }[]
/** Where not one was done, that is the answer. */
function refuseNone(done: number, refused: RefusedDevices): void {
  if (done > 0) return
  const few = refused.slice(0, 3).map((r) => `${r.sn}：${r.why}`)
  throw new Refused(few.join('；'), 409, 200, { refused })
}

/** Several devices for good. Those that stand on a site or in repair are named; the others go. */
export async function scrap(
  tx: Tx,
  call: Call,
  b: BodyOf<Api['scrap']>,
): Promise<{ done: number; refused: RefusedDevices }> {
  const refused: RefusedDevices = []
  let done = 0
  for (const id of [...new Set(b.ids)].sort()) {
    const device = found(await lockDevice(tx, call.user.scope, id))
    const why = deviceActions.refusal('remove', device, call.user)
    if (why) refused.push({ sn: device.sn, why })
    else {
      await changeDevice(tx, call, { id, version: device.version, action: 'remove', remark: b.remark })
      done += 1
    }
  }
  refuseNone(done, refused)
  return { done, refused }
}

async function bySerial(tx: Tx, call: Call, sn: string, field: string): Promise<DeviceRow> {
  const where = deviceScope(call.user.scope).add((p) => `d.sn = ${p}`, sn)
  const id = (
    await tx.query(
      'stock.bysn',
      row({ id: uuid }),
      `SELECT d.id FROM devices d WHERE ${where.text}`,
      where.values,
    )
  ).rows[0]?.id
  const device = id && (await lockDevice(tx, call.user.scope, id))
  if (!device) throw invalid(field, `没有序列号为 ${sn} 的设备`)
  return device
}

/** By serial number: bind, unbind, or put another device in its place on the same site, in one transaction. */
export async function bindAction(tx: Tx, call: Call, b: BodyOf<Api['bindaction']>): Promise<void> {
  const device = await bySerial(tx, call, b.sn, 'sn')
  const command = (d: DeviceRow, action: 'bind' | 'unbind', site?: string) =>
    changeDevice(tx, call, {
      id: d.id,
      version: d.version,
      action,
      remark: b.remark,
      ...(site ? { site_id: site } : {}),
    })
  if (b.action === 'bind') {
    if (!b.site_id) throw invalid('site_id', '请选择工地')
    return command(device, 'bind', b.site_id)
  }
  if (b.action === 'unbind') return command(device, 'unbind')
  if (!b.with) throw invalid('with', '请填写新设备的序列号')
  if (!device.site_id) throw invalid('sn', '这台设备没有绑定工地')
  const other = await bySerial(tx, call, b.with, 'with')
  if (other.type !== device.type)
    throw invalid(
      'with',
      `类型不同：原设备是${deviceType.label(device.type)}，新设备是${deviceType.label(other.type)}`,
    )
  await command(device, 'unbind')
  await command(other, 'bind', device.site_id)
}

async function lockSeen(tx: Tx, call: Call, id: string, version: number): Promise<DeviceRow> {
  const device = found(await lockDevice(tx, call.user.scope, id))
  unlessSeen(device, version, '台设备')
  return device
}

export async function editDevice(tx: Tx, call: Call, b: BodyOf<Api['updatedevice']>): Promise<void> {
  const device = await lockSeen(tx, call, b.id, b.version)
  await tx.run(
    'stock.edit',
    'UPDATE devices SET model = $3, remark = $4, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, b.id, b.model, b.remark],
  )
  await call.log(tx, {
    action: '编辑设备',
    object: 'device',
    objectId: b.id,
    before: { model: device.model, remark: device.remark },
    after: { model: b.model, remark: b.remark },
  })
  tell(tx, call, { topic: 'device', bc: device.bc_id, site: device.site_id, id: b.id })
}

/** A new secret; whatever still signs with the old one is refused from now on. */
export async function rotateSecret(
  tx: Tx,
  call: Call,
  b: BodyOf<Api['secret']>,
  secretKey: Buffer,
): Promise<{ sn: string; secret: string }> {
  const device = await lockSeen(tx, call, b.id, b.version)
  const secret = randomBytes(24).toString('base64url')
  await tx.run(
    'stock.secret',
    'UPDATE devices SET secret = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, b.id, seal(secretKey, secret)],
  )
  await writeBinding(tx, call, { device: b.id, site: device.site_id, action: '换密钥', remark: '' })
  await call.log(tx, { action: '更换设备密钥', object: 'device', objectId: b.id, after: { sn: device.sn } })
  await tellDevices(tx, device.sn)
  return { sn: device.sn, secret }
}
