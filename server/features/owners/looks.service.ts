import { consentState } from '@zhuguan/contract/features/consents/consents.record.ts'
import { deviceStatus } from '@zhuguan/contract/features/devices/devices.record.ts'
import { grantState, VIDEO_WORDING } from '@zhuguan/contract/features/owners/grants.record.ts'
import type { HomeVideoState } from '@zhuguan/contract/features/owners/home-video.record.ts'
import { LOOK_KEEP_S, LOOKS_EACH } from '@zhuguan/contract/features/owners/looks.record.ts'
import { nextOpening } from '@zhuguan/contract/features/owners/watch-hours.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { OpenStream, StreamKind } from '@zhuguan/contract/features/streams/streams.record.ts'

import type { Tx } from '../../database/connect.ts'
import type { ShownLink } from '../../kit/link-kind.ts'
import { Refused } from '../../kit/refuse.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import { lookings } from '../looking/looking.reads.ts'
import { beginLook, endLooks, keepLooks } from '../video/video-views.service.ts'
import { deviceBehind } from './home-devices.queries.ts'
import type { Bound } from './home-door.ts'
import {
  type Behind,
  type GrantedCamera,
  grantedCameras,
  looking,
  looksOn,
  type Standing,
  standing,
  staffViews,
} from './looks.queries.ts'

const { given, withdrawn } = consentState.code
export const OFFLINE = '摄像头离线'
const NOT_HERE = '这台摄像头已经不在授权里'

/** The reason why a contact may not look at all now; in the words of their page. */
export function whyNot(s: Standing | undefined, now: Date): { why: string; next?: Date } | undefined {
  if (!s?.linked) return { why: '链接已经失效' }
  if (!s.bound) return { why: '这台设备已被移除' }
  if (s.siteStatus !== siteStatus.code.building)
    return { why: `工地${siteStatus.label(s.siteStatus)}，不再提供现场画面` }
  if (s.consent === withdrawn) return { why: '您已撤回同意' }
  if (s.consent !== given) return { why: '您还没有同意看现场' }
  if (s.grant === null) return { why: '管家还没有给您开通看现场' }
  if (s.grant !== grantState.code.active) return { why: '管家已暂停您看现场' }
  const next = nextOpening(now, s, { from: s.houseFrom, to: s.houseTo })
  if (!next) return { why: '授权的日期已经过去' }
  return next > now ? { why: '现在不在可以看的时段', next } : undefined
}
/** What forbids a contact to look on this device now, their home's people's rest too, and when looking ends. */
export async function lookFor(tx: Tx, tenant: string, of: Behind, now: Date) {
  const stands = await standing(tx, tenant, of)
  const no = whyNot(stands, now)
  if (no || !stands) return { stands, no, until: null }
  const { why, until } = (await lookings(tx, tenant, [stands], now))(stands)
  return { stands, no: why ? { why, next: undefined } : undefined, until }
}
export const behind = ({ contact, device, link }: Bound): Behind => ({
  contact: contact.id,
  link: link.id,
  device: device.id,
})

export async function videoState(tx: Tx, e: Bound): Promise<HomeVideoState> {
  const { tenant } = e.link
  const [{ no, stands: s }, cameras, seenBy] = await Promise.all([
    lookFor(tx, tenant, behind(e), e.own.now()),
    grantedCameras(tx, tenant, e.contact.id),
    staffViews(tx, tenant, e.contact),
  ])
  const noCamera = !no && cameras.length === 0
  return {
    consent: s?.consent ?? null,
    consentAt: s?.consentAt ?? null,
    wording: VIDEO_WORDING,
    grant: s?.grant
      ? {
          fromDay: s.fromDay,
          toDay: s.toDay,
          from: s.from,
          to: s.to,
          stopped: s.grant !== grantState.code.active,
          changedAt: s.changedAt!,
        }
      : null,
    cameras: cameras.map(({ id, pictureAt, sn, status }) => ({
      id,
      sn,
      online: status === deviceStatus.code.online,
      pictureAt,
    })),
    why: noCamera ? NOT_HERE : (no?.why ?? ''),
    nextAt: no?.next ? Math.floor(no.next.getTime() / 1_000) : null,
    seenBy,
  }
}

