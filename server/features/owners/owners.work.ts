import { countWaiting } from '../../kit/count-waiting.ts'
import type { Queue } from '../users/open-work.service.ts'

/** The person who agreed and was never granted anything: their consent is newer than whatever ended. */
export const grantsQueue: Queue = {
  right: 'owner:video',
  title: '授权业主看现场',
  waiting: countWaiting(
    'grants.waiting',
    `home_contacts h
     JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id AND w.status = 1
     JOIN consents x ON x.tenant_id = $1 AND x.kind = 'ownerVideo' AND x.subject_id = h.id AND x.state = 1
     WHERE h.tenant_id = $1 AND h.bc_id = $2 AND h.ended_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM video_grants g WHERE g.tenant_id = $1 AND g.contact_id = h.id)`,
  ),
}
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
