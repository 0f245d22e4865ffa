import { dispatchState } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import type { driverApi } from '@zhuguan/contract/features/dispatch/driver.api.ts'
import { type DriverState, doorWord } from '@zhuguan/contract/features/dispatch/driver.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { found, invalid, Refused } from '../../kit/refuse.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import { claimByLink, tieToOrder } from '../files/files.service.ts'
import { type LinkCall, once, type OpenLink } from '../links/links.service.ts'
import { deliverWhole, handOverPart, sendBackWhole } from './delivering.service.ts'
import { lockWithOrder, passNote, tellNote } from './dispatch.service.ts'
import {
  codeOfTrip,
  deliveredBy,
  handedOverAt,
  managerOf,
  noteBehind,
  returnedAt,
  stopsOf,
  toldByDriver,
} from './driver.queries.ts'
import { addNode, legOf } from './logistics.service.ts'

type Body<K extends keyof typeof driverApi> = BodyOf<(typeof driverApi)[K]>
const { delivered, returned, shipped, waiting } = dispatchState.code
const { lost, nobody } = doorWord.code

export async function driverStateOf(tx: Tx, link: OpenLink): Promise<DriverState> {
  const trip = await codeOfTrip(tx, link.tenant, link.target_id)
  const stops = await stopsOf(tx, link.tenant, link.target_id)
  return {
    code: trip ?? stops[0]?.code ?? '',
    trip: trip !== undefined,
    person: link.person,
    expiresAt: Math.floor(link.expires_at.getTime() / 1_000),
    stops,
  }
}

/** A note behind the link, locked with its order. */
async function lockBehind(tx: Tx, link: OpenLink, note: string) {
  const { order_id } = found(await noteBehind(tx, link.tenant, link.target_id, note))
  return lockWithOrder(tx, link.tenant, note, order_id)
}
/** A telephone tells of what it did without a network, but never of the future, nor of before the goods left. */
function toldAt(call: LinkCall, at: number, shippedAt: number | null): Date {
  const now = call.now().getTime()
  // Both are whole seconds: what was done in the second of the shipping came after it, what in this one is now.
  const told = Math.max((shippedAt ?? 0) + 1, at) * 1_000
  return new Date(told > now - 1_000 ? now : told)
}

/** A way across the country, told every quarter of an hour. */
const MOST_NODES = 300
export async function driverNode(tx: Tx, call: LinkCall, link: OpenLink, body: Body<'node'>): Promise<void> {
  await once(tx, link, { act: body.act, target: body.note_id }, async () => {
    const { n } = await lockBehind(tx, link, body.note_id)
    if (n.state !== shipped) throw new Refused('这张发货单不在路上，不用再报到哪了')
    const leg = found(await legOf(tx, link.tenant, n.id))
    const at = toldAt(call, body.at, n.shippedAt)
    const where =
      body.lng === null || body.lat === null ? '' : ` ${body.lng.toFixed(5)},${body.lat.toFixed(5)}`
    if (!body.place && !where) throw invalid('place', '请写到了哪里，或允许使用定位')
    if ((await toldByDriver(tx, link.tenant, leg)) >= MOST_NODES)
      throw new Refused(`这一程已经报过 ${MOST_NODES} 次到哪了，不能再报`)
    await addNode(tx, call, leg, {
      title: '在路上',
      place: `${body.place}${where}`.trim(),
      at,
      source: 'driver',
    })
    tellNote(tx, call, n)
    return ''
  })
}

/** The goods that nobody can hand over now, in words. */
function whyNot(n: { state: number; deliveredAt: number | null }, by: string): string | undefined {
  if (n.state === waiting) return '这张发货单还没有发货，发货以后才能交货'
  if (n.state === shipped) return undefined
  if (n.state === returned || n.deliveredAt === null) return '这张发货单已经取消或退回，不用再操作'
  const when = shanghaiTime(new Date(n.deliveredAt * 1_000))
  return `这张发货单已由 ${by || '别人'} 于 ${when} 交货，不用再交`
}

