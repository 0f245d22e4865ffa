import { createHash } from 'node:crypto'

import type { Tx } from '../../database/connect.ts'
import { correctionNumber } from '../../kit/correction-source.ts'
import { correctionHidden } from '../../kit/kept-from.ts'
import { found, invalid, outside, Refused, unlessAway } from '../../kit/refuse.ts'
import { bytea, float8, row, type RowOf, text, there, uuid } from '../../kit/row.ts'
import { hasPlace } from '../../kit/scoped.ts'
import type { Call, Caller } from '../../kit/serve.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import { epoch } from '../../kit/statement.ts'
import { type FileStore, picture, takenAt } from './file-store.ts'
import { addPicture } from './files.queries.ts'
import { isCopy, isCut, shapeOf } from './shape.ts'

export { BEING_MADE, type FileStore, smaller } from './file-store.ts'

/** Bytes that somebody sent, read as a picture and kept; nobody's but theirs, or their link's, until it is claimed. */
export async function keepPicture(
  call: Pick<Call, 'log' | 'now' | 'user' | 'write'>,
  files: FileStore,
  sent: Buffer,
  link?: string,
): Promise<{ key: string }> {
  const at = call.now()
  const bytes = await picture(sent)
  const taken = await takenAt(sent)
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
  kind: 'face' | 'document' | 'consent' | 'identity' | 'product' | 'goods',
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
/** An upload that is shown with the pictures of a home. It proves nothing, and may still be used as a proof. */
export async function showAtHome(
  tx: Tx,
  tenant: string,
  keys: readonly string[],
  by: { user: string } | { link: string },
  at: { bc: string; site: string },
): Promise<void> {
  if (new Set(keys).size < keys.length) throw invalid('pictures', '同一张照片选了两次')
  for (const key of keys) {
    const own = await tx.run(
      'files.athome',
      `UPDATE files
       SET bc_id = $5, site_id = $6
       WHERE tenant_id = $1 AND key = $2 AND (user_id = $3 OR link_id = $4) AND kind = 'picture' AND site_id IS NULL
         AND proves IS NULL`,
      [tenant, key, 'user' in by ? by.user : null, 'link' in by ? by.link : null, at.bc, at.site],
    )
    if (!own.rowCount) throw await whyNoProof(tx, tenant, key, by)
  }
}
/** They leave again, where nothing was proved by them meanwhile; answers how many. */
export async function hideAtHome(
  tx: Tx,
  files: FileStore,
  tenant: string,
  keys: readonly string[],
): Promise<number> {
  const { rows } = await tx.query(
    'files.hide',
    row({ key: text }),
    'DELETE FROM files WHERE tenant_id = $1 AND key = ANY ($2) AND proves IS NULL RETURNING key',
    [tenant, keys],
  )
  tx.afterCommit(() => rows.forEach(({ key }) => void files.remove(key).catch(() => {})))
  return rows.length
}
/** The caller's upload, picture or document, becomes a contract's. */
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
export async function dropFile(
  tx: Tx,
  call: Caller & Partial<Pick<Call, 'request'>>,
  files: FileStore,
  key: string,
): Promise<void> {
  await tx.run('files.drop', 'DELETE FROM files WHERE tenant_id = $1 AND key = $2', [call.user.tenant, key])
  tx.afterCommit(() => void files.remove(key).catch((error: Error) => call.request?.log.error(error)))
}

/** A clip in another form takes the place of one: under the same camera and site, and as old. */
export const replaceClip = (
  tx: Tx,
  tenant: string,
  film: { instead: string; key: string; bytes: number; seconds: number },
) =>
  tx.run(
    'files.replace',
    `INSERT INTO files (key, tenant_id, bc_id, site_id, device_id, kind, bytes, at, film_seconds)
     SELECT $3, f.tenant_id, f.bc_id, f.site_id, f.device_id, f.kind, $4, f.at, $5
     FROM files f
     WHERE f.tenant_id = $1 AND f.key = $2`,
    [tenant, film.instead, film.key, film.bytes, film.seconds],
  )
/** A picture with masks burnt in: a file of its own that no door of pictures opens but that of its case. */
export const addRendition = (tx: Tx, tenant: string, f: { key: string; bytes: number; at: Date }) =>
  tx.run(
    'files.rendition',
    `INSERT INTO files (key, tenant_id, kind, bytes, at) VALUES ($2, $1, 'case', $3, $4)`,
    [tenant, f.key, f.bytes, f.at],
  )
/** Files that nothing names any longer leave the disk once the transaction has committed. */
export async function dropFiles(tx: Tx, files: FileStore, tenant: string, keys: string[]): Promise<void> {
  await tx.run('files.clips', 'DELETE FROM files WHERE tenant_id = $1 AND key = ANY ($2)', [tenant, keys])
  tx.afterCommit(() => keys.forEach((key) => void files.remove(key).catch(() => {})))
}

/** What a picture `o` proves, as whoever handed in another one may know it. */
const provenColumns = row({
  bc_id: uuid.null,
  site_id: uuid.null,
  ws_name: text,
  at: float8,
  number: text.null,
})
const PROVEN = `o.bc_id, o.site_id, coalesce(w.ws_name, '') AS ws_name, ${epoch('o.at')} AS at,
  CASE WHEN k.id IS NOT NULL AND NOT ${correctionHidden('k')} THEN ${correctionNumber('k')} END AS number`
const OF_PROVEN = `LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = o.site_id
  LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = o.proves`
function used(call: Call, proven: RowOf<typeof provenColumns> | undefined, how = ''): Refused {
  const isKnown = proven && hasPlace(call.user.scope, proven.bc_id, proven.site_id)
  const time = proven && shanghaiTime(new Date(proven.at * 1000))
  const which = isKnown
    ? `：${proven.ws_name} ${proven.number ? `整改单 ${proven.number}` : `${time} 上传的照片`}`
    : ''
  return invalid('pictures', `这张照片已经用于另一条记录${which}${how}，请重新拍摄`)
}

/** So many look-alikes are held against a picture, and so many of their bits may differ. */
const ALIKE = { most: 4, bits: 110 }

/** What is gone or cannot be read is no copy; what is away for a moment is not let through unseen. */
const isCopyCut = async (files: FileStore, original: string, mine: string): Promise<boolean> =>
  (await files
    .read(original)
    .then(async (bytes) => isCut(bytes, await files.read(mine)))
    .catch(unlessAway)) ?? false

/**
 * Refuses copies of the picture that shows what they answer, and of those that prove another thing of the branch, also
 * smaller ones and those with their edges cut off.
 */
export async function unlessCopied(
  tx: Tx,
  call: Call,
  files: FileStore,
  keys: readonly string[],
  to: { evidence?: string | null; bc: string; proves: string },
): Promise<void> {
  const { tenant } = call.user
  const { rows: own } = await tx.query(
    'files.shapes',
    row({ shape: bytea }),
    'SELECT f.shape FROM files f WHERE f.tenant_id = $1 AND f.key = ANY ($2) AND f.shape IS NOT NULL',
    [tenant, keys],
  )
  // Of what a camera sent nobody has kept the shape; what is gone or cannot be read says nothing.
  const evidence = to.evidence && (await files.read(to.evidence).then(shapeOf).catch(unlessAway))
  if (evidence && own.some((f) => isCopy(evidence, f.shape)))
    throw invalid('pictures', '这是发现问题时的照片，请拍摄整改后的现场')
  const { rows: alike } = await tx.query(
    'files.alike',
    { ...row({ mine: text, shape: bytea, key: text, original: bytea }), ...provenColumns },
    `SELECT m.key AS mine, m.shape, o.key, o.shape AS original, ${PROVEN}
     FROM files m
     CROSS JOIN LATERAL (
       SELECT f.*
       FROM files f
       WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.proves <> $3 AND bit_count(f.look # m.look) <= $5
       ORDER BY bit_count(f.look # m.look)
       LIMIT $6) o
     ${OF_PROVEN}
     WHERE m.tenant_id = $1 AND m.key = ANY ($4)`,
    [tenant, to.bc, to.proves, keys, ALIKE.bits, ALIKE.most],
  )
  for (const one of alike) {
    const isSame = isCopy(one.original, one.shape) || (await isCopyCut(files, one.key, one.mine))
    if (isSame) throw used(call, one, '，缩小、裁剪过的也算')
  }
}

/** A camera's clock may be ahead by as much. */
const AHEAD_S = 300

/** Ties pictures that this person uploaded to the one record they prove; each must have been taken after what it answers. */
export async function useFiles(
  tx: Tx,
  call: Call,
  keys: string[],
  /** `since`: what the picture must be newer than, in words. */
  to: { takenAfter: number; since?: string; bc: string; site: string; proves: string },
): Promise<void> {
  const { rows } = await tx.query(
    'files.mine',
    row({ kind: text, at: float8, taken: float8 }),
    `SELECT f.kind, ${epoch('f.at')} AS at, ${epoch('coalesce(f.taken_at, f.at)')} AS taken
     FROM files f WHERE f.tenant_id = $1 AND f.key = ANY ($2) AND f.user_id = $3 FOR UPDATE OF f`,
    [call.user.tenant, keys, call.user.id],
  )
  if (new Set(keys).size < keys.length) throw invalid('pictures', '同一张照片选了两次')
  if (rows.length !== keys.length) throw outside()
  if (rows.some((f) => f.kind !== 'picture')) throw invalid('pictures', '只能提交照片')
  const ahead = rows.find((f) => f.taken > f.at + AHEAD_S)
  if (ahead)
    throw invalid(
      'pictures',
      `照片上写的拍摄时间是 ${shanghaiTime(new Date(ahead.taken * 1000))}，比上传的时间还晚，请把相机的时间调准后重新拍摄`,
    )
  const early = rows.find((f) => f.taken < to.takenAfter)
  if (early)
    throw invalid(
      'pictures',
      `照片必须在${to.since ?? '发现问题'}之后拍摄，这张拍摄于 ${shanghaiTime(new Date(early.taken * 1000))}`,
    )
  const before = await tx.query(
    'files.used',
    provenColumns,
    `SELECT ${PROVEN}
     FROM files f
     JOIN files o ON o.tenant_id = $1 AND (o.key = f.key OR o.digest = f.digest) AND o.proves <> $3
     ${OF_PROVEN}
     WHERE f.tenant_id = $1 AND f.key = ANY ($2)
     LIMIT 1`,
    [call.user.tenant, keys, to.proves],
  )
  if (before.rows.length) throw used(call, before.rows[0])
  const tied = await tx.run(
    'files.tie',
    `UPDATE files
     SET bc_id = $3, site_id = $4, proves = $5
     WHERE tenant_id = $1 AND key = ANY ($2) AND coalesce(proves, $5) = $5`,
    [call.user.tenant, keys, to.bc, to.site, to.proves],
  )
  if (tied.rowCount !== rows.length) throw used(call, undefined)
}
