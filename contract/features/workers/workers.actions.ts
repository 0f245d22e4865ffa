import { defineActions } from '../../kit/actions.ts'
import { type WorkerRow, workerStatus } from './workers.record.ts'

const { active, stopped } = workerStatus.code

export const workerActions = defineActions<Pick<WorkerRow, 'status'>>()('status', workerStatus, {
  /** Takes them off every site and forgets their face. */
  stop: { label: '停用', from: [active], to: stopped, permission: 'worker:edit', reason: true },
  start: { label: '重新启用', from: [stopped], to: active, permission: 'worker:edit' },
})
