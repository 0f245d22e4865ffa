import { tellRefusal } from '@zhuguan/contract/features/no-work/no-work.actions.ts'
import type { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import {
  LONGEST_REASON,
  type NoWorkRow,
  REASON_DAYS,
  type StopChoices,
  stopReason,
} from '@zhuguan/contract/features/no-work/no-work.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { found, invalid, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import { int4, row, text, uuid, uuids } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { notify, settle } from '../notifications/notifications.service.ts'
import { settingSql } from '../settings/settings.reads.ts'
import { tellSite } from '../sites/sites.service.ts'
import { lockStopped } from './no-work.queries.ts'
import { aroundReasons, type Named, openQuestions, ordersUnderWay, siteIn } from './reasons.queries.ts'

async function lockSeen(tx: Tx, call: Call, id: string, version: number): Promise<NoWorkRow> {
  const site = found(await lockStopped(tx, call.user.scope, id))
  unlessSeen(site, version, '个工地')
  if (site.noWork.length === 0) throw new Refused('这个工地已经复工，不在停工预警里了')
  return site
}
/** What the reason of a site may name, and up to which day each would hold. */
async function choicesFor(tx: Tx, call: Call, site: string): Promise<StopChoices & Namable> {
  const { tenant } = call.user
  const [orders, questions, { restsUntil, toOrder }] = await Promise.all([
    ordersUnderWay(tx, tenant, site),
    openQuestions(tx, tenant, site),
    aroundReasons(tx, tenant, site),
  ])
  const today = shanghaiDay(call.now())
  const { holiday } = stopReason.code
  const after = (reason: Reason) => addDays(today, REASON_DAYS[reason])
  /** The day that it has itself, where that is still to come and not too far. */
  const dayOf = (day: string | null, reason: Reason) =>
    day !== null && day >= today && day <= addDays(today, LONGEST_REASON) ? day : after(reason)
  const of = (list: readonly Named[], reason: Reason, wordsOf: (n: Named) => string) =>
    list.map((n) => ({ id: n.id, words: wordsOf(n), until: dayOf(n.day, reason) }))
  const until = Object.fromEntries(stopReason.values.map((reason) => [reason, after(reason)]))
  return {
    orders: of(orders, 'material', (o) => `${o.name} ${o.words}（${o.day} 到）`),
    toOrder,
    questions: of(questions, 'owner', (q) => `${q.words}（${q.day} 前）`),
    until: { ...(until as Record<Reason, string>), holiday: dayOf(restsUntil, holiday) },
    names: new Map([...orders, ...questions].map((n) => [n.id, n.name])),
  }
}
type Reason = (typeof stopReason.values)[number]
interface Namable {
  names: ReadonlyMap<string, string>
}
export async function reasonChoices(tx: Tx, call: Call, id: string): Promise<StopChoices> {
  const site = found(await siteIn(tx, call.user.scope, id))
  const { names: _, ...choices } = await choicesFor(tx, call, site)
  return choices
}

type Reasoning = BodyOf<(typeof noWorkApi)['reason']>
/** What of the site the reason names: goods their order, as long as there is one; the owner a question that is open. */
function namedBy(body: Reasoning, { orders, questions, toOrder }: StopChoices) {
  const { owner, material } = stopReason.code
  // What is named must be of this site, whatever the reason.
  const order = body.order_id ? found(orders.find((o) => o.id === body.order_id)) : undefined
  const question = body.question_id ? found(questions.find((q) => q.id === body.question_id)) : undefined
  if (body.reason === owner) {
    refuse(questions.length ? undefined : '没有等业主决定的问题：先在业主页面“询问业主”，再登记业主原因')
    if (!question && questions.length > 1) throw invalid('question_id', '请选择在等业主决定什么')
    return question ?? questions[0]
  }
  if (body.reason !== material) return undefined
  if (order) return order
  if (orders.length && !toOrder) {
    if (orders.length > 1) throw invalid('order_id', '请选择在等哪张订单')
    return orders[0]
  }
  if (!toOrder && !body.remark) throw invalid('remark', '系统里没有这个工地在等的商品，请写明缺什么')
  return undefined
}
function checkDay(until: string, today: string): void {
  if (until < today) throw invalid('until', '到哪天不能早于今天')
  if (until > addDays(today, LONGEST_REASON))
    throw invalid('until', `最多登记到 ${LONGEST_REASON} 天后，到期还没好就再登记一次`)
}

export async function writeReason(tx: Tx, call: Call, body: Reasoning): Promise<void> {
  const site = await lockSeen(tx, call, body.id, body.version)
  const choices = await choicesFor(tx, call, site.id)
  const named = namedBy(body, choices)
  const until = body.until ?? named?.until ?? choices.until[body.reason]
  checkDay(until, shanghaiDay(call.now()))
  const isOrder = body.reason === stopReason.code.material
  await tx.run(
    'nowork.reason',
    // The same as before, said again: it goes on since when it was first said.
    `UPDATE sites
     SET stop_since = CASE
         WHEN stop_reason = $3 AND stop_order_id IS NOT DISTINCT FROM $7::uuid
           AND stop_question_id IS NOT DISTINCT FROM $8::uuid THEN coalesce(stop_since, :now)
         ELSE :now END,
       stop_reason = $3, stop_remark = $4, stop_by = $5, stop_at = :now, stop_until = $6, stop_order_id = $7,
       stop_question_id = $8, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [
      call.user.tenant,
      site.id,
      body.reason,
      body.remark,
      call.user.nickname,
      until,
      isOrder ? (named?.id ?? null) : null,
      isOrder ? null : (named?.id ?? null),
    ],
  )
  const waitsFor = named ? choices.names.get(named.id)! : ''
  const label = stopReason.label(body.reason)
  await call.log(tx, {
    action: '登记停工原因',
    object: 'site',
    objectId: site.id,
    before: { reason: site.reason && stopReason.label(site.reason), remark: site.remark },
    after: { reason: label, waitsFor, until, remark: body.remark },
  })
  await settle(tx, call.user.tenant, { kind: 'standstill', id: site.id })
  tellSite(
    tx,
    call,
    site,
    `停工原因：${[label, waitsFor, `到 ${until}`, body.remark].filter(Boolean).join('，')}`,
  )
}

export async function tellManager(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof noWorkApi)['tell']>,
): Promise<void> {
  const site = await lockSeen(tx, call, body.id, body.version)
  refuse(tellRefusal(site, Math.floor(call.now().getTime() / 1000)))
  await tx.run(
    'nowork.told',
    'UPDATE sites SET stop_told_at = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, site.id, call.now()],
  )
  await notify(tx, {
    tenant: call.user.tenant,
    user: site.manager_id!,
    title: `${site.ws_name} 已 ${site.noWorkRun} 天无人施工，请说明原因`,
    link: linkTo('NoWork', { keyword: site.code }),
    site: site.id,
    cause: { kind: 'standstill', id: site.id },
  })
  await call.log(tx, {
    action: '通知项目经理',
    object: 'site',
    objectId: site.id,
    after: { manager_id: site.manager_id, run: site.noWorkRun },
  })
  tellSite(tx, call, site, `停工 ${site.noWorkRun} 天，已通知 ${site.managerName}`)
}

/** After the night's count: manager and steward of a site that has stood still for the branch's days (`noWorkTellDays`, 0 = never) are told, once a run. */
export async function tellStandstills(tx: Tx, tenant: string, now: Date): Promise<number> {
  const days = `${settingSql('noWorkTellDays', 'w.tenant_id', 'w.bc_id')}::text::int`
  const { rows } = await tx.query(
    'nowork.stood',
    row({ id: uuid, ws_name: text, code: text, run: int4, people: uuids }),
    `UPDATE sites w SET stop_noticed_at = $2 WHERE w.tenant_id = $1 AND w.status = 1 AND w.deleted_at IS NULL AND w.stop_noticed_at IS NULL AND ${days} > 0 AND w.no_work_run >= ${days}
     RETURNING w.id, w.ws_name, w.code, w.no_work_run AS run, array_remove(ARRAY[w.manager_id, w.steward_id], NULL) AS people`,
    [tenant, now],
  )
  for (const site of rows)
    await notify(tx, {
      tenant,
      user: site.people,
      title: `${site.ws_name} 已 ${site.run} 天无人施工，请说明原因`,
      link: linkTo('NoWork', { keyword: site.code }),
      site: site.id,
      cause: { kind: 'standstill', id: site.id },
    })
  return rows.length
}
