import { type CaseAction, caseActions } from '@zhuguan/contract/features/cases/cases.actions.ts'
import type { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import {
  caseScope,
  type CaseState,
  caseState,
  MOST_DAYS,
} from '@zhuguan/contract/features/cases/cases.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, outside, refuse } from '../../kit/refuse.ts'
import type { Call, Caller } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { withdrawConsent } from '../consents/consents.service.ts'
import type { FileStore } from '../files/files.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { fasterOne } from '../userlogs/userlogs.service.ts'
import { caseAsked } from './asked.ts'
import { type Act, addLine, noticeOf, tellCase } from './cases.ledger.ts'
import { lockCase, type LockedCase, lockSite } from './cases.queries.ts'
import { possibleOf } from './homes.queries.ts'
import { addPictures, dropPictures, keysOf } from './pictures.queries.ts'
import { unlessPublic } from './public-words.ts'

type Api = typeof casesApi
const OVER = '工地已经终止或还没有开工，不能做成案例'

/** The case as whoever acts has seen it, its home and itself held. */
export async function open(tx: Tx, call: Call, seen: { id: string; version: number }): Promise<LockedCase> {
  const k = found(await lockCase(tx, call.user.scope, { id: seen.id }))
  if (k.version !== seen.version) throw await fasterOne(tx, call.user.tenant, 'case', k.id, '个案例')
  return k
}
const allowed = (call: Call, k: LockedCase, action: CaseAction) =>
  refuse(caseActions.refusal(action, k, actorAt(call.user, k), call.now().getTime() / 1000))

/** What was said of it before is done with; nobody has to hear of this. */
export const done = (tx: Tx, call: Caller, k: LockedCase, change: 'ask' | 'publish' | 'release') =>
  passTurn(tx, 'case', change, {
    ...noticeOf(k),
    tenant: call.user.tenant,
    actor: call.user.id,
    title: `案例“${k.title}”已处理`,
  })

/** Its state is another one: the row, its ledger, the log, everybody who looks. */
export async function move(
  tx: Tx,
  call: Caller,
  k: LockedCase,
  to: { state: CaseState; act: Act; label: string; text?: string; contact?: string | null },
): Promise<void> {
  await tx.run(
    'cases.move',
    `UPDATE cases SET state = $3, contact_id = $4, changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, k.id, to.state, to.contact === undefined ? k.contact_id : to.contact],
  )
  await addLine(tx, call, k.id, to.act, to.text)
  await call.log(tx, {
    action: `案例${to.label}`,
    object: 'case',
    objectId: k.id,
    before: { state: k.state },
    after: {
      title: k.title,
      site_id: k.site_id,
      state: to.state,
      ...(to.text ? { reason: to.text } : {}),
    },
  })
  tellCase(tx, call, k, `：${to.label}`)
}

/** Pictures of the site itself and of nothing else, with the day and the camera that they are of. */
async function chosen(tx: Tx, call: Call, site: string, keys: readonly string[]) {
  if (new Set(keys).size < keys.length) throw invalid('pictures', '同一张照片选了两次')
  if (keys.length === 0) return []
  const all = new Map((await possibleOf(tx, call.user.tenant, site)).map((p) => [p.key, p]))
  return keys.map((key) => {
    const one = all.get(key)
    if (!one) throw outside()
    return one
  })
}

/** A candidate is made of a site; nobody outside sees anything of it. */
export async function addCase(tx: Tx, call: Call, body: BodyOf<Api['add']>): Promise<{ id: string }> {
  const { nickname, scope, tenant } = call.user
  const site = found(await lockSite(tx, scope, body.site_id))
  const { building, finished } = siteStatus.code
  refuse(site.status === building || site.status === finished ? undefined : OVER)
  refuse(site.owner === null ? '这个工地还没有业主，没有人可以同意公开' : undefined)
  unlessPublic(body, site)
  const pictures = await chosen(tx, call, site.id, body.pictures)
  const id = call.newId()
  await tx.run(
    'cases.add',
    `INSERT INTO cases (tenant_id, id, bc_id, site_id, title, words, made_by, made_at, changed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, :now, :now)`,
    [tenant, id, site.bc_id, site.id, body.title, body.words, nickname],
  )
  await addPictures(tx, call, id, pictures)
  await addLine(tx, call, id, 'propose', pictures.length ? `${pictures.length} 张照片` : '')
  await call.log(tx, {
    action: '生成案例',
    object: 'case',
    objectId: id,
    after: { title: body.title, site_id: site.id, words: body.words, pictures: pictures.length },
  })
  tellCase(tx, call, found(await lockCase(tx, scope, { id })))
  return { id }
}

/** Words and pictures while nobody has been asked: what its people agreed to is never changed behind them. */
export async function editCase(
  tx: Tx,
  call: Call,
  files: FileStore,
  body: BodyOf<Api['edit']>,
): Promise<void> {
  const k = await open(tx, call, body)
  allowed(call, k, 'edit')
  unlessPublic(body, k)
  const held = await keysOf(tx, call.user.tenant, k.id)
  const added = await chosen(
    tx,
    call,
    k.site_id,
    body.pictures.filter((key) => !held.includes(key)),
  )
  if (new Set(body.pictures).size < body.pictures.length) throw invalid('pictures', '同一张照片选了两次')
  await dropPictures(
    tx,
    call,
    files,
    k.id,
    held.filter((key) => !body.pictures.includes(key)),
  )
  await addPictures(tx, call, k.id, added)
  await tx.run(
    'cases.edit',
    `UPDATE cases SET title = $3, words = $4, changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, k.id, body.title, body.words],
  )
  await addLine(tx, call, k.id, 'edit', `${body.pictures.length} 张照片`)
  await call.log(tx, {
    action: '编辑案例',
    object: 'case',
    objectId: k.id,
    before: { title: k.title, words: k.words, pictures: held.length },
    after: { title: body.title, site_id: k.site_id, words: body.words, pictures: body.pictures.length },
  })
  tellCase(tx, call, k)
}

