import type { Tx } from '../../database/connect.ts'
import { invalid, outside } from '../../kit/refuse.ts'
import { bool, float8, row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'

const USED = '这张照片已经用于另一条报警，请重新拍摄'

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
  if (rows.length !== new Set(keys).size) throw outside()
  if (rows.some((f) => f.kind !== 'picture')) throw invalid('pictures', '只能提交照片')
  const early = rows.find((f) => f.taken < to.takenAfter)
  if (early)
    throw invalid(
      'pictures',
      `整改照片必须在报警之后拍摄，这张拍摄于 ${shanghaiTime(new Date(early.taken * 1000))}`,
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