/** What a handover must say besides: why the rest is not, what was damaged and how it looks. */
function checkHanded({ damage, damagePhoto, lines, photo, reason, signature }: Body<'handOver'>): void {
  if (signature === photo) throw invalid('signature', '照片和签名不能是同一张')
  if (lines && reason.length < 2) throw invalid('reason', '没有交完，请写明原因（至少 2 个字）')
  if (damage && !damagePhoto) throw invalid('damagePhoto', '有损坏请拍一张损坏的照片')
  if (damagePhoto && damage.length < 2) throw invalid('damage', '请写明损坏了什么（至少 2 个字）')
  if (damagePhoto && [photo, signature].includes(damagePhoto))
    throw invalid('damagePhoto', '损坏的照片请另拍一张')
}

export async function driverHandOver(
  tx: Tx,
  call: LinkCall,
  link: OpenLink,
  body: Body<'handOver'>,
): Promise<{ code: string }> {
  const { act, lines, note_id, photo, signature } = body
  const code = await once(tx, link, { act, target: note_id }, async () => {
    const both = await lockBehind(tx, link, note_id)
    const { n, o } = both
    const refusal = whyNot(n, await deliveredBy(tx, link.tenant, n.id))
    if (refusal) throw new Refused(refusal)
    checkHanded(body)
    const { damage, damagePhoto } = body
    for (const key of [photo, signature, damagePhoto])
      if (key) await claimByLink(tx, link.tenant, { key, link: link.id, bc: n.bc_id })
    const at = toldAt(call, body.at, n.shippedAt)
    // What stands on the track happened when it was handed over, not when the telephone found a network.
    const then = { ...call, now: () => at }
    const part = lines ? await handOverPart(tx, then, both, { ...body, lines }, 'driver') : undefined
    if (!part) await deliverWhole(tx, then, both, body, 'driver')
    await handedOverAt(tx, link.tenant, part?.id ?? n.id, at)
    await call.log(tx, {
      action: part ? '部分交货' : '确认送达',
      object: 'dispatch',
      objectId: n.id,
      before: { state: n.state },
      after: {
        state: part ? n.state : delivered,
        code: n.code,
        order: o.code,
        place: body.place,
        ...(part ? { rest: part.code, reason: body.reason } : {}),
        ...(damage ? { damage } : {}),
      },
    })
    return part?.code ?? n.code
  })
  return { code }
}

/** Refused or lost: the whole note goes back, as from an office. Nobody there: it is told, and tried again. */
export async function driverSay(tx: Tx, call: LinkCall, link: OpenLink, body: Body<'say'>): Promise<void> {
  const { act, note_id, photo, place, reason, word } = body
  await once(tx, link, { act, target: note_id }, async () => {
    const both = await lockBehind(tx, link, note_id)
    const { n, o } = both
    const refusal = whyNot(n, await deliveredBy(tx, link.tenant, n.id))
    if (refusal) throw new Refused(refusal)
    if (word !== lost && !photo) throw invalid('photo', '请先拍一张现场的照片')
    if (photo) await claimByLink(tx, link.tenant, { key: photo, link: link.id, bc: n.bc_id })
    if (photo) await tieToOrder(tx, link.tenant, [photo], n.order_id)
    const at = toldAt(call, body.at, n.shippedAt)
    const then = { ...call, now: () => at }
    const said = { photo, place, source: 'driver' as const }
    const label = doorWord.label(word)
    if (word === nobody) {
      const title = `${label}：${reason}`
      const leg = found(await legOf(tx, link.tenant, n.id))
      await addNode(tx, then, leg, { title, ...said })
      tellNote(tx, then, n, `${n.code} ${title}`)
      const manager = await managerOf(tx, link.tenant, n.place_id)
      await passNote(tx, then, both, 'nobodyThere', `${n.code} 送到时${title}，请联系后再送`, { manager })
    } else {
      await sendBackWhole(tx, then, both, { back: word, reason }, said)
      await returnedAt(tx, link.tenant, n.id, at)
    }
    await call.log(tx, {
      action: word === nobody ? '无人收货' : '整单退回',
      object: 'dispatch',
      objectId: n.id,
      before: { state: n.state },
      after: {
        state: word === nobody ? n.state : returned,
        code: n.code,
        order: o.code,
        place,
        reason,
        ...(word === nobody ? {} : { back: word }),
      },
    })
    return ''
  })
}
