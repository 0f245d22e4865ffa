import { countWaiting } from '../../kit/count-waiting.ts'
import type { Queue } from '../users/open-work.service.ts'

export const devicesQueue: Queue = {
  right: 'owner:link',
  title: '确认业主的设备',
  waiting: countWaiting(
    'homedevices.waiting',
    `home_devices d
     JOIN links l ON l.tenant_id = $1 AND l.id = d.link_id AND l.revoked_at IS NULL AND l.expires_at > :now
     WHERE d.tenant_id = $1 AND d.bc_id = $2 AND d.state = 'asking'`,
  ),
}
