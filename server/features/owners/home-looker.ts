import { deviceStatus } from '@zhuguan/contract/features/devices/devices.record.ts'

import type { Database } from '../../database/connect.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import type { Looker } from '../streams/live-stage.service.ts'
import { endLooks } from '../video/video-views.service.ts'
import { grantedCameras, lookBehind } from './looks.queries.ts'
import { lookFor, OFFLINE } from './looks.service.ts'

const UUID_BYTES = 16
const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')
function uuidIn(bytes: Buffer, place: number): string {
  const h = bytes.toString('hex', place * UUID_BYTES, (place + 1) * UUID_BYTES)
  return [h.slice(0, 8), h.slice(8, 12), h.slice(12, 16), h.slice(16, 20), h.slice(20)].join('-')
}
/** What stands in the place of a session: no secret, since addresses and cookies made of it are sealed. */
export const lookKey = (of: { device: string; link: string; tenant: string }): Buffer =>
  Buffer.concat([of.device, of.link, of.tenant].map(bytesOf))

/** Every need of a running look, asked anew; what is not met ends it for good and says why (docs/decisions/0500). */
export function homeLooker({ db, now }: { db: Database; now: () => Date }): Looker {
  return {
    knows: (session) => session.length === 3 * UUID_BYTES,
    async admit(session, view) {
      const [device, link, tenant] = [uuidIn(session, 0), uuidIn(session, 1), uuidIn(session, 2)]
      const asked = await db.tx(
        wholeGroup(tenant),
        async (tx) => {
          const look = await lookBehind(tx, tenant, view, { device, link })
          if (!look) return undefined
          const [{ no }, cameras] = await Promise.all([
            lookFor(tx, tenant, { contact: look.contact, device, link }, now()),
            grantedCameras(tx, tenant, look.contact),
          ])
          const camera = cameras.find((c) => c.id === look.camera)
          const off = camera && camera.status !== deviceStatus.code.online ? OFFLINE : ''
          return {
            contact: look.contact,
            sn: camera?.sn ?? '',
            why: no?.why ?? (camera ? off : '摄像头已拆走'),
          }
        },
        { readOnly: true },
      )
      if (!asked) return undefined
      if (!asked.why) return { tenant, user: asked.contact, sn: asked.sn }
      await db.tx(wholeGroup(tenant), (tx) => endLooks(tx, tenant, { views: [view] }, asked.why))
      return undefined
    },
  }
}
