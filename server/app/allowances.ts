import { casePageApi } from '@zhuguan/contract/features/cases/case-page.api.ts'
import { introducePageApi } from '@zhuguan/contract/features/customers/introduce-page.api.ts'
import { driverApi } from '@zhuguan/contract/features/dispatch/driver.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { homePageApi } from '@zhuguan/contract/features/owners/home-page.api.ts'
import { homeVideoApi } from '@zhuguan/contract/features/owners/home-video.api.ts'
import { personPageApi } from '@zhuguan/contract/features/persons/person-page.api.ts'
import { questionPageApi } from '@zhuguan/contract/features/questions/question-page.api.ts'
import { screenDoorApi } from '@zhuguan/contract/features/screens/screen-door.api.ts'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { sharePageApi } from '@zhuguan/contract/features/shares/share-page.api.ts'
import { threadPageApi } from '@zhuguan/contract/features/threads/thread-page.api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import type { RouteOptions } from 'fastify'

import { allowance } from '../kit/bound.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const GB = 1024 ** 3

/**
 * How much is written through each door, in the memory of one process (docs/decisions/0432). What somebody does by
 * hand, with imports and programs of their own, stays far below; what goes on for ever does not fill the disk of all.
 */
export const FIGURES = {
  /** The allowance of each person, whatever they call. */
  person: { minute: 3_000, hour: 30_000 },
  /** The allowance of each device; a week without a network is told at once. */
  deviceEvents: { hour: 60_000 },
  carrierEvents: { hour: 20_000 },
  devicePictures: { day: 10_000 },
  deviceClips: { day: 10_000 },
  deviceBytes: { day: 60 * GB },
}
export type Figures = typeof FIGURES

export function allowances(own: Partial<Figures> = {}) {
  const f = { ...FIGURES, ...own }
  const minute = allowance(f.person.minute, MINUTE_MS, '您一分钟内的操作太多，请稍后再试')
  const hour = allowance(f.person.hour, HOUR_MS, '您一小时内的操作太多，请稍后再试')
  return {
    person: {
      spend(id: string, now: Date): void {
        minute.spend(id, now)
        hour.spend(id, now)
      },
    },
    deviceEvents: allowance(f.deviceEvents.hour, HOUR_MS, '这台设备一小时内上报太多，请稍后重发'),
    carrierEvents: allowance(f.carrierEvents.hour, HOUR_MS, '一小时内上报太多，请稍后重发'),
    devicePictures: allowance(
      f.devicePictures.day,
      DAY_MS,
      `这台设备一天最多传 ${f.devicePictures.day} 张照片，请稍后再传`,
    ),
    deviceClips: allowance(
      f.deviceClips.day,
      DAY_MS,
      `这台设备一天最多传 ${f.deviceClips.day} 个视频，请稍后再传`,
    ),
    deviceBytes: allowance(
      f.deviceBytes.day,
      DAY_MS,
      `这台设备一天最多传 ${Math.round(f.deviceBytes.day / GB)} GB，请稍后再传`,
    ),
  }
}
/** Calls without a session that write, and what bounds each where it is answered. */
const OUTSIDE: Readonly<Record<string, string>> = {
  [sessionApi.login.path]: 'sessions of an account',
  [sessionApi.ssoBegin.path]: 'sign-ins of a network',
  [sessionApi.ssoFinish.path]: 'sessions of an account',
  [linksApi.open.path]: 'guesses of a link',
  [linksApi.painted.path]: 'openings of a link',
  [linksApi.picture.path]: 'looks through a link',
  [homePageApi.state.path]: 'looks through a link',
  [homePageApi.alive.path]: 'looks through a link',
  [homePageApi.allow.path]: 'acts of a contact',
  [homePageApi.remove.path]: 'acts of a contact',
  [homePageApi.feedback.path]: 'acts of a contact',
  [homePageApi.score.path]: 'acts of a contact',
  [homePageApi.scoreVisit.path]: 'acts of a contact',
  [homePageApi.reopen.path]: 'acts of a contact',
  [homePageApi.object.path]: 'acts of a contact',
  [homeVideoApi.state.path]: 'looks through a link',
  [homeVideoApi.answer.path]: 'answers of a contact',
  [homeVideoApi.withdraw.path]: 'acts of a contact',
  [homeVideoApi.look.path]: 'looks of a contact',
  [homeVideoApi.keep.path]: 'looks through a link',
  [homeVideoApi.offer.path]: 'looks of a contact',
  [homeVideoApi.leave.path]: 'looks through a link',
  [threadPageApi.thread.path]: 'looks through a link',
  [threadPageApi.saw.path]: 'looks through a link',
  [threadPageApi.say.path]: 'words of a contact',
  [threadPageApi.takeBack.path]: 'words of a contact',
  [threadPageApi.photo.path]: 'photos of a link',
  [casePageApi.cases.path]: 'looks through a link',
  [casePageApi.answer.path]: 'acts of a contact',
  [casePageApi.withdraw.path]: 'acts of a contact',
  [introducePageApi.introduce.path]: 'acts of a contact',
  [personPageApi.requests.path]: 'looks through a link',
  [personPageApi.ask.path]: 'acts of a contact',
  [questionPageApi.questions.path]: 'looks through a link',
  [questionPageApi.answer.path]: 'acts of a contact',
  [sharePageApi.state.path]: 'looks through a link',
  [sharePageApi.seen.path]: 'looks through a link',
  [sharePageApi.interest.path]: 'numbers left through a link',
  [screenDoorApi.look.path]: 'codes of a network',
  [screenDoorApi.picture.path]: 'pictures of a wall',
  [screenDoorApi.report.path]: 'reports of a wall',
  [driverApi.state.path]: 'openings of a link',
  [driverApi.node.path]: 'acts of a link',
  [driverApi.handOver.path]: 'acts of a link',
  [driverApi.say.path]: 'acts of a link',
  [driverApi.photo.path]: 'photos of a link',
}
/** The bound on what a call writes: in a session the person's allowance, whatever the call is. */
export const allowanceOf = ({ access, path }: Endpoint): string | undefined =>
  access === 'public' ? OUTSIDE[path] : 'person'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The bound on calling without end. */
    allowance?: string | undefined
  }
}
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** No route that may write is registered without one. */
export function refuseBoundless({
  method,
  url,
  config,
}: Pick<RouteOptions, 'method' | 'url' | 'config'>): void {
  if ([method].flat().some((m) => !READS.has(m)) && !config?.allowance)
    throw new Error(`nobody bounds how often ${String(method)} ${url} is called`)
}
export type Allowances = ReturnType<typeof allowances>
