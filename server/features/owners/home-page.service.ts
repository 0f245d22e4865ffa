import {
  feedbackAbout,
  feedbackChannel,
  type feedbackKind,
  feedbackLevel,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'
import type { HomeState } from '@zhuguan/contract/features/owners/home-page.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'

import type { Tx } from '../../database/connect.ts'
import { Refused } from '../../kit/refuse.ts'
import { staffOf } from '../../kit/staff-of.ts'
import { enterFeedback } from '../feedback/entering.service.ts'
import { changeFeedback } from '../feedback/feedback.service.ts'
import type { FileStore } from '../files/files.service.ts'
import { changePromise } from '../promises/promises.service.ts'
import { visitsTo } from '../receptions/home-receptions.reads.ts'
import { contactBehind, devicesBehind, seeDevice } from './home-devices.queries.ts'
import { deviceOn } from './home-devices.service.ts'
import { type Entered, may } from './home-door.ts'
import { feedbackFor, homeBehind, promisesFor, versionOf, weekOf } from './home-page.queries.ts'

/** What happened, in the words of an owner. */
function told({ kind, n, stage }: Awaited<ReturnType<typeof weekOf>>[number]): string {
  switch (kind) {
    case 'begun':
      return `${siteStage.label(stage!)}阶段开始`
    case 'accepted':
      return `${siteStage.label(stage!)}阶段验收通过`
    case 'patrols':
      return `工程巡检 ${n} 次`
    default:
      return `材料到货 ${n} 次`
  }
}

/** All that the device is told: that it waits, that it was removed, or the home. */
export async function homeStateOf(tx: Tx, e: Entered, number: string): Promise<HomeState> {
  const { contact, link, own } = e
  const { tenant } = link
  const device = await deviceOn(tx, own, link, contact, number)
  if (device.state === 'asking') return { state: 'asking', code: device.code }
  if (device.state === 'removed') return { state: 'removed' }
  await seeDevice(tx, tenant, device.id)
  const home = await homeBehind(tx, tenant, contact.site_id)
  const week = await weekOf(tx, tenant, contact)
  const devices = await devicesBehind(tx, tenant, link.id)
  return {
    state: 'bound',
    page: {
      ...home,
      name: contact.name,
      steward: home.steward && staffOf(principalPost.label(principalPost.code.steward), home.steward),
      week: week.map((w) => ({ at: Math.floor(w.at), text: told(w) })),
      visits: await visitsTo(tx, tenant, contact),
      promises: await promisesFor(tx, tenant, contact),
      feedback: await feedbackFor(tx, tenant, contact),
      devices: devices.map(({ device: d, ...shown }) => ({ ...shown, mine: d === number })),
      at: Math.floor(own.now().getTime() / 1_000),
    },
  }
}

/** An owner tells what is on their mind; what cannot wait is the highest level until somebody takes it. */
export async function tellFeedback(
  tx: Tx,
  { contact, link, own }: Entered,
  said: { kind: (typeof feedbackKind.values)[number]; words: string; urgent: boolean; steward: boolean },
): Promise<{ no: string }> {
  const { normal, urgent } = feedbackLevel.code
  const { person, work } = feedbackAbout.code
  // Who keeps it may be another than when the page was read; the home is held now.
  const keeper = said.steward ? (await contactBehind(tx, link.tenant, contact.id))?.steward_id : undefined
  const { no } = await enterFeedback(tx, own, {
    site_id: contact.site_id,
    kind: said.kind,
    level: said.urgent ? urgent : normal,
    about: said.steward ? person : work,
    about_id: keeper ?? undefined,
    channel: feedbackChannel.code.link,
    words: said.words,
    pictures: [],
    of_id: undefined,
  })
  return { no }
}

const GONE = '这一条不在您的家里，或者已经没有了'
async function seen(tx: Tx, e: Entered, of: { id: string; table: 'feedback' | 'promises' }): Promise<number> {
  const version = await versionOf(tx, e.link.tenant, e.contact, of)
  if (version === undefined) throw new Refused(GONE, 404, 404)
  return version
}
/** How content they are; asked for a week. */
export async function scoreFeedback(tx: Tx, e: Entered, { id, score }: { id: string; score: number }) {
  const version = await seen(tx, e, { id, table: 'feedback' })
  const [shown] = await feedbackFor(tx, e.link.tenant, e.contact, id)
  if (!shown) throw new Refused(GONE, 404, 404)
  if (!shown.mayScore)
    throw new Refused(shown.score === null ? '结案已满 7 天，不能再评分' : '这条反馈已经有满意度')
  await changeFeedback(tx, may(e, 'feedback:handle'), { action: 'score', id, version, score, words: '' })
}
export async function reopenFeedback(tx: Tx, e: Entered, { id, reason }: { id: string; reason: string }) {
  const version = await seen(tx, e, { id, table: 'feedback' })
  await changeFeedback(tx, may(e, 'feedback:supervise'), { action: 'reopen', id, version, reason })
}
/** They say that a promise was not kept; somebody above decides. */
export async function objectPromise(
  tx: Tx,
  e: Entered,
  files: FileStore,
  { id, reason }: { id: string; reason: string },
) {
  const version = await seen(tx, e, { id, table: 'promises' })
  await changePromise(tx, may(e, 'promise:object'), files, { action: 'object', id, version, reason })
}
