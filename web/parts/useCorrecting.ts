import {
  type correctionActions,
  type CorrectionState,
} from '@zhuguan/contract/features/corrections/corrections.actions.ts'
import { correctionsApi } from '@zhuguan/contract/features/corrections/corrections.api.ts'

import { actionsOf } from '../kit/actionsOf.ts'
import { call } from '../kit/api.ts'
import type { RowAction } from '../kit/RowActions.tsx'
import { useActor } from './session.ts'

/** The questions before a command that needs more than a reason. */
export type AskKind = 'assign' | 'cancel' | 'submit'
type Correcting = CorrectionState & { id: string; version: number }

/** What this person may do to a correction, or to an alarm, which is one. */
export function useCorrecting<R extends Correcting>(
  ask: (kind: AskKind, record: R) => void,
): (record: R, by: { machine: typeof correctionActions; what: string }) => RowAction[] {
  const actor = useActor()
  return (record, { machine, what }) => {
    const one = { id: record.id, version: record.version }
    const drawer = (kind: AskKind) => ({ open: () => ask(kind, record) })
    return actionsOf(machine, record, actor, {
      assign: drawer('assign'),
      start: { run: () => call(correctionsApi.start, { body: one }) },
      submit: drawer('submit'),
      pass: { run: () => call(correctionsApi.pass, { body: one }) },
      back: {
        confirm: `退回 ${what}：请写明哪里没有改好`,
        run: (reason) => call(correctionsApi.back, { body: { ...one, reason } }),
      },
      dispute: {
        confirm: `申诉 ${what}：请写明为什么不是问题`,
        run: (reason) => call(correctionsApi.dispute, { body: { ...one, reason } }),
      },
      cancel: drawer('cancel'),
      reopen: {
        confirm: `重新打开 ${what}：请写明原因`,
        run: (reason) => call(correctionsApi.reopen, { body: { ...one, reason } }),
      },
    })
  }
}
