import { workerActions } from '@zhuguan/contract/features/workers/workers.actions.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { type WorkerRow, workerStatus } from '@zhuguan/contract/features/workers/workers.record.ts'
import type { Actor } from '@zhuguan/contract/kit/permits.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { grantedTo } from '../../parts/granted.tsx'
import type { Opened } from './WorkerDrawers.tsx'

/** A worker who is stopped leaves the sites; violations go on. */
function leaving({ breaks, ws_names: sites }: WorkerRow): string {
  const left = sites ? `今天起离开 ${sites}，启用后不会自动回去；` : ''
  return left + (breaks > 0 ? `${breaks} 条违规照旧，仍可申诉和裁定；` : '')
}
/** The commands for a worker, on the list and on their own page; about their face: faceActionsOf. */
export function workerActionsOf(worker: WorkerRow, actor: Actor, open: (what: Opened) => void): RowAction[] {
  const gone = worker.status === workerStatus.code.stopped ? '已停用，请先重新启用' : undefined
  const isActive = worker.status === workerStatus.code.active
  const change = (action: 'stop' | 'start') => (reason: string) =>
    call(workersApi.state, { body: { id: worker.id, version: worker.version, action, reason } })
  return grantedTo(actor, [
    { needs: 'worker:edit', key: 'edit', label: '编辑', open: () => open({ kind: 'edit', worker }) },
    {
      needs: 'worker:send',
      key: 'send',
      label: '派往工地',
      why: gone,
      open: () => open({ kind: 'send', worker }),
    },
    {
      needs: 'worker:send',
      key: 'recall',
      label: '撤离工地',
      why: worker.ws_names ? undefined : '现在不在任何工地',
      open: () => open({ kind: 'recall', worker }),
    },
    // One of the two is always out of place: it is not shown grey beside the other.
    ...actionsOf(workerActions, worker, actor, {
      stop: {
        confirm: `停用 ${worker.w_name}：${leaving(worker)}人脸照片和同意一起失效删除，终端上的由设备管理员删除。请写明原因`,
        run: change('stop'),
      },
      start: { confirm: `重新启用 ${worker.w_name}？人脸要重新征询、重新采集。`, run: change('start') },
    }).filter((action) => (action.key === 'stop') === isActive),
  ])
}
