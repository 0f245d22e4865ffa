import { createHash } from 'node:crypto'

import type { Tx } from '../../database/connect.ts'
import { found, invalid, outside, Refused } from '../../kit/refuse.ts'
import { bool, bytea, float8, row, text, there } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import { type FileStore, picture, takenAt } from './file-store.ts'
import { addPicture } from './files.queries.ts'
import { isCopy, shapeOf } from './shape.ts'

export type { FileStore } from './file-store.ts'

/** Bytes that somebody sent, read as a picture and kept; nobody's but theirs, or their link's, until it is claimed. */
export async function keepPicture(
  call: Pick<Call, 'log' | 'now' | 'user' | 'write'>,
  files: FileStore,
  sent: Buffer,
  link?: string,
): Promise<{ key: string }> {
  const at = call.now()
  const bytes = await picture(sent)
  const taken = await takenAt(sent, at)
  // Of what is kept: bytes behind the picture do not make it another one.
  const digest = createHash('sha256').update(bytes).digest()
  const shape = await shapeOf(bytes)
  const key = await files.put(bytes, 'jpg')
  const named = call.write(async (tx) => {
    const file = { key, bytes: bytes.length, at, taken, digest, shape }
    await addPicture(tx, call.user, link ? { ...file, link } : file)
    await call.log(tx, { action: '上传照片', object: 'file', objectId: key })
  })
  await named.catch((error: unknown) => files.unnamed(key, error))
  return { key }
}
/** A picture that cannot be taken: one's own has been used before; of anybody else's nothing is said. */
async function whyNoProof(
  tx: Tx,
  tenant: string,
  key: string,
  by: { user: string } | { link: string },
): Promise<Refused> {
  const { rows } = await tx.query(
    'files.own',
    there,
    'SELECT 1 FROM files f WHERE f.tenant_id = $1 AND f.key = $2 AND (f.user_id = $3 OR f.link_id = $4)',
    [tenant, key, 'user' in by ? by.user : null, 'link' in by ? by.link : null],
  )
  return rows.length ? new Refused('这张照片已经用过，请另拍一张') : outside()
}
/** A picture that came through this link and proves nothing yet becomes a proof of goods. */
export async function claimByLink(
  tx: Tx,
  tenant: string,
  { bc, key, link }: { key: string; link: string; bc: string },
): Promise<void> {
  const own = await tx.run(
    'files.bylink',
    `UPDATE files
     SET kind = 'goods', bc_id = $4
     WHERE tenant_id = $1 AND key = $2 AND link_id = $3 AND kind = 'picture' AND site_id IS NULL`,
    [tenant, key, link, bc],
  )
  if (!own.rowCount) throw await whyNoProof(tx, tenant, key, { link })
}
/**
 * A picture that the caller uploaded and that proves nothing else becomes a face, a document's, a consent's or a
 * product's; that of a branch's product is the branch's.
 */
export async function claimPicture(
  tx: Tx,
  call: Call,
  key: string,
  kind: 'face' | 'document' | 'consent' | 'product' | 'goods',
  bc: string | null = null,
): Promise<void> {
  const mine = await tx.run(
    'files.claim',
    `UPDATE files
     SET kind = $4, bc_id = $5
     WHERE tenant_id = $1 AND key = $2 AND user_id = $3 AND kind = 'picture' AND site_id IS NULL AND proves IS NULL`,
    [call.user.tenant, key, call.user.id, kind, bc],
  )
  if (!mine.rowCount) throw await whyNoProof(tx, call.user.tenant, key, { user: call.user.id })
}
/** Pictures of goods belong to an order: both its parties see them. */
export const tieToOrder = (tx: Tx, tenant: string, keys: readonly string[], order: string) =>
  tx.run(
    'files.oforder',
    `UPDATE files f
     SET order_id = $3
     WHERE f.tenant_id = $1 AND f.key = ANY ($2) AND f.kind = 'goods'`,
    [tenant, keys, order],
  )
/** What the caller uploaded, picture or document, becomes a contract's. */
export async function claimPaper(tx: Tx, call: Call, key: string, bc: string): Promise<void> {
  const mine = await tx.run(
    'files.paper',
    `UPDATE files
     SET kind = 'contract', bc_id = $4
     WHERE tenant_id = $1 AND key = $2 AND user_id = $3 AND kind IN ('picture', 'pdf') AND site_id IS NULL
       AND proves IS NULL`,
    [call.user.tenant, key, call.user.id, bc],
  )
  if (!mine.rowCount) throw outside()
}
/**
 * A picture of a site once more, as if the caller had uploaded it: what becomes of it does not touch the first.
 * Where the transaction fails, the caller takes it off the disk.
 */
