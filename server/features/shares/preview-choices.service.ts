import type { PublicCase } from '@zhuguan/contract/features/cases/cases.record.ts'
import {
  type PreviewChoice,
  type PreviewItem,
  previewItemKind,
} from '@zhuguan/contract/features/shares/previews.record.ts'
import type { NearSite } from '@zhuguan/contract/features/shares/share-page.record.ts'
import { stageTold } from '@zhuguan/contract/features/sites/sites.record.ts'

import { invalid } from '../../kit/refuse.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import type { Tx } from '../../kit/tx.ts'
import { publicCases } from '../cases/cases.reads.ts'
import { nearSitesOf } from './composed.ts'
import { sendableQuotations, sitesIn, soldPackages } from './preview-choices.queries.ts'

type Kind = PreviewItem['kind']
const kinds = previewItemKind.code
export interface Customer {
  id: string
  bc_id: string
  community: string
  style: string
}
interface Asked {
  keyword?: string | undefined
  /** Only of these, to see whether they may still be put in. */
  ids?: readonly string[] | undefined
}
interface Choice {
  id: string
  title: string
  detail: string
}

const caseChoice = (c: PublicCase): Choice => ({
  id: c.id,
  title: c.title,
  detail: [c.community, c.style, c.areaRange, c.priceRange, `${c.pictures.length} 张照片`]
    .filter(Boolean)
    .join(' · '),
})
const siteChoice = (s: NearSite): Choice => ({
  id: s.id,
  title: `${s.community} · ${stageTold(s)}`,
  detail: [s.days !== null && `第 ${s.days} 天`, s.style].filter(Boolean).join(' · '),
})

/** What is like the customer's home comes first. */
function nearest(cases: readonly PublicCase[], k: Customer): PublicCase[] {
  const likeness = (c: PublicCase) =>
    (k.community !== '' && c.community === k.community ? 2 : 0) +
    (k.style !== '' && c.style === k.style ? 1 : 0)
  return cases.toSorted((a, b) => likeness(b) - likeness(a))
}

/**
 * Records of each kind that may be sent to this customer. Cases and homes are of the whole group: agreed to, or
 * nameless.
 */
const CHOICES: Record<Kind, (call: Call, k: Customer, asked: Asked) => Promise<Choice[]>> = {
  async case(call, k, { ids, keyword }) {
    const { tenant } = call.user
    const all = await inGroup(call, (tx) => publicCases(tx, tenant, 'link', tx.now, ids ? { ids } : {}))
    return nearest(all, k)
      .map(caseChoice)
      .filter((c) => !keyword || `${c.title} ${c.detail}`.includes(keyword))
  },
  async site(call, k, { ids, keyword }) {
    const { tenant } = call.user
    const where = keyword || k.community
    if (!ids && !where) return []
    return inGroup(call, async (tx) =>
      (await nearSitesOf(tx, tenant, ids ?? (await sitesIn(tx, tenant, where)))).map(siteChoice),
    )
  },
  package: (call, k, asked) =>
    call.read((tx) => soldPackages(tx, call.user.scope, { bc: k.bc_id, ...asked })),
  quotation: (call, k, { ids }) =>
    call.read((tx) => sendableQuotations(tx, call.user.scope, { customer: k.id, ids })),
}
const inGroup = <T>(call: Call, ask: (tx: Tx) => Promise<T>) =>
  call.within(wholeGroup(call.user.tenant)).read(ask)

export async function choicesOf(
  call: Call,
  k: Customer,
  { keyword, kind }: { keyword?: string | undefined; kind: Kind },
): Promise<PreviewChoice[]> {
  const list = await CHOICES[kind](call, k, { keyword })
  return list.map(({ id, ...said }) => ({ kind, target_id: id, ...said }))
}

/** What is put in may be sent to this customer now; what stood in it already may stay while it lasts. */
export async function refuseItems(
  call: Call,
  k: Customer,
  items: readonly PreviewItem[],
  before: readonly PreviewItem[] = [],
): Promise<void> {
  const stood = new Set(before.map((i) => i.target_id))
  for (const kind of previewItemKind.values) {
    const ids = items.filter((i) => i.kind === kind).map((i) => i.target_id)
    if (new Set(ids).size < ids.length) throw invalid('items', '同一项内容放了两次，请去掉一个')
    if (ids.length > 1 && (kind === kinds.package || kind === kinds.quotation))
      throw invalid('items', `${previewItemKind.label(kind)}只放一份`)
    const fresh = ids.filter((id) => !stood.has(id))
    if (fresh.length === 0) continue
    const known = new Set((await CHOICES[kind](call, k, { ids: fresh })).map((c) => c.id))
    if (fresh.some((id) => !known.has(id))) throw invalid('items', WHY_NOT[kind])
  }
}
const WHY_NOT: Record<Kind, string> = {
  case: '有案例没有上架，或者业主没有同意用链接分享，请重新选择',
  site: '有工地已经不能展示，请重新选择',
  package: '这个套餐没有在售，请重新选择',
  quotation: '只能放这位客户审核通过、还在有效期内的报价',
}
const GONE = '已经不能展示'

/** What stands in a preview, as whoever composes it reads it. */
export async function namedItems(
  call: Call,
  k: Customer,
  items: readonly (PreviewItem & { droppedFor: string })[],
): Promise<(PreviewChoice & { droppedFor: string })[]> {
  const known = new Map<string, Choice>()
  for (const kind of previewItemKind.values) {
    const ids = items.filter((i) => i.kind === kind).map((i) => i.target_id)
    if (ids.length > 0) for (const c of await CHOICES[kind](call, k, { ids })) known.set(`${kind} ${c.id}`, c)
  }
  return items.map((i) => {
    const c = known.get(`${i.kind} ${i.target_id}`)
    return {
      ...i,
      title: c?.title ?? previewItemKind.label(i.kind),
      detail: c?.detail ?? '',
      droppedFor: i.droppedFor || (c ? '' : GONE),
    }
  })
}
