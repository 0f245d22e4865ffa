import { createHash } from 'node:crypto'

import {
  MOST_ASKING,
  MOST_ASKING_NEAR,
  MOST_DEVICES,
} from '@zhuguan/contract/features/owners/home-devices.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { networkOf } from '../../kit/network.ts'
import { found, refuse, Refused } from '../../kit/refuse.ts'
import type { Call, Caller } from '../../kit/serve.ts'
import { terminalOf } from '../../kit/terminal.ts'
import { makerOf, type OpenLink, revokeLinks } from '../links/links.service.ts'
import { tell } from '../live/live.service.ts'
import { settle } from '../notifications/notifications.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { endVideoOf } from './grants.service.ts'
import {
  addDevice,
  askingFrom,
  bindDevice,
  contactBehind,
  contactsOf,
  countBound,
  countDevices,
  deviceBehind,
  deviceInReach,
  handBehind,
  type HomeContact,
  removeDevices,
  vouchFor,
} from './home-devices.queries.ts'

const NAME_LENGTH = 60
const CODE_DIGITS = 4
/** What its screen shows and staff compare: of the link and the device, so that it is the same until it is let in. */
const codeOf = (link: string, device: string): string =>
  String(
    createHash('sha256').update(`${link}:${device}`).digest().readUInt32BE() % 10 ** CODE_DIGITS,
  ).padStart(CODE_DIGITS, '0')

const noticeOf = (device: string, of: HomeContact) => ({
  link: linkTo('OwnerInfo', { site_id: of.site_id }),
  cause: { kind: 'homeDevice', id: device } as const,
  place: { bc_id: of.bc_id, site_id: of.site_id },
  named: { admitters: of.steward_id },
})
const changed = (tx: Tx, call: Call, of: HomeContact) =>
  tell(tx, call, { topic: 'site', bc: of.bc_id, site: of.site_id, id: of.site_id })

/** The device on which a link was opened; one that is new asks to be let in, and who gave the link hears of it. */
export async function deviceOn(tx: Tx, call: Call, link: OpenLink, contact: HomeContact, number: string) {
  const { tenant } = link
  const known = await deviceBehind(tx, tenant, link.id, number)
  if (known) return known
  const of = found(await contactBehind(tx, tenant, contact.id, { held: true }))
  const { asking } = await countDevices(tx, tenant, of.id, link.id)
  const here = networkOf(call.ip)
  const near = (await askingFrom(tx, tenant, link.id)).filter((ip) => networkOf(ip) === here).length
  const isFull = asking >= MOST_ASKING || near >= MOST_ASKING_NEAR
  refuse(isFull ? '等待确认的设备太多了，请联系您的管家' : undefined)
  const id = call.newId()
  const name = terminalOf(call.agent).slice(0, NAME_LENGTH) || '未知设备'
  const code = codeOf(link.id, number)
  const { rowCount } = await addDevice(tx, tenant, {
    id,
    contact: of,
    link: link.id,
    device: number,
    name,
    code,
  })
  if (rowCount) {
    changed(tx, call, of)
    await passTurn(tx, 'owner', 'ask', {
      ...noticeOf(id, of),
      tenant,
      title: `${of.ws_name}的${of.name}在一台设备上打开了业主链接，屏幕上的号码是 ${code}，请核对后确认`,
    })
  }
  return found(await deviceBehind(tx, tenant, link.id, number))
}

/** A device of the home that does something to another one of the same link. */
interface FromDevice {
  link: string
  /** Who alone stands behind that device. */
  hand: string | null
}
/**
 * Somebody who knows whose it is lets it in; of one that came in by one hand alone, a second one vouches for it
 * (docs/decisions/0581).
 */
