import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { trustActions } from '@zhuguan/contract/features/trusts/trusts.actions.ts'
import { trustsApi } from '@zhuguan/contract/features/trusts/trusts.api.ts'
import type { TrustRow } from '@zhuguan/contract/features/trusts/trusts.record.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'

/** The person's decisions about a camera's alarms of a type. */
export function useTrustActions(): (pair: TrustRow) => RowAction[] {
  const actor = useActor()
  return (t) => {
    const what = `${t.deviceSn} 的“${alarmType.label(t.type)}”`
    const one = { id: t.id, version: t.version }
    return actionsOf(trustActions, t, actor, {
      pinNotify: {
        confirm: `${what}固定为通知：以后不论误报多少，新的报警都提醒人。请写明原因`,
        run: (reason) => call(trustsApi.pinNotify, { body: { ...one, reason } }),
      },
      pinReview: {
        confirm: `${what}固定为需人工看：以后新的报警照常入库和统计，不提醒人。请写明原因`,
        run: (reason) => call(trustsApi.pinReview, { body: { ...one, reason } }),
      },
      unpin: {
        confirm: `${what}取消固定：以后按判定自动决定是否提醒。请写明原因`,
        run: (reason) => call(trustsApi.unpin, { body: { ...one, reason } }),
      },
    })
  }
}
