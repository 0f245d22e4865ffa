import { facesApi } from '@zhuguan/contract/features/workers/faces.api.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { faceState, type WorkerRow, workerStatus } from '@zhuguan/contract/features/workers/workers.record.ts'
import type { Actor } from '@zhuguan/contract/kit/permits.ts'

import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { grantedTo } from '../../parts/granted.tsx'
import type { Opened } from './WorkerDrawers.tsx'

const { agreed, kept } = faceState.code

/** The commands about somebody's face: asked first, then taken. */
export function faceActionsOf(worker: WorkerRow, actor: Actor, open: (what: Opened) => void): RowAction[] {
  const gone = worker.status === workerStatus.code.stopped ? '已停用，请先重新启用' : undefined
  const isGiven = worker.face === kept || worker.face === agreed
  const needs = 'worker:face'
  const { id, version } = worker
  return grantedTo(actor, [
    ...(isGiven
      ? []
      : [
          {
            needs,
            key: 'consent',
            label: '登记同意',
            why: gone,
            open: () => open({ kind: 'consent', worker }),
          },
        ]),
    {
      needs,
      key: 'face',
      label: worker.w_face ? '更换人脸' : '采集人脸',
      why: gone ?? (isGiven ? undefined : '要先登记本人的同意'),
      open: () => open({ kind: 'face', worker }),
    },
    ...(worker.w_face
      ? [
          {
            needs,
            key: 'forget',
            label: '删除人脸',
            danger: true,
            reason: true,
            confirm: `${worker.w_name} 的人脸照片会被永久删除，同意仍然有效，可以重新采集。请写明原因`,
            run: (reason: string) => call(workersApi.forgetFace, { body: { id, version, reason } }),
          },
        ]
      : []),
    ...(isGiven
      ? [
          {
            needs,
            key: 'withdraw',
            label: '撤回同意',
            danger: true,
            reason: true,
            confirm: `撤回 ${worker.w_name} 的同意，人脸照片同时永久删除，以后用补卡或管家代打。请写明原因`,
            run: (reason: string) => call(facesApi.withdraw, { body: { id, version, reason } }),
          },
        ]
      : []),
  ])
}
