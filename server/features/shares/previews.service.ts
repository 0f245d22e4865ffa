import { previewActions } from '@zhuguan/contract/features/shares/previews.actions.ts'
import type { previewsApi } from '@zhuguan/contract/features/shares/previews.api.ts'
import {
  type PreviewDetail,
  type PreviewFacts,
  previewItemKind,
  previewState,
} from '@zhuguan/contract/features/shares/previews.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { publicCases } from '../cases/cases.reads.ts'
import { pickCustomers, unlessRefusing } from '../customers/customers.reads.ts'
import { revokeLinks } from '../links/links.service.ts'
import { tellChange } from '../live/live.service.ts'
import { notify } from '../notifications/notifications.service.ts'
import { type Customer, namedItems, refuseItems } from './preview-choices.service.ts'
import {
  allItemsOf,
  dropItem,
  hasOpenDoor,
  insertPreview,
  itemsOf,
  previewOf,
  replaceItems,
  type ShownPreview,
  standingCases,
  updatePreview,
} from './previews.queries.ts'

const { draft, ended, revised } = previewState.code
const TITLE = '给您的装修方案'

/** A customer in reach whom something may be composed for. */
export async function customerFor(
  call: Call,
  id: string,
): Promise<Customer & { store_id: string | null; name: string }> {
  const k = found((await call.read((tx) => pickCustomers(tx, call.user.scope, { id })))[0])
  return k
}
const numbered = (call: Call, items: PreviewFacts['items']) =>
  items.map((i) => ({ id: call.newId(), kind: i.kind, target_id: i.target_id }))

export async function addPreview(call: Call, body: BodyOf<typeof previewsApi.add>): Promise<{ id: string }> {
  const k = await customerFor(call, body.customer_id)
  await call.read((tx) => unlessRefusing(tx, call.user.tenant, k.id))
  await refuseItems(call, k, body.items)
  const id = call.newId()
  const title = body.title || TITLE
  await call.write(async (tx) => {
    const { tenant } = call.user
    await insertPreview(tx, tenant, {
      id,
      bc: k.bc_id,
      store: k.store_id,
      customer: k.id,
      title,
      words: body.words,
      by: call.user,
    })
    await replaceItems(tx, tenant, id, numbered(call, body.items))
    await call.log(tx, {
      action: '新建客户预览',
      object: 'preview',
      objectId: id,
      after: { title, customer: k.name, items: body.items.length, words: body.words },
    })
  })
  return { id }
}

/** The preview as it was seen, held, if this person may do this to it now. */
async function held(
  tx: Tx,
  call: Call,
  action: (typeof previewActions.names)[number],
  { id, version }: { id: string; version: number },
): Promise<ShownPreview> {
  const v = found(await previewOf(tx, call.user.scope, id, true))
  unlessSeen(v, version, '份预览')
  refuse(previewActions.refusal(action, v, actorAt(call.user, v), call.now().getTime() / 1_000))
  return v
}

/** What was sent shows it at once; a price is not put behind a door that stands open. */
export async function savePreview(call: Call, body: BodyOf<typeof previewsApi.save>): Promise<void> {
  const { tenant } = call.user
  const seen = found(await call.read((tx) => previewOf(tx, call.user.scope, body.id)))
  const k = await customerFor(call, seen.customer_id)
  const before = (await call.read((tx) => itemsOf(tx, tenant, body.id))).items
  await refuseItems(call, k, body.items, before)
  await call.write(async (tx) => {
    const v = await held(tx, call, seen.state === draft ? 'edit' : 'revise', body)
    const hasPrices = body.items.some((i) => i.kind === previewItemKind.code.quotation)
    if (hasPrices && (await hasOpenDoor(tx, tenant, v.id)))
      throw invalid('items', '已经发出的链接没有密码，不能加报价；请先收回它，再带密码重新发送')
    const state = v.state === draft ? draft : revised
    const title = body.title || TITLE
    await updatePreview(tx, tenant, { id: v.id, state, title, words: body.words, by: call.user.nickname })
    await replaceItems(tx, tenant, v.id, numbered(call, body.items))
    await call.log(tx, {
      action: '修改客户预览',
      object: 'preview',
      objectId: v.id,
      before: { title: v.title, state: v.state, items: v.items, words: v.words },
      after: { title, customer: v.customerName, state, items: body.items.length, words: body.words },
    })
    tellChange(tx, tenant, { topic: 'share', bc: v.bc_id, site: null, id: v.id })
  })
}

/** Nobody opens it any more; what was opened stays in the list. */
export async function endPreview(tx: Tx, call: Call, body: BodyOf<typeof previewsApi.end>): Promise<void> {
  const { tenant } = call.user
  const v = await held(tx, call, 'end', body)
  await updatePreview(tx, tenant, { ...v, state: ended, by: call.user.nickname })
  await revokeLinks(tx, tenant, 'preview', [v.id])
  await call.log(tx, {
    action: '结束客户预览',
    object: 'preview',
    objectId: v.id,
    before: { state: v.state },
    after: { title: v.title, customer: v.customerName, state: ended, reason: body.reason },
  })
  tellChange(tx, tenant, { topic: 'share', bc: v.bc_id, site: null, id: v.id })
}

export async function previewDetail(call: Call, id: string): Promise<PreviewDetail> {
  const { tenant } = call.user
  const { changedBy: _by, ...v } = found(await call.read((tx) => previewOf(tx, call.user.scope, id)))
  const k = await customerFor(call, v.customer_id)
  const items = await call.read((tx) => allItemsOf(tx, tenant, id))
  return { ...v, items: await namedItems(call, k, items) }
}

/**
 * Cases that may no longer be shown fall out of what was composed, and whoever composed it is told. Their customers
 * have not seen them since that moment: what is shown is asked anew at every look.
 */
export async function dropFallen(tx: Tx, tenant: string): Promise<number> {
  const standing = await standingCases(tx, tenant)
  if (standing.length === 0) return 0
  const ids = [...new Set(standing.map((s) => s.target_id))]
  const open = new Set((await publicCases(tx, tenant, 'link', tx.now, { ids })).map((c) => c.id))
  const fallen = standing.filter((s) => !open.has(s.target_id))
  for (const s of fallen) {
    await dropItem(tx, tenant, s.id, '业主不再同意公开，或者已经下架')
    await notify(tx, {
      tenant,
      user: [s.maker_id],
      title: `案例“${s.title}”不能再公开，已从客户预览“${s.previewTitle}”里去掉`,
      link: linkTo('customPreview', { id: s.preview_id }),
      personal: true,
    })
    tellChange(tx, tenant, { topic: 'share', bc: s.bc_id, site: null, id: s.preview_id })
  }
  return fallen.length
}
