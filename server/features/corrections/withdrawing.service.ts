import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'

import type { Tx } from '../../database/connect.ts'
import { found } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { lockCorrection, moveCorrection, unchanged } from './corrections.queries.ts'
import { causeOf, namedIn, noticeOf } from './correctors.ts'
import { tellChange } from './telling.ts'

/**
 * Whatever a correction was opened for is over: it is cancelled with it, by the right to end that. Nothing where it is
 * closed already.
 */
export async function withdrawCorrection(tx: Tx, call: Call, id: string, why: string): Promise<void> {
  const c = found(await lockCorrection(tx, call.user.scope, id))
  if (c.closedAt !== null) return
  const to = {
    ...unchanged(c),
    correctionStatus: correctionStatus.code.cancelled,
    step: null,
    closedAt: call.now(),
  }
  await moveCorrection(tx, call.user.tenant, c, to, call.user.nickname, call.now())
  await tellChange(tx, call, c, to, { label: '取消整改', text: why })
  await passTurn(tx, causeOf(c).kind, 'cancel', {
    ...noticeOf(c),
    tenant: call.user.tenant,
    actor: call.user.id,
    named: namedIn(c),
    title: `${c.siteName} 的“${c.problem}”已由${call.user.nickname}取消，不用再整改：${why}`,
  })
}
