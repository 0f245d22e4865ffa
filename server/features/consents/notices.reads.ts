import { consentState } from '@zhuguan/contract/features/consents/consents.record.ts'
import { noticeKind } from '@zhuguan/contract/features/consents/notices.record.ts'
import { signingProgress } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { customerHeld } from '@zhuguan/contract/features/customers/customers.record.ts'
import { deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'

import type { Tx } from '../../database/connect.ts'
import { int4, row, text } from '../../kit/row.ts'

/** The records of each occasion, by the version of the notice that they name. */
export async function countNotices(tx: Tx, tenant: string) {
  const { rows } = await tx.query(
    'consents.notices',
    row({ kind: text.of(noticeKind), version: text, n: int4 }),
    `SELECT x.kind, x.version, count(*)::int AS n
     FROM (
       SELECT 'customer' AS kind, k.notice AS version FROM customers k
       WHERE k.tenant_id = $1 AND k.held <> '${customerHeld.code.merged}'
       UNION ALL
       SELECT 'signing', c.notice FROM contracts c
       WHERE c.tenant_id = $1 AND c.signing_progress = ${signingProgress.code.signed}
       UNION ALL
       SELECT 'owner', o.notice FROM owners o WHERE o.tenant_id = $1
       UNION ALL
       SELECT 'worker', w.notice FROM workers w WHERE w.tenant_id = $1 AND w.deleted_at IS NULL
       UNION ALL
       SELECT 'camera', d.notice FROM devices d
       WHERE d.tenant_id = $1 AND d.type = '${deviceType.code.camera}' AND d.site_id IS NOT NULL
       UNION ALL
       SELECT 'face', a.wording FROM consents a
       WHERE a.tenant_id = $1 AND a.kind = 'face' AND a.state = ${consentState.code.given}) x
     GROUP BY x.kind, x.version`,
    [tenant],
  )
  return noticeKind.values.flatMap((kind) =>
    rows
      .filter((r) => r.kind === kind)
      .sort((one, other) => other.version.localeCompare(one.version))
      .map((r) => ({ ...r })),
  )
}
