import { consentAnswer, consentHow } from '@zhuguan/contract/features/consents/consents.record.ts'
import { grantsApi } from '@zhuguan/contract/features/owners/grants.api.ts'
import { VIDEO_WORDING } from '@zhuguan/contract/features/owners/grants.record.ts'
import { homeVideoApi } from '@zhuguan/contract/features/owners/home-video.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import type { viewPurpose } from '@zhuguan/contract/features/video/purposes.record.ts'

import { hourOf } from '../database/seed/stories.ts'
import { addDays } from '../kit/shanghai.ts'
import type { Door } from './demo-door.ts'
import { askingPhone, boundPhone, homeRow, type Phone } from './demo-phones.ts'
import { room, type Run } from './demo-promised.ts'
import type { Part } from './demo-speakers.ts'
import type { Story } from './demo-timeline.ts'

/** A look of the owner: so many days from today, at an hour, for so many seconds. */
type Look = readonly [day: number, hour: number, seconds: number]
interface Asked {
  home: number
  day: number
  /** The owner's way of answering: on the own telephone, or to the steward, who has it in writing. */
  answer: 'phone' | 'paper' | 'no'
  /** Days from the answer; without them it waits for the steward. */
  granted?: number
  looks?: readonly Look[]
  end?: { day: number; by: 'phone' | 'steward'; why: string }
}
/** A branch's owners who were asked to look at their works, with every way that it can go. */
const ASKED: readonly Asked[] = [
  {
    home: 0,
    day: -12,
    answer: 'phone',
    granted: 30,
    looks: [
      [-9, 12, 30],
      [-4, 10, 45],
      [-1, 15, 30],
    ],
  },
  { home: 1, day: -8, answer: 'paper', granted: 60, looks: [[-2, 11, 30]] },
  {
    home: 2,
    day: -10,
    answer: 'phone',
    granted: 20,
    looks: [[-6, 16, 30]],
    end: { day: -3, by: 'steward', why: '业主出差半个月，说回来再看' },
  },
  {
    home: 3,
    day: -11,
    answer: 'phone',
    granted: 30,
    looks: [[-7, 10, 30]],
    end: { day: -2, by: 'phone', why: '' },
  },
  { home: 4, day: -2, answer: 'phone' },
  { home: 5, day: -5, answer: 'no' },
]
/** A page says so often that it still looks. */
const OWNER_S = 15
const STAFF_S = 50
const STAFF_LOOK_S = 85

const secondsAfter = (at: Date, s: number): Date => new Date(at.getTime() + s * 1_000)
/** Every so many seconds of a look that takes so long. */
async function* during(begun: Date, seconds: number, step: number, keep: () => Promise<unknown>): Story {
  for (let s = step; s < seconds; s += step) {
    yield secondsAfter(begun, s)
    await keep()
  }
  yield secondsAfter(begun, seconds)
}
async function* looked({ bearer, who }: Phone, today: string, camera: string, look: Look): Story {
  const [day, hour, seconds] = look
  const begun = hourOf(addDays(today, day), hour)
  yield begun
  const { view } = await who.call(homeVideoApi.look, { body: { ...bearer, device_id: camera } })
  const views = { ...bearer, views: [view] }
  yield* during(begun, seconds, OWNER_S, () => who.call(homeVideoApi.keep, { body: views }))
  await who.call(homeVideoApi.leave, { body: views })
}