/** What its people are asked about is kept with the case: these renditions, this praise, nothing that comes later. */
export async function askHome(tx: Tx, call: Call, body: BodyOf<Api['ask']>): Promise<void> {
  const { nickname, tenant } = call.user
  const k = await open(tx, call, body)
  allowed(call, k, 'ask')
  const { building, finished } = siteStatus.code
  refuse(k.status === building || k.status === finished ? undefined : OVER)
  const scope = [...new Set(body.scope)]
  if (!scope.includes(caseScope.code.photos)) throw invalid('scope', '案例至少要公开照片')
  if (scope.includes(caseScope.code.live))
    throw invalid('scope', '直播画面遮不住人脸，不征求；给客户看的是打过码的照片和拍摄时间')
  unlessPublic(k, k, scope)
  const today = shanghaiDay(call.now())
  if (body.until <= today) throw invalid('until', '授权到的日期要晚于今天')
  const last = addDays(today, MOST_DAYS)
  if (body.until > last) throw invalid('until', `一次最多征求到 ${last}（三年）`)
  await tx.run(
    'cases.ask',
    `UPDATE cases k
     SET state = '${caseState.code.asked}', scope = $3, places = $4, until = $5, asked_by = $6, asked_at = :now,
       contact_id = NULL, changed_at = :now, version = version + 1,
       agreed = ARRAY(SELECT p.masked_picture FROM case_pictures p
         WHERE p.tenant_id = $1 AND p.case_id = k.id AND p.state = 'released' ORDER BY p.taken_on, p.id),
       praise_id = CASE WHEN '${caseScope.code.praise}' = ANY ($3::text[]) THEN (
         SELECT f.id FROM feedback f
         WHERE f.tenant_id = $1 AND f.site_id = k.site_id AND f.kind = 'praise' AND f.status <> 4
           AND f.home_at >= (SELECT h.since FROM home_contacts h
             WHERE h.tenant_id = $1 AND h.site_id = k.site_id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL)
         ORDER BY f.entered_at DESC
         LIMIT 1) END
     WHERE k.tenant_id = $1 AND k.id = $2`,
    [tenant, k.id, scope, [...new Set(body.places)], body.until, nickname],
  )
  await addLine(tx, call, k.id, 'ask', `${scope.map(caseScope.label).join('、')}，到 ${body.until}`)
  await call.log(tx, {
    action: '案例征求业主同意',
    object: 'case',
    objectId: k.id,
    before: { state: k.state },
    after: {
      title: k.title,
      site_id: k.site_id,
      state: caseState.code.asked,
      scope,
      places: body.places,
      until: body.until,
    },
  })
  tellCase(tx, call, k, '请业主看一看是否同意公开')
  await done(tx, call, k, 'ask')
}

/** Something is to be changed: what was agreed to was something else, and is over. */
export async function reviseCase(tx: Tx, call: Call, body: BodyOf<Api['revise']>): Promise<void> {
  const k = await open(tx, call, body)
  allowed(call, k, 'revise')
  if (k.contact_id)
    await withdrawConsent(tx, call, caseAsked(k.contact_id), `内容要修改，重新征求：${body.reason}`)
  await move(tx, call, k, {
    state: caseState.code.candidate,
    act: 'revise',
    label: '收回征求',
    text: body.reason,
    contact: null,
  })
  await done(tx, call, k, 'publish')
}

export async function publishCase(tx: Tx, call: Call, body: BodyOf<Api['publish']>): Promise<void> {
  const k = await open(tx, call, body)
  allowed(call, k, 'publish')
  refuse(k.until && k.until < shanghaiDay(call.now()) ? `授权 ${k.until} 已经到期` : undefined)
  unlessPublic(k, k, k.scope)
  await move(tx, call, k, { state: caseState.code.published, act: 'publish', label: '上架' })
  await done(tx, call, k, 'publish')
}
export async function takeDown(tx: Tx, call: Call, body: BodyOf<Api['takeDown']>): Promise<void> {
  const k = await open(tx, call, body)
  allowed(call, k, 'takeDown')
  await move(tx, call, k, {
    state: caseState.code.consented,
    act: 'takeDown',
    label: '下架',
    text: body.reason,
  })
}
