import type { Database } from '../../database/connect.ts'
import { refuse, Refused } from '../../kit/refuse.ts'
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
  /** One of the company alone made the link and let the device in: nobody knows whose hands it is in. */
  alone: boolean
}
const ROLE = '业主'
const UNVOUCHED = '（未经第二人核对）'
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
    return { link, own: ownOf(call, link, contact), contact }
  }
  /** The call as this contact, by the name that whatever they do is written down with. */
  function ownOf(call: Call, link: OpenLink, contact: HomeContact): Call {
    const { tenant } = link
    const scope: Scope = { tenant, bcs: null, sites: [contact.site_id], user: null }
    const as = door.as(call, { ...link, person: contact.name }, contact, ROLE)
    return {
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
  }
  return {
    knock,
    /** What is told and done needs a device that is bound; asked anew at every call. */
    async enter(call: Call, bearer: Bearer): Promise<Bound> {
      const entered = await knock(call, bearer)
      const { link, own } = entered
      const device = await own.read((tx) => deviceBehind(tx, link.tenant, link.id, bearer.device))
      if (device?.state !== 'bound') throw new Refused(NOT_BOUND, 403, 403)
      if (!device.only_hand) return { ...entered, device, alone: false }
      const contact = { ...entered.contact, name: `${entered.contact.name}${UNVOUCHED}` }
      return { link, own: ownOf(call, link, contact), contact, device, alone: true }
    },
  }
}

export type HomeDoor = ReturnType<typeof homeDoor>

/** What counts as the owner's own decision comes from a device that a second person knows. */
export function unlessAlone({ alone }: Pick<Bound, 'alone'>): void {
  refuse(
    alone
      ? '这个链接和这台手机是同一位同事办的，还不能代表业主本人；请让另一位同事核对，或者请业主用核对过的手机来做'
      : undefined,
  )
}

/** The contact with this one right, for what the home's people may do themselves. */
export function may({ own }: Entered, right: string): Call {
  const { user } = own
  const holding = { dataScope: 'ownSites', scope: user.scope, pages: [], labels: [right] } as const
  return { ...own, user: { ...user, permissions: [right], holdings: [holding] } }
}