/** Whoever answers on paper or says no is written down by the steward, with what proves it. */
async function answered(run: Run, asked: Asked, contact_id: string, phone: Phone): Promise<void> {
  const { keeper } = run.homes[asked.home]!
  const { given, refused } = consentAnswer.code
  if (asked.answer === 'phone') {
    const body = { ...(await phone.act()), answer: given, wording: VIDEO_WORDING }
    await phone.who.call(homeVideoApi.answer, { body })
    return
  }
  const proof = await keeper.send(await room(run.first + 90 + asked.home))
  const answer = asked.answer === 'paper' ? given : refused
  const how = asked.answer === 'paper' ? consentHow.code.written : consentHow.code.spoken
  const answeredOn = addDays(run.today, asked.day)
  await keeper.call(grantsApi.answer, { body: { contact_id, answer, how, answeredOn, proof } })
}
async function* watched(door: Door, run: Run, asked: Asked): Story {
  const { homes, today } = run
  const { id: site_id, keeper, second } = homes[asked.home]!
  yield hourOf(addDays(today, asked.day), 9)
  const { contact_id } = await homeRow(keeper, site_id)
  const phone = await boundPhone(door, keeper, {
    site_id,
    contact: contact_id,
    browser: asked.home,
    second,
  })
  yield hourOf(addDays(today, asked.day), 10)
  await answered(run, asked, contact_id, phone)
  if (!asked.granted) return
  yield hourOf(addDays(today, asked.day), 14)
  const { cameras, hours } = await keeper.call(grantsApi.home, { query: { site_id } })
  const { id } = await keeper.call(grantsApi.grant, {
    body: {
      contact_id,
      cameras: cameras.map((c) => c.id),
      fromDay: addDays(today, asked.day),
      toDay: addDays(today, asked.day + asked.granted),
      ...hours,
      nextDay: false,
    },
  })
  for (const [i, look] of (asked.looks ?? []).entries())
    yield* looked(phone, today, cameras[i % cameras.length]!.id, look)
  const { end } = asked
  if (!end) return
  yield hourOf(addDays(today, end.day), 9)
  if (end.by === 'phone') await phone.who.call(homeVideoApi.withdraw, { body: await phone.act() })
  else await keeper.call(grantsApi.stop, { body: { id, version: 0, reason: end.why } })
}

/** Looks of the company into a home, with their reason: its people read it. */
const SEEN: readonly {
  home: number
  at: readonly [day: number, hour: number]
  by: Part
  purpose: (typeof viewPurpose.values)[number]
  words?: string
}[] = [
  { home: 0, at: [-8, 11], by: 'steward', purpose: 'owner' },
  { home: 0, at: [-5, 14], by: 'manager', purpose: 'acceptance' },
  { home: 0, at: [-2, 10], by: 'gm', purpose: 'other', words: '看瓷砖铺贴的样板' },
  { home: 1, at: [-3, 16], by: 'manager', purpose: 'patrol' },
  { home: 2, at: [-4, 9], by: 'gm', purpose: 'complaint' },
  { home: 6, at: [-1, 11], by: 'steward', purpose: 'patrol' },
]
async function* seen({ cast, homes, today }: Run, view: (typeof SEEN)[number]): Story {
  const [day, hour] = view.at
  const begun = hourOf(addDays(today, day), hour)
  yield begun
  const { purpose, words = '' } = view
  const { id: site_id, keeper } = homes[view.home]!
  const who = view.by === 'steward' ? keeper : cast[view.by]
  const { cameras } = await keeper.call(grantsApi.home, { query: { site_id } })
  const open = { device_id: cameras[0]!.id, purpose, words, said: true }
  const { view: id } = await who.call(streamsApi.open, { body: open })
  const body = { views: [id] }
  yield* during(begun, STAFF_LOOK_S, STAFF_S, () => who.call(streamsApi.keep, { body }))
  await who.call(streamsApi.close, { body })
}

/** The other of a couple opens a link of their own, and nobody has let their telephone in yet. */
async function* spouse(door: Door, { cast, sites, today }: Run): Story {
  yield hourOf(addDays(today, -1), 19)
  for (const site_id of sites) {
    const { contacts } = await cast.steward.call(ownersApi.details, { query: { site_id } })
    const other = contacts.find((c) => c.relation === 'spouse' && c.endedAt === null)
    if (!other) continue
    await askingPhone(door, cast.steward, other.id, 1)
    return
  }
}

/** Consents, grants and looks in a branch's homes, each on the telephone or by the person whose it is. */
export const looksOf = (door: Door, run: Run): Story[] => [
  ...ASKED.map((asked) => watched(door, run, asked)),
  ...SEEN.map((view) => seen(run, view)),
  spouse(door, run),
]
