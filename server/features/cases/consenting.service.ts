import type { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import {
  CASE_WORDING,
  caseScope,
  type CaseState,
  caseState,
  caseWhere,
} from '@zhuguan/contract/features/cases/cases.record.ts'
import { consentHow, consentState } from '@zhuguan/contract/features/consents/consents.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { found, invalid, outside, refuse, unlessSeen } from '../../kit/refuse.ts'
import type { Call, Caller } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { type Answer, recordAnswer, withdrawConsent } from '../consents/consents.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { systemCall } from '../userlogs/system.service.ts'
import { caseAsked } from './asked.ts'
import { type Act, addLine, noticeOf } from './cases.ledger.ts'
import { lockCase, type LockedCase, overdueOf } from './cases.queries.ts'
import { move, open } from './cases.service.ts'
import { contactsOf, type HomePerson, saysNo } from './home-cases.reads.ts'

type Api = typeof casesApi
const { asked, candidate, consented, expired, published, refused, withdrawn } = caseState.code
const { given } = consentState.code

/** What was agreed to, as the consent keeps it. */
const scopeWords = (k: LockedCase): string =>
  `案例公开${k.scope.map(caseScope.label).join('、')}；在${k.places.map(caseWhere.label).join('、')}；到 ${k.until}`

type Said = Omit<Answer, 'scope' | 'wording'>
/** Why this cannot be said of the case now; `changesMind`: somebody takes back their own no. */
function whyNotSaid(
  k: LockedCase,
  who: HomePerson,
  { changesMind, today, yes }: { changesMind: boolean; today: string; yes: boolean },
): string | undefined {
  if (k.state !== asked && !changesMind)
    return `当前为“${caseState.label(k.state)}”，不能再答复；改变主意请用“收回同意”`
  if (k.until && k.until < today) return '征求的期限已经过去'
  if (yes && !who.signatory && !changesMind) return '同意公开要由业主本人答复；您不同意的，可以直接选“不同意”'
  return undefined
}
/**
 * The signatory's yes is the home's; anybody's no is the home's no, also after the yes. What is not asked any more is
 * answered by nobody.
 */
async function answerCase(tx: Tx, call: Call, k: LockedCase, who: HomePerson, said: Said): Promise<void> {
  const yes = said.answer === given
  const nos = yes && !who.signatory ? await saysNo(tx, call.user.tenant, k.site_id) : []
  const changesMind =
    nos.some((n) => n.id === who.id) && (k.state === asked || k.state === consented || k.state === published)
  refuse(whyNotSaid(k, who, { changesMind, today: shanghaiDay(call.now()), yes }))
  if (said.how === consentHow.code.spoken && call.user.id && !said.proof)
    throw invalid('proof', '当面答复请上传凭证照片（签字、聊天截图）')
  await recordAnswer(tx, call, caseAsked(who.id), {
    ...said,
    scope: scopeWords(k).slice(0, 100),
    wording: CASE_WORDING,
  })
  if (changesMind) {
    // Their own no alone is taken away: the yes of the home is the signatory's.
    await addLine(tx, call, k.id, 'unobject', `${who.name}，${consentHow.label(said.how)}`)
    await tellStaff(tx, call, k, 'agree', `${k.ws_name}的${who.name}不再反对把家公开为案例“${k.title}”`)
    return
  }
  await move(tx, call, k, {
    state: yes ? consented : refused,
    act: yes ? 'agree' : 'refuse',
    label: yes ? '业主同意公开' : '业主不同意公开',
    text: `${who.name}，${consentHow.label(said.how)}`,
    ...(yes ? { contact: who.id } : {}),
  })
  await tellStaff(
    tx,
    call,
    k,
    yes ? 'agree' : 'refuse',
    `${k.ws_name}的${who.name}${yes ? '同意' : '不同意'}把家公开为案例“${k.title}”`,
  )
}

const tellStaff = (
  tx: Tx,
  call: Caller,
  k: LockedCase,
  change: 'agree' | 'expire' | 'refuse' | 'withdraw',
  title: string,
) =>
  passTurn(tx, 'case', change, {
    ...noticeOf(k),
    tenant: call.user.tenant,
    ...(call.user.id ? { actor: call.user.id } : {}),
    named: { steward: k.steward_id },
    title,
  })

/** Nothing of it is shown from this moment on: links, screens and pages ask at every byte. */
async function end(
  tx: Tx,
  call: Caller,
  k: LockedCase,
  to: { state: CaseState; act: Act; label: string; why: string },
): Promise<void> {
  if (k.contact_id) await withdrawConsent(tx, call, caseAsked(k.contact_id), to.why)
  await move(tx, call, k, { state: to.state, act: to.act, label: to.label, text: to.why })
}

/** Written down for somebody of the home by staff. */
export async function answerForHome(tx: Tx, call: Call, body: BodyOf<Api['answer']>): Promise<void> {
  const k = await open(tx, call, body)
  const who = found((await contactsOf(tx, call.user.tenant, k.site_id)).find((c) => c.id === body.contact_id))
  const { answer, answeredOn, how, proof } = body
  if (how === consentHow.code.electronic) throw invalid('how', '电子答复由业主在自己的手机上做')
  await answerCase(tx, call, k, who, { answer, how, answeredOn, proof })
}
export async function withdrawForHome(tx: Tx, call: Call, body: BodyOf<Api['withdraw']>): Promise<void> {
  const k = await open(tx, call, body)
  refuse(
    k.state === asked || k.state === consented || k.state === published
      ? undefined
      : `当前为“${caseState.label(k.state)}”，没有可以撤回的同意`,
  )
  await end(tx, call, k, { state: withdrawn, act: 'withdraw', label: '撤回同意', why: body.reason })
  await tellStaff(tx, call, k, 'withdraw', `${k.ws_name}的案例“${k.title}”已撤回：${body.reason}`)
}

/** Somebody behind their own link, in the reach of their home alone. */
async function ofHome(tx: Tx, call: Call, contact: string, id: string) {
  const k = await lockCase(tx, call.user.scope, { id })
  if (!k) throw outside()
  const who = found((await contactsOf(tx, call.user.tenant, k.site_id)).find((c) => c.id === contact))
  return { k, who }
}
export async function answerAtHome(
  tx: Tx,
  call: Call,
  contact: string,
  said: { id: string; answer: 1 | 2; version: number; wording: string; typedBy?: string },
): Promise<void> {
  const { k, who } = await ofHome(tx, call, contact, said.id)
  unlessSeen(k, said.version, '个案例')
  if (said.answer === given && said.typedBy)
    refuse('这个链接和这台手机是同一位同事办的，还不能代表业主本人同意；请让另一位同事核对，或者上传书面同意')
  if (said.wording !== CASE_WORDING) refuse('说明已经更新，请重新打开这一页再看一遍')
  await answerCase(tx, call, k, who, {
    answer: said.answer,
    how: consentHow.code.electronic,
    answeredOn: shanghaiDay(call.now()),
    proof: null,
    ...(said.typedBy ? { typedBy: said.typedBy } : {}),
  })
}
/** One tap, whoever of the home it is. */
export async function withdrawAtHome(tx: Tx, call: Call, contact: string, id: string): Promise<void> {
  const { k, who } = await ofHome(tx, call, contact, id)
  refuse(k.state === consented || k.state === published ? undefined : '没有可以收回的同意')
  if (k.contact_id !== who.id)
    await recordAnswer(tx, call, caseAsked(who.id), {
      answer: consentState.code.refused,
      how: consentHow.code.electronic,
      answeredOn: shanghaiDay(call.now()),
      proof: null,
      scope: scopeWords(k).slice(0, 100),
      wording: CASE_WORDING,
    })
  await end(tx, call, k, {
    state: withdrawn,
    act: 'withdraw',
    label: '撤回同意',
    why: `${who.name}在手机上收回`,
  })
  await tellStaff(tx, call, k, 'withdraw', `${k.ws_name}的${who.name}收回了同意，案例“${k.title}”已不再公开`)
}

/** The works were terminated, or the home is another owner's: what was agreed to is over. */
export async function endCase(tx: Tx, call: Caller, site: string, why: string): Promise<void> {
  const k = await lockCase(tx, call.user.scope, { living: site })
  if (!k) return
  await end(tx, call, k, { state: withdrawn, act: 'end', label: '结束', why })
  if (k.state !== candidate)
    await tellStaff(tx, call, k, 'withdraw', `${k.ws_name}的案例“${k.title}”已结束：${why}`)
}

const MOST = 200
/** The day after the last one that was agreed to. What is public asks for its day by itself; this says so. */
export async function expireCases(tx: Tx, tenant: string): Promise<number> {
  const system = systemCall(tx, tenant)
  const ids = await overdueOf(tx, tenant, MOST)
  for (const id of ids) {
    const k = await lockCase(tx, system.user.scope, { id })
    if (!k || !k.until) continue
    await end(tx, system, k, {
      state: expired,
      act: 'expire',
      label: '授权到期',
      why: `授权到 ${k.until} 为止`,
    })
    await tellStaff(tx, system, k, 'expire', `${k.ws_name}的案例“${k.title}”授权已到期，不再公开`)
  }
  return ids.length
}
