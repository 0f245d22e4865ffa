import { countWaiting } from '../../kit/count-waiting.ts'
import type { Queue } from '../users/open-work.service.ts'

/** Faces that are to go from terminals wait for whoever keeps the devices. */
export const facesQueue: Queue = {
  right: 'device:bind',
  title: '绑定设备、删除终端上的人脸',
  waiting: countWaiting(
    'workers.toremove',
    `face_removals r WHERE r.tenant_id = $1 AND r.bc_id = $2 AND r.done_at IS NULL AND r.ended_at IS NULL`,
  ),
}
