import { randomBytes, randomUUID } from 'node:crypto'

import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { homeDevicesApi } from '@zhuguan/contract/features/owners/home-devices.api.ts'
import { homePageApi } from '@zhuguan/contract/features/owners/home-page.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'

import type { Door, Worker } from './demo-door.ts'

const BROWSERS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; PLK110) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0',
] as const

/** The telephone of somebody of a home, with their link. */
export interface Phone {
  who: Worker
  bearer: { token: string; pass: string; device: string }
  /** The bearer with a number of what is done now. */
  act(): Promise<{ token: string; pass: string; device: string; act: string }>
}
/** Someone of a home opens the link that staff gave them: their device asks to be let in. */
export async function askingPhone(door: Door, staff: Worker, contact: string, browser = 0): Promise<Phone> {
  const { token } = await staff.call(linksApi.create, { body: { kind: 'owner', target_id: contact } })
  const device = await door.once(async () => randomBytes(16).toString('hex'))
  const who = door.guest(BROWSERS[browser % BROWSERS.length]!)
  const bearer = { token, pass: '', device }
  await who.call(homePageApi.state, { body: bearer })
  return {
    who,
    bearer,
    act: async () => ({ ...bearer, act: await door.once(async () => randomUUID()) }),
  }
}
/** As `askingPhone`, and staff know the device; a second one vouches for it (docs/decisions/0581). */
export async function boundPhone(
  door: Door,
  staff: Worker,
  {
    browser = 0,
    contact,
    second,
    site_id,
  }: { site_id: string; contact: string; browser?: number; second: Worker },
): Promise<Phone> {
  const phone = await askingPhone(door, staff, contact, browser)
  const devices = await staff.call(homeDevicesApi.list, { query: { site_id } })
  const { id } = devices.find((d) => d.contact_id === contact && d.state === 'asking')!
  await staff.call(homeDevicesApi.allow, { body: { id } })
  await second.call(homeDevicesApi.allow, { body: { id } })
  return phone
}

/** The home with its owner, as staff see it now. */
export const homeRow = async (who: Worker, site_id: string) =>
  (await who.call(ownersApi.list, { query: { id: site_id } })).list[0]!
