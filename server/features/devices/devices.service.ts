import { randomBytes } from 'node:crypto'

import { noticeGiven } from '@zhuguan/contract/features/consents/notices.record.ts'
import { type DeviceAction, deviceActions } from '@zhuguan/contract/features/devices/devices.actions.ts'
import {
  type DeviceRow,
  deviceStatus,
  deviceType,
  spanCause,
} from '@zhuguan/contract/features/devices/devices.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Tx } from '../../database/connect.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, Refused, overtaken } from '../../kit/refuse.ts'
import { int2, row, text, timestamptz, uuid } from '../../kit/row.ts'
import { seal } from '../../kit/secret.ts'
import type { Call } from '../../kit/serve.ts'
import { tell } from '../live/live.service.ts'
import { countDevices, keepStand, lockDevice, openSpan } from './devices.queries.ts'
import { closeRetrieval } from './retrievals.service.ts'

export interface DeviceCommand {
  id: string
  version: number
  action: DeviceAction
  remark: string
  site_id?: string
  told?: boolean
}

const cause = spanCause.code
const CAUSE: Record<DeviceAction, string> = {
  distribute: cause.distributed,
  bind: cause.bound,
  unbind: cause.unbound,
  fault: cause.reported,
  repair: cause.repaired,
  recover: cause.stocked,
  enable: cause.distributed,
  remove: cause.stocked,
}
const NEEDS_REASON = new Set<DeviceAction>(
  deviceActions.names.filter((n) => 'reason' in deviceActions.table[n]),
)
/** States that the device itself brings about by reporting, or by falling silent. */
const OWN = new Set<string | null>([cause.heartbeat, cause.silent, cause.frozen])

/** The person who was faster; or the device itself. */
async function fasterOne(tx: Tx, tenant: string, device: DeviceRow): Promise<Refused> {
  if (OWN.has(device.cause))
    return new Refused(
      `设备已变为${deviceStatus.label(device.deviceStatus)}（${spanCause.label(device.cause!)}），请刷新后再试`,
    )
  const { rows } = await tx.query(
    'devices.last',
    row({ actor: text, at: timestamptz }),
    'SELECT actor, at FROM device_bindings WHERE tenant_id = $1 AND device_id = $2 ORDER BY at DESC, id DESC LIMIT 1',
    [tenant, device.id],
  )
  const last = rows[0]
  return overtaken('台设备', last && { name: last.actor, at: last.at.getTime() / 1000 })
}

/** The ingest keeps who a device is in memory; every server forgets it when this is told. */
export const tellDevices = (tx: Tx, sn: string) =>
  tx.run('devices.tell', `SELECT pg_notify('devices', $1)`, [sn])

/** What people of a site are told with a camera that comes there; other devices film nobody. */
const noticeOf = ({ type }: Pick<DeviceRow, 'type'>, { action, told }: DeviceCommand): string =>
  noticeGiven('camera', type === deviceType.code.camera && action === 'bind' && !!told)

export async function changeDevice(tx: Tx, call: Call, command: DeviceCommand): Promise<void> {
  const { user } = call
  const { tenant } = user
  const device = found(await lockDevice(tx, user.scope, command.id))
  if (device.version !== command.version) throw await fasterOne(tx, tenant, device)
  // The call has let in whoever holds one of its rights: this one must count where the device is.
  refuse(deviceActions.refusal(command.action, device, actorAt(user, device)))
  if (NEEDS_REASON.has(command.action) && command.remark.length < 2)
    throw invalid('remark', '请写明原因（至少 2 个字）')
  const action = deviceActions.table[command.action]
  const to = Number(deviceActions.arrives(command.action, device.deviceStatus))
  let siteId: string | null = null
  if (command.action === 'bind') siteId = await siteToBind(tx, call, command.site_id!, device.bc_id)
  else if (command.action === 'fault') siteId = device.site_id
  const notice = noticeOf(device, command)
  const { rowCount } = await tx.run(
    'devices.move',
    `UPDATE devices
     SET device_status = $4, bind_status = CASE WHEN $5::uuid IS NULL THEN 1 ELSE 2 END, site_id = $5,
       cause = $6, version = version + 1, deleted_at = CASE WHEN $7::boolean THEN :now END,
       last_picture = CASE WHEN site_id = $5 THEN last_picture END,
       last_picture_at = CASE WHEN site_id = $5 THEN last_picture_at END,
       notice = CASE WHEN site_id = $5 THEN notice ELSE $8 END
     WHERE tenant_id = $1 AND id = $2 AND version = $3`,
    [
      tenant,
      device.id,
      device.version,
      to,
      siteId,
      CAUSE[command.action],
      command.action === 'remove',
      notice,
    ],
  )
  if (rowCount !== 1) throw await fasterOne(tx, tenant, device)
  await keepStand(tx, tenant, device.id, device.site_id, siteId)
  if (device.site_id && !siteId) await closeRetrieval(tx, call, device.id)
  const place = siteId ?? device.site_id
  await openSpan(tx, tenant, device.id, to, CAUSE[command.action], call.now())
  await writeBinding(tx, call, {
    device: device.id,
    site: place,
    action: action.label,
    remark: command.remark,
  })
  await countDevices(tx, tenant, [device.site_id, siteId])
  await call.log(tx, {
    action: `设备${action.label}`,
    object: 'device',
    objectId: device.id,
    before: { deviceStatus: device.deviceStatus, site_id: device.site_id },
    // What is scrapped stands nowhere any more.
    after:
      command.action === 'remove'
        ? { remark: command.remark }
        : { deviceStatus: to, site_id: siteId, remark: command.remark, ...(notice && { notice }) },
  })
  tell(tx, call, {
    topic: 'device',
    bc: device.bc_id,
    site: place,
    id: device.id,
    ...(place && device.bc_id
      ? { line: { kind: 'device' as const, title: `${device.sn} ${action.label}` } }
      : {}),
  })
  await tellDevices(tx, device.sn)
}