/** Begins a look: the stream where the gateway has one, else the newest still. */
export async function openLook(
  tx: Tx,
  e: Bound,
  camera: string,
  kind: StreamKind | null,
): Promise<Omit<OpenStream, 'address'>> {
  const { contact, device, link, own } = e
  const { tenant } = link
  const { bc, going } = await looking(tx, tenant, contact.site_id)
  const { no, until } = await lookFor(tx, tenant, behind(e), own.now())
  if (no) throw new Refused(no.next ? `${no.why}，${shanghaiTime(no.next)} 起可以看` : no.why)
  const seen = (await grantedCameras(tx, tenant, contact.id)).find((c) => c.id === camera)
  if (!seen) throw new Refused(NOT_HERE, 404, 404)
  const before = going.filter((g) => g.device === device.id && g.camera === camera).map((g) => g.view)
  await endLooks(tx, tenant, { views: before }, '重新打开')
  if (going.length - before.length >= LOOKS_EACH)
    throw new Refused(`您家同时最多看 ${LOOKS_EACH} 路，请先关掉一路`, 429, 429)
  const view = await beginLook(
    tx,
    own,
    { bc_id: bc, site_id: contact.site_id, device_id: camera },
    { contact_id: contact.id, link_id: link.id, home_device_id: device.id, name: contact.name },
  )
  const online = seen.status === deviceStatus.code.online
  return {
    view,
    deviceSn: seen.sn,
    siteId: contact.site_id,
    lookUntil: until,
    kind: online ? kind : null,
    picture: seen.picture,
    pictureAt: seen.pictureAt,
    why: online && kind ? '' : `${online ? '没有直播' : OFFLINE}，只能看最近一次抓拍`,
    keepS: LOOK_KEEP_S,
  }
}

interface Still {
  view: string
  picture: string | null
  pictureAt: number | null
  lookUntil: number | null
}
/** Those that go on, with the newest stills; of the others, why they ended. */
export async function keepLook(tx: Tx, e: Bound, views: readonly string[]) {
  const { tenant } = e.link
  const [{ no, until }, cameras, known] = await Promise.all([
    lookFor(tx, tenant, behind(e), e.own.now()),
    grantedCameras(tx, tenant, e.contact.id),
    looksOn(tx, tenant, e.device.id, views),
  ])
  const stills: Still[] = []
  const ended: { view: string; why: string }[] = []
  for (const view of views) {
    const look = known.find((k) => k.view === view)
    const camera = look?.going ? cameras.find((c) => c.id === look.camera) : undefined
    const why = whyOver(look, camera, no?.why)
    if (why) ended.push({ view, why })
    else if (camera)
      stills.push({ view, picture: camera.picture, pictureAt: camera.pictureAt, lookUntil: until })
    if (why && look?.going) await endLooks(tx, tenant, { views: [view] }, why)
  }
  await keepLooks(
    tx,
    tenant,
    stills.map((one) => one.view),
  )
  return { ended, stills }
}
function whyOver(
  look: { going: boolean; why: string } | undefined,
  camera: GrantedCamera | undefined,
  no: string | undefined,
): string {
  if (!look?.going) return look?.why || '已经结束'
  return no ?? (camera ? '' : NOT_HERE)
}

export async function leaveLooks(tx: Tx, e: Bound, views: readonly string[]): Promise<string[]> {
  const { tenant } = e.link
  const mine = (await looksOn(tx, tenant, e.device.id, views)).filter((v) => v.going).map((v) => v.view)
  return endLooks(tx, tenant, { views: mine }, '本人关闭')
}

/** The newest still of a camera that the contact may look at now, on this device. */
export async function showsStill(tx: Tx, link: ShownLink, key: string, now: Date): Promise<boolean> {
  const device = await deviceBehind(tx, link.tenant, link.id, link.device)
  if (!device) return false
  const of = { contact: link.target_id, link: link.id, device: device.id }
  if ((await lookFor(tx, link.tenant, of, now)).no) return false
  return (await grantedCameras(tx, link.tenant, link.target_id)).some((c) => c.picture === key)
}
