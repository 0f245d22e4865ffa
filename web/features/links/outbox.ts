import { driverApi } from '@zhuguan/contract/features/dispatch/driver.api.ts'
import type { DoorWord } from '@zhuguan/contract/features/dispatch/driver.record.ts'

import { call, upload } from '../../kit/api.ts'
import { shelf } from '../../kit/shelf.ts'
import type { Bearer } from './bearer.ts'

export interface Place {
  place: string
  lng: number | null
  lat: number | null
}
interface Common extends Place {
  /** Its own number: sent again, it is done once. */
  act: string
  token: string
  note_id: string
  at: number
  /** The reason why the server refused it; it waits for whoever drives. */
  why?: string
}
export interface NodeAct extends Common {
  kind: 'node'
}
export interface HandOverAct extends Common {
  kind: 'handOver'
  lines: { line_id: string; quantity: string }[] | null
  pickupCode: string
  photo: Blob
  signature: Blob | null
  /** The reason why the rest stays, where there is one; acts kept before that was asked have none. */
  reason?: string
  damage?: string
  damagePhoto?: Blob | null
  damageKey?: string
  /** What the server calls the pictures, once it has them. */
  photoKey?: string
  signatureKey?: string
}
/** The driver's words at the door, besides handing over. */
export interface SayAct extends Common {
  kind: 'say'
  word: DoorWord
  reason: string
  photo: Blob | null
  photoKey?: string
}
export type Act = HandOverAct | NodeAct | SayAct

const kept = shelf<Act>('act')
/** In the order in which they were done. */
const keyOf = (a: Act) => `${a.token}/${String(a.at).padStart(12, '0')}/${a.act}`
export const keepAct = (a: Act) => kept.put(keyOf(a), a)
export const dropAct = (a: Act) => kept.remove(keyOf(a))
export const actsOf = async (token: string): Promise<Act[]> =>
  (await kept.all()).filter((a) => a.token === token)

async function sent(bearer: Bearer, picture: Blob): Promise<string> {
  const headers = {
    'x-link': bearer.token,
    'x-link-pass': bearer.pass,
    'x-link-device': bearer.device,
  }
  return (await upload<{ key: string }>(driverApi.photo, picture, {}, undefined, headers)).key
}
/** Sends one act; its pictures are sent once, also when what follows them is lost. */
export async function sendAct(bearer: Bearer, a: Act): Promise<void> {
  const { act, at, lat, lng, note_id, place } = a
  const common = { ...bearer, act, at, note_id, place, lng, lat }
  if (a.kind === 'node') {
    await call(driverApi.node, { body: common })
    return
  }
  if (a.photo && !a.photoKey) {
    a.photoKey = await sent(bearer, a.photo)
    await keepAct(a)
  }
  if (a.kind === 'say') {
    const { photoKey: photo = null, reason, word } = a
    await call(driverApi.say, { body: { ...common, word, reason, photo } })
    return
  }
  if (a.damagePhoto && !a.damageKey) {
    a.damageKey = await sent(bearer, a.damagePhoto)
    await keepAct(a)
  }
  if (a.signature && !a.signatureKey) {
    a.signatureKey = await sent(bearer, a.signature)
    await keepAct(a)
  }
  const { damage = '', damageKey: damagePhoto = null, lines, photoKey = '', pickupCode, reason = '' } = a
  const { signatureKey: signature = null } = a
  const said = { reason, damage, damagePhoto, pickupCode }
  await call(driverApi.handOver, { body: { ...common, lines, photo: photoKey, signature, ...said } })
}
