import { consentHow } from '@zhuguan/contract/features/consents/consents.record.ts'
import {
  feedbackAbout,
  feedbackChannel,
  feedbackKind,
  feedbackStatus,
  feedbackLevel,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { byOneHand } from '@zhuguan/contract/features/owners/home-devices.record.ts'
import type {
  HomeFeedback,
  HomeState,
  HomeVisit,
} from '@zhuguan/contract/features/owners/home-page.record.ts'
import { receptionState } from '@zhuguan/contract/features/receptions/receptions.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import { SCORE_DAYS } from '@zhuguan/contract/kit/score.ts'

import type { Tx } from '../../database/connect.ts'
import { Refused } from '../../kit/refuse.ts'
import { staffOf } from '../../kit/staff-of.ts'
import { enterFeedback } from '../feedback/entering.service.ts'
import { changeFeedback } from '../feedback/feedback.service.ts'
import { enterObjection } from '../feedback/objections.service.ts'
import type { FileStore } from '../files/files.service.ts'
import { changePromise } from '../promises/promises.service.ts'
import { visitsTo } from '../receptions/home-receptions.reads.ts'
import { scoreReception } from '../receptions/scoring.service.ts'
import { contactBehind, devicesBehind, seeDevice } from './home-devices.queries.ts'
import { deviceOn } from './home-devices.service.ts'
import { type Bound, type Entered, may, unlessAlone } from './home-door.ts'
import {
  accessOf,
  feedbackFor,
  homeBehind,
  promisesFor,
  versionOf,
  weekOf,
  writtenDownFor,
} from './home-page.queries.ts'

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

/** The person who made a link, and what came in by it: those of the home hear of each other's. */
function admitted({
  alone,
  device,
  name,
  person,
  post,
}: Awaited<ReturnType<typeof accessOf>>[number]): string {
  const who = name === null ? person : staffOf(post === null ? '工作人员' : principalPost.label(post), name)
  if (!device) return `${who} 给${person}发了新的业主链接，以前的链接和设备不能再用`
  return `由${who} 允许的${person}的新设备：${device}${alone ? '（链接也是同一个人发的，还没有另一个人核对）' : ''}`
}

/** Staff wrote down what this contact is said to have answered. */
const writtenDown = (a: Awaited<ReturnType<typeof writtenDownFor>>[number]): string =>
  `${staffOf('工作人员', a.name)} 登记了您${a.answeredOn} ${consentHow.label(a.how)}${a.agrees ? '同意' : '不同意'}用手机看现场；` +
  '不是您的意思，请在“看现场”里撤回并告诉我们'

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
  const access = await accessOf(tx, tenant, contact)
  const answers = await writtenDownFor(tx, tenant, contact)
  const devices = await devicesBehind(tx, tenant, link.id)
  return {
    state: 'bound',
    page: {
      ...home,
      name: contact.name,
      steward: home.steward && staffOf(principalPost.label(principalPost.code.steward), home.steward),
      week: [
        ...week.map((w) => ({ at: w.at, text: told(w) })),
        ...access.map((a) => ({ at: a.at, text: admitted(a) })),
        ...answers.map((a) => ({ at: a.at, text: writtenDown(a) })),
      ]
        .toSorted((a, b) => b.at - a.at)
        .map(({ at, text }) => ({ at: Math.floor(at), text })),
      visits: await visitsTo(tx, tenant, contact),
      promises: await promisesFor(tx, tenant, contact, device.only_hand),
      feedback: await feedbackFor(tx, tenant, contact, { hand: device.only_hand }),
      devices: devices.map(({ boundBy: _who, device: d, onlyHand, ...shown }) => ({
        ...shown,
        onlyHand: onlyHand && staffOf('工作人员', onlyHand),
        mine: d === number,
      })),
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
async function seen(tx: Tx, e: Bound, of: { id: string; table: 'feedback' | 'promises' }): Promise<number> {
  const version = await versionOf(tx, e.link.tenant, e.contact, of)
  if (version === undefined) throw new Refused(GONE, 404, 404)
  return version
}
/** How content they are; asked for a week. */
export async function scoreFeedback(tx: Tx, e: Bound, { id, score }: { id: string; score: number }) {
  const version = await seen(tx, e, { id, table: 'feedback' })
  const [shown] = await feedbackFor(tx, e.link.tenant, e.contact, { id, hand: e.device.only_hand })
  if (!shown) throw new Refused(GONE, 404, 404)
  if (!shown.mayScore) throw new Refused(whyNoScore(shown))
  const typedBy = byOneHand(e.device.onlyHand)
  await changeFeedback(tx, may(e, 'feedback:handle'), {
    action: 'score',
    id,
    version,
    score,
    words: '',
    typedBy,
  })
}
function whyNoScore({ score, status, typed }: HomeFeedback): string {
  if (status !== feedbackStatus.code.closed) return '这条反馈还没有结案，结案以后可以评分'
  return score === null || typed ? `结案已满 ${SCORE_DAYS} 天，不能再评分` : '这条反馈已经有满意度'
}
/** How content they are with a visit; asked for a week. */
export async function scoreVisit(tx: Tx, e: Bound, said: { id: string; score: number; words: string }) {
  const [visit] = await visitsTo(tx, e.link.tenant, e.contact, said.id)
  if (!visit) throw new Refused(GONE, 404, 404)
  if (!visit.mayScore) throw new Refused(whyNot(visit))
  await scoreReception(tx, may(e, 'reception:edit'), { ...said, typedBy: byOneHand(e.device.onlyHand) })
}
function whyNot({ score, state, typed }: HomeVisit): string {
  if (score !== null && !typed) return '这次到访已经有满意度'
  return state === receptionState.code.done
    ? `到访结束已满 ${SCORE_DAYS} 天，不能再评分`
    : '这次到访还没有结束，或没有来'
}
export async function reopenFeedback(tx: Tx, e: Bound, { id, reason }: { id: string; reason: string }) {
  const [shown] = await feedbackFor(tx, e.link.tenant, e.contact, { id, hand: e.device.only_hand })
  if (!shown) throw new Refused(GONE, 404, 404)
  unlessAlone(e)
  if (!shown.mayReopen) throw new Refused(whyNotAgain(shown))
  const version = await seen(tx, e, { id, table: 'feedback' })
  await changeFeedback(tx, may(e, 'feedback:supervise'), { action: 'reopen', id, version, reason })
}
function whyNotAgain({ kind, status }: HomeFeedback): string {
  if (status !== feedbackStatus.code.closed) return '这条反馈还没有结案，不用重新打开'
  return kind === feedbackKind.code.praise ? '表扬不用重新打开' : '已经过了可以重新打开的日子，请再提一条新的'
}
/** They say that a promise was not kept; somebody above decides. */
export async function objectPromise(
  tx: Tx,
  e: Bound,
  files: FileStore,
  { id, reason }: { id: string; reason: string },
) {
  const version = await seen(tx, e, { id, table: 'promises' })
  unlessAlone(e)
  const channel = feedbackChannel.code.link
  await changePromise(
    tx,
    may(e, 'promise:object'),
    { files, enterObjection },
    { action: 'object', id, version, reason, channel },
  )
}
