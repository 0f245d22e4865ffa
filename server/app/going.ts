import type { FileStore } from '../features/files/files.service.ts'
import type { Going } from '../features/keeping/keeping.service.ts'
import type { Due } from '../kit/due.ts'
import { int4, row } from '../kit/row.ts'
import { ruledByBranch } from './branch-retention.ts'
import { beforeTonight } from './retention.ts'

/** Raw reports of a branch's devices; the branch of all groups that keeps longest loses them up to a month later. */
const rawReports: Due['count'] = async (tx, { tenant, bc, before }, most) => {
  const { rows } = await tx.query(
    'retention.oldreports',
    row({ n: int4 }),
    `SELECT count(*)::int AS n
     FROM (SELECT 1 FROM devices d
       JOIN raw_events r ON r.tenant_id = $1 AND r.device_id = d.id AND r.at < $3
       WHERE d.tenant_id = $1 AND d.bc_id = $2
       LIMIT $4) k`,
    [tenant, bc, before, most],
  )
  return rows[0]!.n
}

/** The rows that the coming night takes, by the setting that rules it. */
export const goingBy = (files: FileStore): Going => ({
  before: beforeTonight,
  of: {
    ...Object.fromEntries(
      ruledByBranch(files).map(({ setting, words, due }) => [setting, { words, count: due.count }]),
    ),
    rawDays: { words: '条设备原始上报', count: rawReports, atMost: true },
  },
})