/** A home is other people's: what its cameras saw of those before is nobody's to look at as the newest still. */
export const forgetStills = (tx: Tx, tenant: string, site: string) =>
  tx.run(
    'devices.forgetstills',
    `UPDATE devices d SET last_picture = NULL, last_picture_at = NULL
     WHERE d.tenant_id = $1 AND d.site_id = $2 AND d.last_picture_at IS NOT NULL`,
    [tenant, site],
  )

async function siteToBind(tx: Tx, call: Call, id: string, bc: string | null): Promise<string> {
  const { scope } = call.user
  const { rows } = await tx.query(
    'devices.site',
    row({ bc_id: uuid, status: int2 }),
    `SELECT bc_id, status
     FROM sites
     WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL
       AND ($3::uuid[] IS NULL AND $4::uuid[] IS NULL OR bc_id = ANY ($3) OR id = ANY ($4))`,
    [scope.tenant, id, scope.bcs, scope.sites],
  )
  const site = found(rows[0])
  if (site.bc_id !== bc) throw invalid('site_id', '设备和工地不属于同一个分公司，请先调拨')
  if (site.status === siteStatus.code.finished || site.status === siteStatus.code.terminated)
    throw invalid('site_id', '工地已完工或合同已终止，不能绑定设备')
  return id
}

export interface NewDevice {
  tenant: string
  sn: string
  type: string
  model: string
  bc: string | null
  site: string | null
  /** Waits in the branch's store room instead of lying spare. */
  stocked?: boolean
}
/** Puts a device on the books; the secret is shown once and kept encrypted (docs/device-protocol.md). */
export async function addDevice(
  tx: Tx,
  d: NewDevice,
  secretKey: Buffer,
): Promise<{ id: string; sn: string; secret: string }> {
  const id = uuidv7()
  const secret = randomBytes(24).toString('base64url')
  const unused = d.bc && !d.stocked ? deviceStatus.code.spare : deviceStatus.code.inStock
  const state = d.site ? deviceStatus.code.notEnabled : unused
  await tx.run(
    'devices.add',
    `INSERT INTO devices (tenant_id, id, sn, secret, type, model, bc_id, site_id, bind_status, device_status)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8::uuid, CASE WHEN $8::uuid IS NULL THEN 1 ELSE 2 END, $9)`,
    [d.tenant, id, d.sn, seal(secretKey, secret), d.type, d.model, d.bc, d.site, state],
  )
  await openSpan(tx, d.tenant, id, state, d.site ? cause.bound : cause.stocked, tx.now)
  if (d.site) await countDevices(tx, d.tenant, [d.site])
  await tellDevices(tx, d.sn)
  return { id, sn: d.sn, secret }
}

/** One line of a device's history. */
export const writeBinding = (
  tx: Tx,
  call: Call,
  b: { device: string; site: string | null; action: string; remark: string },
) =>
  tx.run(
    'devices.binding',
    `INSERT INTO device_bindings (tenant_id, id, device_id, site_id, action, actor, remark, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, :now)`,
    [call.user.tenant, call.newId(), b.device, b.site, b.action, call.user.nickname, b.remark],
  )
