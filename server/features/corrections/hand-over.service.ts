import { correctionStatus, correctionStep } from '@zhuguan/contract/features/alarms/alarms.record.ts'

import type { Tx } from '../../database/connect.ts'
import { Refused } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { notify, settle } from '../notifications/notifications.service.ts'
import { type LockedCorrection, lockCorrecting, moveCorrection, unchanged } from './corrections.queries.ts'
import { canCorrect, causeOf } from './correctors.ts'
import { tellChange } from './telling.ts'

const { correcting } = correctionStatus.code
const { assigned, submitted } = correctionStep.code

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
  const { nickname, scope, tenant } = call.user
  const left: LockedCorrection[] = []
  for (const c of await lockCorrecting(tx, scope, site.id, change.from))
    if (!(await canCorrect(tx, call, c, change.from))) left.push(c)
  if (left.length === 0) return
  const taken: string[] = []
  for (const c of left) {
    const next = change.to === null ? undefined : await canCorrect(tx, call, c, change.to)
    if (!next)
      throw new Refused(
        `${change.post}${c.assigneeName}还有 ${left.length} 条问题正在整改，` +
          (change.to === null ? '请先改派给别人' : '接任的人不能整改，请先改派给别人'),
      )
    const to = { ...unchanged(c), assignee_id: next.id }
    // What is submitted waits for its reviewer; anything else the next person begins anew. The clock runs on.
    if (c.step !== submitted) to.step = assigned
    await moveCorrection(tx, tenant, c, to, nickname, call.now())
    await tellChange(tx, call, c, to, { label: '改派', text: `负责人更换，转给 ${next.nickname}` })
    taken.push(c.source)
  }
  await settle(tx, tenant, ...left.map(causeOf))
  if (change.to === null) return
  const where = `?site_id=${site.id}&assignee_id=${change.to}&correctionStatus=${correcting}`
  await notify(tx, {
    tenant,
    actor: call.user.id,
    user: change.to,
    title: `您接任 ${site.ws_name} 的${change.post}，${left.length} 条整改中的问题转给您`,
    link: (taken.every((source) => source === 'alarm') ? '/image/AlarmEvent' : '/patrol/Correction') + where,
    site: site.id,
  })
}
