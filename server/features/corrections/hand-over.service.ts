import { correctionStatus, correctionStep } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { Refused } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { notify, settle } from '../notifications/notifications.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { lockCorrecting, type LockedCorrection, moveCorrection, unchanged } from './corrections.queries.ts'
import { canCorrect, causeOf, namedIn, noticeOf } from './correctors.ts'
import { tellChange } from './telling.ts'

const { correcting } = correctionStatus.code
const { assigned, submitted } = correctionStep.code

/** It is another's from now on; what is submitted waits for its reviewer, anything else the next person begins anew. */
async function give(
  tx: Tx,
  call: Call,
  c: LockedCorrection,
  next: { id: string; nickname: string },
  why: string,
) {
  const to = { ...unchanged(c), assignee_id: next.id }
  if (c.step !== submitted) to.step = assigned
  // The clock runs on.
  await moveCorrection(tx, call.user.tenant, c, to, call.user.nickname, call.now())
  await tellChange(tx, call, c, to, { label: '改派', text: `${why}，转给 ${next.nickname}` })
}

/** One correction of somebody who is gone, and a word to who has it now; a reviewer who waits goes on waiting. */
export async function handTo(
  tx: Tx,
  call: Call,
  c: LockedCorrection,
  next: { id: string; nickname: string },
  why: string,
): Promise<void> {
  await give(tx, call, c, next, why)
  if (c.step === submitted) return
  await passTurn(tx, causeOf(c).kind, 'assign', {
    ...noticeOf(c),
    tenant: call.user.tenant,
    actor: call.user.id,
    named: namedIn({ ...c, assignee_id: next.id }),
    title: `${c.siteName} 的“${c.problem}”转给您整改：${why}`,
  })
}

/**
 * Somebody leaves a post of the site: what they were correcting there goes to who takes the post, unless they can still
 * do it. Told after the site's people are changed, in the same transaction.
 */
export async function handOver(
  tx: Tx,
  call: Call,
  site: { id: string; ws_name: string },
  change: { from: string; to: string | null; post: string },
): Promise<void> {
  const { scope, tenant } = call.user
  const left: LockedCorrection[] = []
  for (const c of await lockCorrecting(tx, scope, site.id, change.from))
    if (!(await canCorrect(tx, call, c, change.from))) left.push(c)
  if (left.length === 0) return
  for (const c of left) {
    const next = change.to === null ? undefined : await canCorrect(tx, call, c, change.to)
    if (!next)
      throw new Refused(
        `${change.post}${c.assigneeName}还有 ${left.length} 条问题正在整改，` +
          (change.to === null ? '请先改派给别人' : '接任的人不能整改，请先改派给别人'),
      )
    await give(tx, call, c, next, '负责人更换')
  }
  // The person who verifies what was handed in goes on hearing of it.
  await settle(tx, tenant, ...left.filter((c) => c.step !== submitted).map(causeOf))
  if (change.to === null) return
  const theirs = { site_id: site.id, assignee_id: change.to, correctionStatus: correcting }
  const isAlarms = left.every((c) => c.source === 'alarm')
  await notify(tx, {
    tenant,
    actor: call.user.id,
    user: change.to,
    title: `您接任 ${site.ws_name} 的${change.post}，${left.length} 条整改中的问题转给您`,
    link: linkTo(isAlarms ? 'AlarmEvent' : 'Correction', theirs),
    site: site.id,
  })
}
