import { warningActions } from '@zhuguan/contract/features/warnings/warnings.actions.ts'
import type { warningsApi } from '@zhuguan/contract/features/warnings/warnings.api.ts'
import {
  warningAct,
  warningEnd,
  warningLevel,
  type WarningRow,
  warningState,
} from '@zhuguan/contract/features/warnings/warnings.record.ts'
import type { BodyOf, QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, outside, refuse, unlessSeen } from '../../kit/refuse.ts'
import { hasBranch, whole } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { tell } from '../live/live.service.ts'
import { settle } from '../notifications/notifications.service.ts'
import { wouldFind } from './rules.queries.ts'
import { addEntries, endWarnings } from './standing.queries.ts'
import { wordsOf } from './warning-words.ts'
import { lockWarning } from './warnings.queries.ts'

type Command =
  | ({ action: 'take' } & BodyOf<typeof warningsApi.take>)
  | ({ action: 'close' } & BodyOf<typeof warningsApi.close>)

/** So long it may wait without being told of, by its level: what is urgent does not sleep. */
const MOST_DAYS = { 1: 60, 2: 30, 3: 7 } as const

/** The effect of a command on the row, and the ledger's words about it. */
async function carryOut(tx: Tx, call: Call, w: WarningRow, command: Command): Promise<string> {
  const { id: me, nickname, tenant } = call.user
  if (command.action === 'close') {
    await endWarnings(tx, tenant, [{ id: w.id, ended: warningEnd.code.hand }], nickname, true)
    return command.reason
  }
  const { text, until } = command
  const today = shanghaiDay(call.now())
  if (until < today) throw invalid('until', '处理到的日期不能早于今天')
  const most = MOST_DAYS[w.level]
  if (until > addDays(today, most))
    throw invalid('until', `等级为“${warningLevel.label(w.level)}”的预警最多处理 ${most} 天，到期以后再提醒`)
  await tx.run(
    'warnings.take',
    `UPDATE warnings SET state = '${warningState.code.handling}', until = $3, taken_by = $4, changed_by = $5,
       changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, w.id, until, me, nickname],
  )
  return `${text}（处理到 ${until}）`
}

/** One command on one warning: lock, refuse, move, write down, tell. */
export async function changeWarning(tx: Tx, call: Call, command: Command): Promise<void> {
  const { action, id, version } = command
  const w = found(await lockWarning(tx, call.user.scope, id))
  unlessSeen(w, version, '条预警')
  refuse(warningActions.refusal(action, w, actorAt(call.user, w), call.now().getTime() / 1000))
  const { tenant } = call.user
  const text = await carryOut(tx, call, w, command)
  await addEntries(
    tx,
    tenant,
    [{ id: call.newId(), warning: id, act: warningAct.code[action], text }],
    call.user.nickname,
  )
  const { label } = warningActions.table[action]
  await call.log(tx, {
    action: `预警${label}`,
    object: 'warning',
    objectId: id,
    before: { state: w.state },
    after: {
      rule: w.rule,
      site_id: w.site_id,
      level: w.level,
      state: warningActions.arrives(action, w.state),
      text,
    },
  })
  await settle(tx, tenant, { kind: 'warning', id })
  tell(tx, call, {
    topic: 'warning',
    bc: w.bc_id,
    site: w.site_id,
    id,
    line: { kind: 'warning', title: `预警${label}：${wordsOf(w)}。${text}` },
  })
}

/** The number that there would be with a threshold that is not saved yet. */
export async function foreseeWarnings(
  tx: Tx,
  call: Call,
  q: QueryOf<typeof warningsApi.foresee>,
): Promise<{ n: number }> {
  const { scope, tenant } = call.user
  if (q.bc_id ? !hasBranch(scope, q.bc_id) : !whole(scope)) throw outside()
  return { n: await wouldFind(tx, { tenant, bc: q.bc_id, rule: q.rule, threshold: q.threshold }) }
}
