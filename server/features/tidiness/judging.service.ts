import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import { judgeRefusal } from '@zhuguan/contract/features/tidiness/tidiness.actions.ts'
import type { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { found, overtaken, refuse } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { countTidiness } from '../attendance/standstill.service.ts'
import { noteJudged } from '../corrections/opening.service.ts'
import { tell } from '../live/live.service.ts'
import { lockCheck, writeJudging } from './tidiness.queries.ts'
import { countAlone, isSkewed, showNewest } from './tidiness.service.ts'

/** Another result with a reason: it is what the site, its days and every figure say from then on. */
export async function judgeCheck(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof tidinessApi)['judge']>,
): Promise<void> {
  const { nickname, scope, tenant } = call.user
  const check = found(await lockCheck(tx, scope, body.id))
  if (check.version !== body.version)
    throw overtaken('条检查', { name: check.judgedBy, at: check.judgedAt ?? 0 })
  refuse(judgeRefusal(check, body.result, await isSkewed(tx, check.device_id)))
  await writeJudging(tx, tenant, {
    id: call.newId(),
    check: check.id,
    at: call.now(),
    actor: nickname,
    was: check.result,
    result: body.result,
    reason: body.reason,
  })
  await countAlone(tx, tenant, check.id)
  await showNewest(tx, [{ tenant, site: check.site_id }])
  const day = shanghaiDay(new Date(check.at * 1000))
  await countTidiness(tx, tenant, day, shanghaiDay(call.now()), [check.site_id])
  const about = { site_id: check.site_id, at: check.at }
  await call.log(tx, {
    action: '改判整洁度',
    object: 'tidiness',
    objectId: check.id,
    before: { ...about, result: check.result },
    after: { ...about, result: body.result, reason: body.reason },
  })
  const [was, is] = [tidinessResult.label(check.result), tidinessResult.label(body.result)]
  if (check.correction_id)
    await noteJudged(tx, call, { ...check, id: check.correction_id }, { result: is, reason: body.reason })
  tell(tx, call, {
    topic: 'tidiness',
    bc: check.bc_id,
    site: check.site_id,
    id: check.id,
    line: { kind: 'tidiness', title: `整洁度改判：${was} → ${is}，${body.reason}`, picture: check.picture },
  })
}
