import { deviceStatus, deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int2, int4, row, text, there, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { epoch } from '../../kit/statement.ts'
import { deviceScope } from './devices.reads.ts'
import { unheardParts } from './watched.reads.ts'

/** As far back as the page shows. */
const UNHEARD_S = 15 * 86_400

/** The branch of a site inside the reach. */
export async function branchOfSite(tx: Tx, scope: Scope, site: string) {
  const where = scoped(scope, 'w', { site: 'id' })
    .add((p) => `w.id = ${p}::uuid`, site)
    .plain('w.deleted_at IS NULL')
  const { rows } = await tx.query(
    'devices.atsite',
    row({ bc_id: uuid }),
    `SELECT w.bc_id FROM sites w WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

const one = (scope: Scope, id: string) => deviceScope(scope).add((p) => `d.id = ${p}::uuid`, id)

/** A device's states and places, newest first; nothing outside the reach. */
export async function deviceHistory(tx: Tx, scope: Scope, id: string) {
  const where = one(scope, id)
  const seen = await tx.query(
    'devices.one',
    there,
    `SELECT 1 FROM devices d WHERE ${where.text}`,
    where.values,
  )
  if (seen.rows.length === 0) return undefined
  const keys = [scope.tenant, id]
  const spans = await tx.query(
    'devices.spans',
    row({ state: int2.of(deviceStatus), from: float8, to: float8.null, cause: text }),
    `SELECT state, ${epoch('from_at')} AS from, ${epoch('to_at')} AS to, cause
     FROM device_spans
     WHERE tenant_id = $1 AND device_id = $2
     ORDER BY from_at DESC
     LIMIT 200`,
    keys,
  )
  const bindings = await tx.query(
    'devices.bindings',
    row({ action: text, siteName: text, actor: text, at: float8, remark: text }),
    `SELECT b.action, coalesce(w.ws_name, '') AS "siteName", b.actor, ${epoch('b.at')} AS at, b.remark
     FROM device_bindings b
     LEFT JOIN sites w ON w.tenant_id = b.tenant_id AND w.id = b.site_id
     WHERE b.tenant_id = $1 AND b.device_id = $2
     ORDER BY b.at DESC
     LIMIT 100`,
    keys,
  )
  const now = tx.now.getTime() / 1000
  const unheard = await unheardParts(tx, { from: now - UNHEARD_S, to: now })
  return {
    spans: spans.rows,
    bindings: bindings.rows,
    unheard: unheard.map((u) => ({ from: Math.floor(u.from), to: Math.floor(u.to) })),
  }
}

/** Devices that lie spare in the branches of the scope. */
export async function spareDevices(tx: Tx, scope: Scope) {
  const where = deviceScope(scope)
    .add((p) => `d.bc_id = ANY(${p}::uuid[])`, scope.bcs)
    .plain(`d.device_status = ${deviceStatus.code.spare}`)
  const { rows } = await tx.query(
    'devices.spares',
    row({ id: uuid, sn: text, type: text.of(deviceType), model: text, version: int4 }),
    `SELECT d.id, d.sn, d.type, d.model, d.version
     FROM devices d
     WHERE ${where.text}
     ORDER BY d.type, d.sn
     LIMIT 200`,
    where.values,
  )
  return rows
}
