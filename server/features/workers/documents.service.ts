import type { documentsApi as Api } from '@zhuguan/contract/features/workers/documents.api.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { changed } from '../../kit/changed.ts'
import { found, invalid, unlessSeen } from '../../kit/refuse.ts'
import { row, there, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { claimPicture, dropFile, type FileStore } from '../files/files.service.ts'
import { tell } from '../live/live.service.ts'
import { lockDocument, type LockedDocument } from './documents.queries.ts'
import { lockWorker } from './workers.queries.ts'

const tellBranch = (tx: Tx, call: Call, bc: string, worker: string) =>
  tell(tx, call, { topic: 'worker', bc, site: null, id: worker })
/** A number may stand twice for two people, never twice for one. */
async function freeNumber(
  tx: Tx,
  call: Call,
  d: { worker_id: string; kind: string; number: string; id?: string },
) {
  const { rows } = await tx.query(
    'documents.same',
    there,
    `SELECT 1 FROM worker_documents
     WHERE tenant_id = $1 AND worker_id = $2 AND kind = $3 AND number = $4 AND ($5::uuid IS NULL OR id <> $5)`,
    [call.user.tenant, d.worker_id, d.kind, d.number, d.id ?? null],
  )
  if (rows.length) throw invalid('number', '这位工人已经登记过这张证件')
}
const shown = (d: { picture: string | null }) => (d.picture ? '有' : '无')

export async function addDocument(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof Api)['add']>,
): Promise<{ id: string }> {
  const worker = found(await lockWorker(tx, call.user.scope, body.worker_id))
  await freeNumber(tx, call, body)
  if (body.picture) await claimPicture(tx, call, body.picture, 'document')
  const { rows } = await tx.query(
    'documents.add',
    row({ id: uuid }),
    `INSERT INTO worker_documents (tenant_id, id, worker_id, kind, number, picture, valid_until, added_by, added_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, :now)
     RETURNING id`,
    [
      call.user.tenant,
      call.newId(),
      worker.id,
      body.kind,
      body.number,
      body.picture,
      body.validUntil,
      call.user.nickname,
    ],
  )
  const { id } = rows[0]!
  await call.log(tx, {
    action: '登记证件',
    object: 'document',
    objectId: id,
    after: { worker_id: worker.id, kind: body.kind, validUntil: body.validUntil, picture: shown(body) },
  })
  tellBranch(tx, call, worker.bc_id, worker.id)
  return { id }
}

async function lockSeen(tx: Tx, call: Call, one: { id: string; version: number }): Promise<LockedDocument> {
  const document = found(await lockDocument(tx, call.user.scope, one.id))
  unlessSeen(document, one.version, '张证件')
  return document
}

export async function editDocument(
  tx: Tx,
  call: Call,
  files: FileStore,
  body: BodyOf<(typeof Api)['edit']>,
): Promise<void> {
  const before = await lockSeen(tx, call, body)
  const number = body.number ?? before.number
  await freeNumber(tx, call, { ...before, kind: body.kind, number })
  if (body.picture && body.picture !== before.picture) await claimPicture(tx, call, body.picture, 'document')
  if (before.picture && body.picture !== before.picture) await dropFile(tx, call, files, before.picture)
  await tx.run(
    'documents.edit',
    `UPDATE worker_documents SET kind = $3, number = $4, picture = $5, valid_until = $6, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, body.id, body.kind, number, body.picture, body.validUntil],
  )
  const facts = (d: typeof body | LockedDocument) => ({
    kind: d.kind,
    validUntil: d.validUntil,
    picture: shown(d),
  })
  const told = changed(facts(before), facts(body))
  await call.log(tx, {
    action: '修改证件',
    object: 'document',
    objectId: body.id,
    before: told.before,
    after: {
      worker_id: before.worker_id,
      ...told.after,
      ...(number === before.number ? {} : { number: '已修改' }),
    },
  })
  tellBranch(tx, call, before.bc_id, before.worker_id)
}

export async function deleteDocument(
  tx: Tx,
  call: Call,
  files: FileStore,
  body: BodyOf<(typeof Api)['del']>,
): Promise<void> {
  const before = await lockSeen(tx, call, body)
  await tx.run('documents.del', 'DELETE FROM worker_documents WHERE tenant_id = $1 AND id = $2', [
    call.user.tenant,
    body.id,
  ])
  if (before.picture) await dropFile(tx, call, files, before.picture)
  await call.log(tx, {
    action: '删除证件',
    object: 'document',
    objectId: body.id,
    before: { worker_id: before.worker_id, kind: before.kind, validUntil: before.validUntil },
    after: { reason: body.reason },
  })
  tellBranch(tx, call, before.bc_id, before.worker_id)
}

/** One number for a reason; the look is in the log before the number leaves. */
export async function readNumber(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof Api)['number']>,
): Promise<{ number: string }> {
  const document = found(await lockDocument(tx, call.user.scope, body.id))
  await call.log(tx, {
    action: '查看证件号码',
    object: 'document',
    objectId: document.id,
    after: { worker_id: document.worker_id, kind: document.kind, reason: body.reason },
  })
  return { number: document.number }
}
