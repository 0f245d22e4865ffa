import {
  alarmVerdict,
  cancelReason,
  correctionStatus,
} from '@zhuguan/contract/features/alarms/alarms.record.ts'

import type { Tx } from '../../database/connect.ts'
import type { CorrectionMoved, CorrectionSource } from '../../kit/correction-source.ts'
import { row, text, there, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { weigh } from '../trusts/trusts.service.ts'
import { followAlarm } from '../violations/violations.service.ts'
import { countOpen } from './alarms.queries.ts'

const { correcting, open } = correctionStatus.code
const { none, real, wrong } = alarmVerdict.code
const isOpen = (status: number) => status === open || status === correcting

/** The log's words about a change of what the camera saw. */
function verdictOf({ action, after, cause }: CorrectionMoved, before: string): string {
  if (action === 'assign') return real
  if (action === 'cancel' && cause === cancelReason.code.wrong) return wrong
  return action === 'reopen' && after === open ? none : before
}

/** One open alarm a camera, site and type (docs/states.md): a closed one cannot come back beside it. */
async function otherOpen(tx: Tx, call: Call, id: string): Promise<string | undefined> {
  const { rowCount } = await tx.query(
    'alarms.other',
    there,
    `SELECT 1
     FROM alarms a
     JOIN alarms o ON o.tenant_id = $1 AND o.device_id = a.device_id AND o.type = a.type AND o.id <> a.id
     WHERE a.tenant_id = $1 AND a.id = $2 AND o.correction_status IN (1, 2)`,
    [call.user.tenant, id],
  )
  return rowCount ? '这台摄像头已有一条同类未结报警，请处理那一条' : undefined
}

/** An alarm's correction brings its verdict, the worker's violation and the site's count of open alarms along. */
export const alarmsSource: CorrectionSource = {
  async unless(tx, call, { before, after }) {
    if (isOpen(before.correctionStatus) || !isOpen(after)) return undefined
    return otherOpen(tx, call, before.id)
  },
  async moved(tx, call, change) {
    const { before, after } = change
    const { rows } = await tx.query(
      'alarms.verdict',
      row({ type: text, verdict: text, device_id: uuid }),
      'SELECT a.type, a.verdict, a.device_id FROM alarms a WHERE a.tenant_id = $1 AND a.id = $2',
      [call.user.tenant, before.id],
    )
    const alarm = rows[0]!
    const verdict = verdictOf(change, alarm.verdict)
    if (verdict !== alarm.verdict) {
      await tx.run('alarms.judge', 'UPDATE alarms SET verdict = $3 WHERE tenant_id = $1 AND id = $2', [
        call.user.tenant,
        before.id,
        verdict,
      ])
      await weigh(tx, {
        tenant: call.user.tenant,
        at: call.now(),
        of: { ...alarm, site_id: before.site_id },
      })
    }
    await followAlarm(
      tx,
      call,
      { ...before, type: alarm.type, verdict: alarm.verdict },
      { correctionStatus: after, verdict },
    )
    if (isOpen(before.correctionStatus) !== isOpen(after))
      await countOpen(tx, call.user.tenant, before.site_id, isOpen(after) ? 1 : -1)
    return { before: { verdict: alarm.verdict }, after: { verdict } }
  },
}
