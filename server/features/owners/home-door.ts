import type { Database } from '../../database/connect.ts'
import { Refused } from '../../kit/refuse.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import type { Scope } from '../../kit/tx.ts'
import type { Bearer, LinkDoor, OpenLink } from '../links/links.service.ts'
import { contactBehind, deviceBehind, holdContact, type HomeContact } from './home-devices.queries.ts'

export interface Entered {
  link: OpenLink
  /** The call as the contact, in the reach of their home and nothing else; it writes while they are of the home. */
  own: Call
  contact: HomeContact
}
/** On a device that was let in. */
export interface Bound extends Entered {
  device: NonNullable<Awaited<ReturnType<typeof deviceBehind>>>
}
const ROLE = '业主'
export const NOT_BOUND = '这台设备还没有确认，或者已经移除，请联系您的管家'

/** The way in for contacts of homes: a link of their own, on a device that somebody has let in. */
export function homeDoor({ db, door }: { db: Database; door: LinkDoor }) {
  /** Whose link it is, whatever the device. */
  async function knock(call: Call, bearer: Bearer): Promise<Entered> {
    const link = await door.look(call, bearer, 'owner')
    const { tenant } = link
    const contact = await db.tx<HomeContact | undefined>(
      wholeGroup(tenant),
      (tx) => contactBehind(tx, tenant, link.target_id),
      { readOnly: true },
    )
    if (!contact) throw new Refused(NOT_BOUND, 404, 404)
    const scope: Scope = { tenant, bcs: null, sites: [contact.site_id], user: null }
    const as = door.as(call, { ...link, person: contact.name }, contact, ROLE)
    const own: Call = {
      ...call,
      ...as,
      user: { ...as.user, scope },
      read: (fn) => db.tx(scope, fn, { readOnly: true }),
      write: (fn) =>
        db.tx(scope, async (tx) => {
          if (!(await holdContact(tx, tenant, contact))) throw new Refused(NOT_BOUND, 404, 404)
          return fn(tx)
        }),
    }
    return { link, own, contact }
  }
  return {
    knock,
    /** What is told and done needs a device that is bound; asked anew at every call. */
    async enter(call: Call, bearer: Bearer): Promise<Bound> {
      const entered = await knock(call, bearer)
      const { link, own } = entered
      const device = await own.read((tx) => deviceBehind(tx, link.tenant, link.id, bearer.device))
      if (device?.state !== 'bound') throw new Refused(NOT_BOUND, 403, 403)
      return { ...entered, device }
    },
  }
}

export type HomeDoor = ReturnType<typeof homeDoor>

/** The contact with this one right, for what the home's people may do themselves. */
export function may({ own }: Entered, right: string): Call {
  const { user } = own
  const holding = { dataScope: 'ownSites', scope: user.scope, pages: [], labels: [right] } as const
  return { ...own, user: { ...user, permissions: [right], holdings: [holding] } }
}
