import type { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import type { BodyOf, DataOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { found } from '../../kit/refuse.ts'
import { float8, int4, row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { epoch } from '../../kit/statement.ts'
import { quotationAt } from './quotations.queries.ts'

/** Who has said nothing for so long is not there any more; browsers say it three times as often. */
const GONE_AFTER = `interval '60 seconds'`

/** Somebody has a quotation open, or leaves it; answers who else has. */
export async function editQuotation(
  tx: Tx,
  call: Call,
  { id, leaving }: BodyOf<(typeof quotationsApi)['editing']>,
): Promise<DataOf<(typeof quotationsApi)['editing']>> {
  const { tenant, scope, id: me } = call.user
  const one = found(await quotationAt(tx, scope, { id }))
  await tx.run(
    'quotations.leave',
    `DELETE FROM quotation_editors
     WHERE tenant_id = $1 AND quotation_id = $2 AND (seen_at < :now - ${GONE_AFTER} OR $4 AND user_id = $3)`,
    [tenant, id, me, leaving],
  )
  if (!leaving)
    await tx.run(
      'quotations.enter',
      `INSERT INTO quotation_editors (tenant_id, quotation_id, user_id, since, seen_at)
       VALUES ($1, $2, $3, :now, :now)
       ON CONFLICT (tenant_id, quotation_id, user_id) DO UPDATE
       SET seen_at = excluded.seen_at`,
      [tenant, id, me],
    )
  const { rows } = await tx.query(
    'quotations.others',
    row({ nickname: text, since: float8 }),
    `SELECT u.nickname, ${epoch('e.since')} AS since
     FROM quotation_editors e
     JOIN users u ON u.tenant_id = $1 AND u.id = e.user_id
     WHERE e.tenant_id = $1 AND e.quotation_id = $2 AND e.user_id <> $3
     ORDER BY e.since`,
    [tenant, id, me],
  )
  const last = await tx.query(
    'quotations.last',
    row({ version: int4, name: text }),
    'SELECT q.version, q.changed_by AS name FROM quotations q WHERE q.tenant_id = $1 AND q.id = $2',
    [tenant, one.id],
  )
  return { others: rows, version: last.rows[0]!.version, changedBy: last.rows[0]!.name }
}
