import { consentHow, consentState } from '@zhuguan/contract/features/consents/consents.record.ts'
import { type GrantAction, grantActions } from '@zhuguan/contract/features/owners/grants.actions.ts'
import type { grantsApi } from '@zhuguan/contract/features/owners/grants.api.ts'
import {
  grantState,
  type HomeVideoPage,
  MOST_DAYS,
  VIDEO_SCOPE,
  VIDEO_WORDING,
} from '@zhuguan/contract/features/owners/grants.record.ts'
import { hoursText, liesWithin, passesMidnight } from '@zhuguan/contract/features/owners/watch-hours.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import type { Call, Caller } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { type Asked, isGiven } from '../consents/consents.reads.ts'
import { type Answer, recordAnswer, withdrawConsent } from '../consents/consents.service.ts'
import { tell } from '../live/live.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { endLooks } from '../video/video-views.service.ts'
import {
  addGrant,
  camerasIn,
  contactsVideo,
  countGrants,
  homeForVideo,
  lockGrant,
  moveGrants,
} from './grants.queries.ts'
import { contactBehind, type HomeContact } from './home-devices.queries.ts'
import { lockHome, siteOfContact } from './owners.queries.ts'

type Api = typeof grantsApi
const { active, ended, stopped } = grantState.code

/** Somebody of a home is asked whether they want to look. */
export const videoAsked = (contact: string): Asked => ({
  kind: 'ownerVideo',
  subject_type: 'contact',
  subject_id: contact,
})
const overOf = (status: number): string =>
  status === siteStatus.code.building ? '' : `工地${siteStatus.label(status)}，不能授权看现场`

/** A contact of a home in reach, their home locked. */
async function open(tx: Tx, call: Call, id: string): Promise<HomeContact> {
  const { scope, tenant } = call.user
  found(await lockHome(tx, scope, found(await siteOfContact(tx, scope, id))))
  const of = await contactBehind(tx, tenant, id)
  if (!of) throw new Refused('这位联系人已经不属于这个家了')
  return of
}
function changed(tx: Tx, call: Call, of: HomeContact, title?: string): void {
  const site = of.site_id
  tell(tx, call, {
    topic: 'site',
    bc: of.bc_id,
    site,
    id: site,
    ...(title ? { line: { kind: 'owner', title } } : {}),
  })
}
const log = (tx: Tx, call: Call, of: HomeContact, action: string, after: Record<string, unknown>) =>
  call.log(tx, {
    action,
    object: 'homeVideo',
    objectId: of.site_id,
    after: { site_id: of.site_id, person: of.name, ...after },
  })
const hear = (tx: Tx, call: Call, of: HomeContact, change: 'agree' | 'grant' | 'withdraw', title: string) =>
  passTurn(tx, 'owner', change, {
    tenant: call.user.tenant,
    ...(call.user.id ? { actor: call.user.id } : {}),
    place: { bc_id: of.bc_id, site_id: of.site_id },
    link: linkTo('OwnerInfo', { site_id: of.site_id }),
    cause: { kind: 'homeVideo', id: of.id },
    named: { steward: of.steward_id, granter: of.steward_id },
    title,
  })

export async function homeVideoOf(tx: Tx, call: Call, site: string): Promise<HomeVideoPage> {
  const { scope, tenant } = call.user
  const contacts = await contactsVideo(tx, scope, site)
  const { from, status, to } = await homeForVideo(tx, tenant, site)
  const cameras = await camerasIn(tx, scope, { site })
  return {
    contacts,
    cameras: cameras.map(({ id, sn, status: state }) => ({ id, sn, status: state })),
    hours: { from, to },
    why: overOf(status),
  }
}

/** Written down for them by staff, or said by themselves on their page. */
export async function answerVideo(
  tx: Tx,
  call: Call,
  contact: string,
  a: Omit<Answer, 'scope'>,
  wording = VIDEO_WORDING,
): Promise<void> {
  const of = await open(tx, call, contact)
  const { given } = consentState.code
  if (await isGiven(tx, call.user.tenant, videoAsked(contact)))
    refuse(`${of.name}已经同意看现场；本人改变主意请用“撤回同意”`)
  if (wording !== VIDEO_WORDING) refuse('说明已经更新，请重新打开这一页再看一遍')
  if (a.how === consentHow.code.electronic && call.user.id)
    throw invalid('how', '电子答复由本人在自己的手机页面上做；代为登记请选书面或当面')
  if (a.how === consentHow.code.spoken && call.user.id && !a.proof)
    throw invalid('proof', '当面答复请上传凭证照片（签字、聊天截图）')
  await recordAnswer(tx, call, videoAsked(contact), { ...a, scope: VIDEO_SCOPE, wording })
  const { answer, answeredOn, how } = a
  await log(tx, call, of, answer === given ? '同意看现场' : '不同意看现场', {
    answer,
    how,
    answeredOn,
    scope: VIDEO_SCOPE,
    wording,
    proof: a.proof ? '有' : '无',
  })
  changed(tx, call, of, `${of.name}${answer === given ? '同意' : '不同意'}用手机看现场`)
  if (answer === given)
    await hear(tx, call, of, 'agree', `${of.ws_name}的${of.name}同意用手机看现场，请授权摄像头和时段`)
}

