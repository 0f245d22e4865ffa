import type { Tx } from '../../database/connect.ts'
import { invalid, outside } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'

export interface FileRow {
  key: string
  user_id: string | null
  bc_id: string | null
  site_id: string | null
  kind: string
  at: number
}

/** Ties pictures that this person uploaded to the record they prove; each must be newer than what it answers. */
export async function useFiles(
  tx: Tx,
  call: Call,
  keys: string[],
  to: { takenAfter: number; bc: string; site: string },
): Promise<void> {
  const { rows } = await tx.query<FileRow>(
    'files.mine',
    `SELECT key, user_id, bc_id, site_id, kind, extract(epoch FROM at)::int AS at FROM files WHERE tenant_id = $1 AND key = ANY ($2) AND user_id = $3 FOR UPDATE`,
    [call.user.tenant, keys, call.user.id],
  )
  if (rows.length !== new Set(keys).size) throw outside()
  if (rows.some((f) => f.kind !== 'picture')) throw invalid('pictures', '只能提交照片')
  if (rows.some((f) => f.at < to.takenAfter)) throw invalid('pictures', '整改照片必须在报警之后拍摄')
  await tx.query(
    'files.tie',
    'UPDATE files SET bc_id = $3, site_id = $4 WHERE tenant_id = $1 AND key = ANY ($2)',
    [call.user.tenant, keys, to.bc, to.site],
  )
}
