import type { FaceRemoval } from '@zhuguan/contract/features/workers/faces.record.ts'
import { faceWhy } from '@zhuguan/contract/features/workers/faces.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { found, refuse, unlessSeen } from '../../kit/refuse.ts'
import { float8, int4, row, text, uuid } from '../../kit/row.ts'
import { scopedBranches } from '../../kit/scoped.ts'
import type { Call, Caller } from '../../kit/serve.ts'
import { epoch } from '../../kit/statement.ts'
import { passTurn } from '../notifications/turns.service.ts'
import type { LockedWorker } from './workers.queries.ts'

const OPEN = 'r.done_at IS NULL AND r.ended_at IS NULL'
const noticeOf = (r: { id: string; bc_id: string; sn: string }) => ({
  link: linkTo('DeviceList', { keyword: r.sn }),
  cause: { kind: 'face', id: r.id } as const,
  place: { bc_id: r.bc_id },
})

/**
 * A face may not be kept any more: every terminal that reported it, or that stands where the worker worked, is to
 * forget it. The product cannot reach into a terminal, so that its keeper is asked.
 */
export async function askRemovals(
  tx: Tx,
  call: Caller,
  worker: Pick<LockedWorker, 'id' | 'w_name'>,
  why: (typeof faceWhy.values)[number],
  /** A face was kept here, so that the terminals of the worker's sites were told of it. */
  kept: boolean,
): Promise<void> {
  const { tenant } = call.user
  const { rows } = await tx.query(
    'workers.terminals',
    row({ id: uuid, bc_id: uuid, sn: text }),
    `SELECT d.id, d.bc_id, d.sn
     FROM devices d
     WHERE d.tenant_id = $1 AND d.type = 'faceTerminal' AND d.bc_id IS NOT NULL AND d.deleted_at IS NULL AND (
       $3 AND EXISTS (SELECT 1 FROM site_members m
         WHERE m.tenant_id = $1 AND m.worker_id = $2 AND m.site_id = d.site_id)
       OR EXISTS (SELECT 1 FROM attendance_events e
         WHERE e.tenant_id = $1 AND e.worker_id = $2 AND e.device_id = d.id AND e.similarity IS NOT NULL))
     ORDER BY d.sn`,
    [tenant, worker.id, kept],
  )
  for (const d of rows) {
    const id = call.newId()
    const { rowCount } = await tx.run(
      'workers.askremoval',
      `INSERT INTO face_removals (tenant_id, id, bc_id, worker_id, device_id, why, opened_at)
       VALUES ($1, $2, $3, $4, $5, $6, :now)
       ON CONFLICT (tenant_id, device_id, worker_id) WHERE done_at IS NULL AND ended_at IS NULL DO NOTHING`,
      [tenant, id, d.bc_id, worker.id, d.id, why],
    )
    if (!rowCount) continue
    await passTurn(tx, 'face', 'ask', {
      ...noticeOf({ ...d, id }),
      tenant,
      actor: call.user.id,
      title: `把 ${worker.w_name} 的人脸从 ${d.sn} 上删除（${faceWhy.label(why)}），删完请登记`,
    })
  }
}

/** The worker agrees once more: what is still on terminals may stay there. */
export async function endRemovals(tx: Tx, call: Call, worker: string): Promise<void> {
  const { tenant } = call.user
  const { rows } = await tx.query(
    'workers.endremovals',
    row({ id: uuid, bc_id: uuid }),
    `UPDATE face_removals r
     SET ended_at = :now, version = r.version + 1
     WHERE r.tenant_id = $1 AND r.worker_id = $2 AND r.ended_at IS NULL
     RETURNING r.id, r.bc_id`,
    [tenant, worker],
  )
  for (const r of rows)
    await passTurn(tx, 'face', 'end', { ...noticeOf({ ...r, sn: '' }), tenant, title: '' })
}

const removal = row<FaceRemoval>({
  id: uuid,
  worker_id: uuid,
  w_name: text,
  device_id: uuid,
  deviceSn: text,
  siteName: text,
  why: text.of(faceWhy),
  openedAt: float8,
  version: int4,
})
/** Faces that are to be taken off terminals of the branches in reach, the longest first. */
export async function removalsIn(tx: Tx, scope: Scope): Promise<FaceRemoval[]> {
  const where = scopedBranches(scope, 'r').plain(OPEN)
  const { rows } = await tx.query(
    'workers.removals',
    removal,
    `SELECT r.id, r.worker_id, k.w_name, r.device_id, d.sn AS "deviceSn", coalesce(w.ws_name, '') AS "siteName",
       r.why, ${epoch('r.opened_at')} AS "openedAt", r.version
     FROM face_removals r
     JOIN workers k ON k.tenant_id = $1 AND k.id = r.worker_id
     JOIN devices d ON d.tenant_id = $1 AND d.id = r.device_id
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
     WHERE ${where.text}
     ORDER BY r.opened_at, r.id
     LIMIT 500`,
    where.values,
  )
  return rows
}

/** Somebody has taken it off the terminal. */
export async function finishRemoval(
  tx: Tx,
  call: Call,
  body: { id: string; version: number },
): Promise<void> {
  const { nickname, scope, tenant } = call.user
  const where = scopedBranches(scope, 'r').add((p) => `r.id = ${p}::uuid`, body.id)
  const { rows } = await tx.query(
    'workers.lockremoval',
    row({ id: uuid, bc_id: uuid, worker_id: uuid, sn: text, doneBy: text, version: int4 }),
    `SELECT r.id, r.bc_id, r.worker_id, d.sn, r.done_by AS "doneBy", r.version
     FROM face_removals r
     JOIN devices d ON d.tenant_id = $1 AND d.id = r.device_id
     WHERE ${where.text}
     FOR UPDATE OF r`,
    where.values,
  )
  const r = found(rows[0])
  refuse(r.doneBy ? `${r.doneBy} 已经登记删除` : undefined)
  unlessSeen(r, body.version, '条待删除的人脸')
  await tx.run(
    'workers.removed',
    `UPDATE face_removals r SET done_at = :now, done_by = $3, version = r.version + 1
     WHERE r.tenant_id = $1 AND r.id = $2`,
    [tenant, r.id, nickname],
  )
  await call.log(tx, {
    action: '从终端删除人脸',
    object: 'worker',
    objectId: r.worker_id,
    after: { deviceSn: r.sn },
  })
  await passTurn(tx, 'face', 'done', { ...noticeOf(r), tenant, actor: call.user.id, title: '' })
}