/** Taken back: what is being watched ends with it. */
export async function withdrawVideo(tx: Tx, call: Call, contact: string, why: string): Promise<void> {
  const { nickname, tenant } = call.user
  const of = await open(tx, call, contact)
  if (!(await withdrawConsent(tx, call, videoAsked(contact), why))) refuse(`${of.name}没有可以撤回的同意`)
  const by = { by: nickname, reason: '本人撤回同意' }
  await moveGrants(tx, tenant, { contacts: [contact] }, { ...by, state: stopped, from: [active] })
  await endLooks(tx, tenant, { contacts: [contact] }, '同意已撤回')
  await log(tx, call, of, '撤回看现场的同意', { answer: consentState.code.withdrawn, reason: why })
  changed(tx, call, of, `${of.name}撤回了看现场的同意`)
  await hear(tx, call, of, 'withdraw', `${of.ws_name}的${of.name}撤回了看现场的同意，授权已停止`)
}

/** The contact has one grant: a new one takes its place. */
export async function grantVideo(tx: Tx, call: Call, body: BodyOf<Api['grant']>): Promise<{ id: string }> {
  const { nickname, scope, tenant } = call.user
  const of = await open(tx, call, body.contact_id)
  const { from, fromDay, to, toDay } = body
  const cameras = await camerasIn(tx, scope, { ids: body.cameras })
  found(cameras.length === new Set(body.cameras).size ? cameras : undefined)
  const house = await homeForVideo(tx, tenant, of.site_id)
  refuse(overOf(house.status) || undefined)
  if (!(await isGiven(tx, tenant, videoAsked(of.id))))
    refuse(`${of.name}没有同意看现场，请先由本人在手机上同意，或登记本人的答复`)
  const away = cameras.find((c) => c.site_id !== of.site_id)
  if (away) throw invalid('cameras', `摄像头 ${away.sn} 不在这个工地`)
  if (toDay < fromDay) throw invalid('toDay', '结束日期不能早于开始日期')
  if (toDay < shanghaiDay(call.now())) throw invalid('toDay', '结束日期已经过去')
  if (toDay > addDays(fromDay, MOST_DAYS - 1)) throw invalid('toDay', `一次最多授权 ${MOST_DAYS} 天`)
  if (!body.nextDay && to <= from)
    throw invalid('to', '结束时间要晚于开始时间；看到第二天凌晨的，请选“到次日”')
  if (body.nextDay && !passesMidnight(body)) throw invalid('to', '跨到次日的时段不能超过 24 小时')
  if (!liesWithin(body, house)) throw invalid('from', `应在业主视频时段 ${hoursText(house)} 之内`)
  const former = await moveGrants(
    tx,
    tenant,
    { contacts: [of.id] },
    { state: ended, from: [active, stopped], by: nickname, reason: '改为新的授权' },
  )
  const id = call.newId()
  const when = { fromDay, toDay, from, to }
  await addGrant(tx, tenant, {
    id,
    bc: of.bc_id,
    site: of.site_id,
    contact: of.id,
    ...when,
    by: nickname,
    cameras: cameras.map((c) => c.id),
  })
  await log(tx, call, of, former ? '更改看现场的授权' : '授权看现场', {
    state: active,
    cameras: cameras.map((c) => c.sn).join('、'),
    days: `${fromDay} 至 ${toDay}`,
    hours: hoursText(body),
  })
  changed(tx, call, of, `${former ? '更改' : '开通'}${of.name}看现场：${hoursText(body)}`)
  await hear(tx, call, of, 'grant', `${of.ws_name}的${of.name}可以看现场了`)
  return { id }
}

export async function moveGrant(
  tx: Tx,
  call: Call,
  action: GrantAction,
  body: { id: string; version: number; reason?: string },
): Promise<void> {
  const { nickname, scope, tenant } = call.user
  const at = found(await lockGrant(tx, scope, body.id))
  unlessSeen(at, body.version, '份授权')
  refuse(grantActions.refusal(action, at, actorAt(call.user, at), call.now().getTime() / 1000))
  const of = await open(tx, call, at.contact_id)
  if (action === 'resume') {
    refuse(overOf((await homeForVideo(tx, tenant, at.site_id)).status) || undefined)
    if (!(await isGiven(tx, tenant, videoAsked(of.id)))) refuse(`${of.name}没有同意看现场，不能恢复`)
    if (!at.here) refuse('授权的摄像头都已不在这个工地，请重新授权')
  }
  const to = action === 'stop' ? stopped : active
  const reason = body.reason ?? ''
  await moveGrants(tx, tenant, { id: at.id }, { state: to, from: [at.state], by: nickname, reason })
  if (action === 'stop') await endLooks(tx, tenant, { contacts: [of.id] }, '授权已停止')
  await log(tx, call, of, action === 'stop' ? '停止看现场的授权' : '恢复看现场的授权', { state: to, reason })
  changed(tx, call, of, `${action === 'stop' ? '停止' : '恢复'}${of.name}看现场`)
}

/** Contacts who are not of the home any more agree to nothing there, and see nothing. */
export async function endVideoOf(
  tx: Tx,
  call: Caller,
  contacts: readonly string[],
  why: string,
): Promise<void> {
  const { nickname, tenant } = call.user
  for (const contact of contacts) await withdrawConsent(tx, call, videoAsked(contact), why)
  const from = [active, stopped]
  await moveGrants(tx, tenant, { contacts }, { state: ended, from, by: nickname, reason: why })
  await endLooks(tx, tenant, { contacts }, why)
}
/** The works are over: what was granted ends. */
export async function endVideoAt(tx: Tx, call: Call, site: string, why: string): Promise<void> {
  const { nickname, tenant } = call.user
  const from = [active, stopped]
  await moveGrants(tx, tenant, { site }, { state: ended, from, by: nickname, reason: why })
  await endLooks(tx, tenant, { sites: [site] }, why)
}
export { countGrants }
