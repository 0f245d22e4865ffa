import { correctRefusal } from '@zhuguan/contract/features/tidiness/tidiness.actions.ts'
import type { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { found, overtaken, refuse } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { openCorrection } from '../corrections/opening.service.ts'
import { lockCheck } from './tidiness.queries.ts'

/** Somebody has to tidy up what the check shows; answers the correction. */
export async function correctCheck(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof tidinessApi)['correct']>,
): Promise<{ id: string }> {
  const check = found(await lockCheck(tx, call.user.scope, body.id))
  refuse(correctRefusal(check))
  if (check.version !== body.version)
    throw overtaken('条检查', { name: check.judgedBy, at: check.judgedAt ?? 0 })
  const id = await openCorrection(tx, call, {
    source: 'tidiness',
    source_id: check.id,
    site: { id: check.site_id, bc_id: check.bc_id, ws_name: check.siteName },
    problem: body.problem,
    pictures: check.picture ? [check.picture] : [],
    assignee_id: body.assignee_id,
  })
  await tx.run(
    'tidiness.correct',
    'UPDATE tidiness_checks SET correction_id = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, check.id, id],
  )
  return { id }
}