export async function allowDevice(tx: Tx, call: Call, id: string, from?: FromDevice): Promise<void> {
  const { nickname, scope, tenant } = call.user
  const me = call.user.id || null
  const at = found(await deviceInReach(tx, scope, id))
  if (from && at.link_id !== from.link) found(undefined)
  const of = await contactBehind(tx, tenant, at.contact_id)
  if (!of) throw new Refused('这位联系人已经不属于这个家了')
  const { bound } = await countDevices(tx, tenant, of.id, at.link_id)
  const lone = await handBehind(tx, tenant, id)
  if (lone) {
    refuse(
      (from ? from.hand : me) === lone
        ? '链接和设备由同一个人经手：请业主用核对过的另一台设备，或请另一位同事来核对'
        : undefined,
    )
    await vouchFor(tx, tenant, id)
  } else {
    refuse(bound >= MOST_DEVICES ? `一位联系人最多 ${MOST_DEVICES} 台设备，请先移除一台` : undefined)
    const maker = await makerOf(tx, tenant, at.link_id)
    const alone = maker === me ? me : null
    const hand = from ? from.hand : alone
    const isBound = await bindDevice(tx, tenant, id, { name: nickname, staff: me, hand })
    refuse(isBound ? undefined : '这台设备已经处理过了')
  }
  await call.log(tx, {
    action: lone ? '核对业主的设备' : '确认业主的设备',
    object: 'homeDevice',
    objectId: id,
    after: { site_id: of.site_id, person: of.name, state: 'bound' },
  })
  await settle(tx, tenant, noticeOf(id, of).cause)
  changed(tx, call, of)
  const hand = lone ? undefined : await handBehind(tx, tenant, id)
  if (hand)
    await passTurn(tx, 'owner', 'alone', {
      ...noticeOf(id, of),
      named: { hand },
      tenant,
      actor: me ?? undefined,
      title: `${of.ws_name}：给${of.name}的业主链接和设备由同一个人经手，请与业主核对后点“核对”`,
    })
}

/** A new link puts out that of before with its devices: service hears who made it. */
export async function tellOfNewLink(tx: Tx, call: Call, contact: string): Promise<void> {
  const { id: me, nickname, tenant } = call.user
  const of = await contactBehind(tx, tenant, contact)
  const n = of ? await countBound(tx, tenant, contact) : 0
  if (!of || n === 0) return
  await passTurn(tx, 'owner', 'renew', {
    ...noticeOf(contact, of),
    named: { hand: me },
    tenant,
    actor: me,
    title: `${of.ws_name}：${nickname}给${of.name}重新发了业主链接，原来的 ${n} 台设备不能再用`,
  })
}
/** It is shown nothing from its next request on. */
export async function removeDevice(
  tx: Tx,
  call: Call,
  { id, reason }: { id: string; reason: string },
  only?: { link: string },
): Promise<void> {
  const { nickname, scope, tenant } = call.user
  const at = found(await deviceInReach(tx, scope, id))
  if (only && at.link_id !== only.link) found(undefined)
  const gone = await removeDevices(tx, tenant, { device: id }, { by: nickname, why: reason })
  refuse(gone.length ? undefined : '这台设备已经移除了')
  const of = await contactBehind(tx, tenant, at.contact_id)
  await call.log(tx, {
    action: '移除业主的设备',
    object: 'homeDevice',
    objectId: id,
    after: {
      ...(of ? { site_id: of.site_id, person: of.name } : {}),
      name: gone[0]!.name,
      state: 'removed',
      reason,
    },
  })
  await settle(tx, tenant, { kind: 'homeDevice', id })
  if (of) changed(tx, call, of)
}

/** Contacts who are of the home no more, have another number or are forgotten have a link no longer, nor devices. */
export async function endAccessBecause(
  tx: Tx,
  call: Caller,
  contacts: readonly string[],
  why: string,
): Promise<void> {
  const { nickname, tenant } = call.user
  if (contacts.length === 0) return
  await revokeLinks(tx, tenant, 'owner', contacts)
  for (const { id } of await removeDevices(tx, tenant, { contacts }, { by: nickname, why }))
    await settle(tx, tenant, { kind: 'homeDevice', id })
}
/** Of everybody who is not of the home any more. */
export async function endAccessOfGone(tx: Tx, call: Call, site: string, why: string): Promise<void> {
  const gone = await contactsOf(tx, call.user.tenant, { site, gone: true })
  await endVideoOf(tx, call, gone, why)
  await endAccessBecause(tx, call, gone, why)
}
/** Another telephone is another hand: the link went to the old one. */
export const endAccessOf = (tx: Tx, call: Call, contact: string) =>
  endAccessBecause(tx, call, [contact], '换了电话')
/** The same of a signatory, who is a contact of every home of theirs. */
export const endAccessOfOwner = async (tx: Tx, call: Call, owner: string) =>
  endAccessBecause(tx, call, await contactsOf(tx, call.user.tenant, { owner }), '换了电话')