export async function copyPicture(
  tx: Tx,
  call: Call,
  files: FileStore,
  from: { key: string; site: string },
): Promise<string> {
  const { rows } = await tx.query(
    'files.original',
    row({ key: text }),
    `SELECT f.key FROM files f WHERE f.tenant_id = $1 AND f.key = $2 AND f.site_id = $3 AND f.kind = 'picture'`,
    [call.user.tenant, from.key, from.site],
  )
  const bytes = await files.read(found(rows[0]).key)
  const digest = createHash('sha256').update(bytes).digest()
  const shape = await shapeOf(bytes)
  const key = await files.put(bytes, 'jpg')
  try {
    await addPicture(tx, call.user, { key, bytes: bytes.length, at: call.now(), taken: null, digest, shape })
  } catch (error) {
    return await files.unnamed(key, error)
  }
  return key
}
/** The picture leaves the disk once the transaction has committed. */
export async function dropFile(tx: Tx, call: Call, files: FileStore, key: string): Promise<void> {
  await tx.run('files.drop', 'DELETE FROM files WHERE tenant_id = $1 AND key = $2', [call.user.tenant, key])
  tx.afterCommit(() => void files.remove(key).catch((error: Error) => call.request.log.error(error)))
}

/** Clips that nothing names any longer leave the disk once the transaction has committed. */
export async function dropClips(tx: Tx, files: FileStore, tenant: string, keys: string[]): Promise<void> {
  await tx.run('files.clips', 'DELETE FROM files WHERE tenant_id = $1 AND key = ANY ($2)', [tenant, keys])
  tx.afterCommit(() => keys.forEach((key) => void files.remove(key).catch(() => {})))
}

const USED = '这张照片已经用于另一条记录，请重新拍摄'

/** Refuses copies of the picture that shows what they answer, and of those that prove another thing of the site. */
export async function unlessCopied(
  tx: Tx,
  call: Call,
  files: FileStore,
  keys: string[],
  to: { evidence: string | null; site: string; proves: string },
): Promise<void> {
  const { tenant } = call.user
  const shape = row({ shape: bytea })
  const { rows: own } = await tx.query(
    'files.shapes',
    shape,
    'SELECT f.shape FROM files f WHERE f.tenant_id = $1 AND f.key = ANY ($2) AND f.shape IS NOT NULL',
    [tenant, keys],
  )
  const isAmong = (original: Buffer) => own.some((f) => isCopy(original, f.shape))
  // Of what a camera sent nobody has kept the shape; what is gone or cannot be read says nothing.
  const evidence =
    to.evidence &&
    (await files
      .read(to.evidence)
      .then(shapeOf)
      .catch(() => undefined))
  if (evidence && isAmong(evidence)) throw invalid('pictures', '这是发现问题时的照片，请拍摄整改后的现场')
  const { rows: proofs } = await tx.query(
    'files.proofs',
    shape,
    `SELECT f.shape
     FROM files f
     WHERE f.tenant_id = $1 AND f.site_id = $2 AND f.proves <> $3 AND f.shape IS NOT NULL`,
    [tenant, to.site, to.proves],
  )
  if (proofs.some((f) => isAmong(f.shape))) throw invalid('pictures', USED)
}

/** Ties pictures that this person uploaded to the one record they prove; each must have been taken after what it answers. */
export async function useFiles(
  tx: Tx,
  call: Call,
  keys: string[],
  to: { takenAfter: number; bc: string; site: string; proves: string },
): Promise<void> {
  const { rows } = await tx.query(
    'files.mine',
    row({ kind: text, taken: float8, used: bool }),
    `SELECT f.kind, floor(extract(epoch FROM coalesce(f.taken_at, f.at)))::float8 AS taken,
       EXISTS (SELECT 1 FROM files o WHERE o.tenant_id = f.tenant_id AND (o.key = f.key OR o.digest = f.digest) AND o.proves <> $4) AS used
     FROM files f WHERE f.tenant_id = $1 AND f.key = ANY ($2) AND f.user_id = $3 FOR UPDATE OF f`,
    [call.user.tenant, keys, call.user.id, to.proves],
  )
  if (new Set(keys).size < keys.length) throw invalid('pictures', '同一张照片选了两次')
  if (rows.length !== keys.length) throw outside()
  if (rows.some((f) => f.kind !== 'picture')) throw invalid('pictures', '只能提交照片')
  const early = rows.find((f) => f.taken < to.takenAfter)
  if (early)
    throw invalid(
      'pictures',
      `照片必须在发现问题之后拍摄，这张拍摄于 ${shanghaiTime(new Date(early.taken * 1000))}`,
    )
  if (rows.some((f) => f.used)) throw invalid('pictures', USED)
  const tied = await tx.run(
    'files.tie',
    `UPDATE files
     SET bc_id = $3, site_id = $4, proves = $5
     WHERE tenant_id = $1 AND key = ANY ($2) AND coalesce(proves, $5) = $5`,
    [call.user.tenant, keys, to.bc, to.site, to.proves],
  )
  if (tied.rowCount !== rows.length) throw invalid('pictures', USED)
}
