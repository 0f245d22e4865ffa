import { previewState } from '@zhuguan/contract/features/shares/previews.record.ts'

import type { LinkKind } from '../../kit/link-kind.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import { publicCases, publicPicture } from '../cases/cases.reads.ts'
import { countOpenings } from '../cases/openings.service.ts'
import { tellOpened } from './opened.service.ts'
import { itemsOf, previewLives, previewOf, updatePreview } from './previews.queries.ts'

const { sent } = previewState.code

/** A link to what was composed for one customer; each case in it is asked for itself, at every look and every byte. */
export const previewLink: LinkKind = {
  visits: true,
  over: '这份预览已经结束，或者里面还没有内容',
  async find(tx, scope, id) {
    const v = await previewOf(tx, scope, id)
    if (!v) return undefined
    const { bc_id, customer_id, customerName, store_id, title } = v
    return { bc_id, store_id, customer_id, code: title, title, person: customerName }
  },
  lives: previewLives,
  mayBegin: async (tx, tenant, id) => (await itemsOf(tx, tenant, id)).items.length > 0,
  needsPassword: async (tx, tenant, id) =>
    (await itemsOf(tx, tenant, id)).items.some((i) => i.kind === 'quotation'),
  async madeBy(tx, call, id) {
    const { nickname, tenant } = call.user
    const v = (await previewOf(tx, wholeGroup(tenant), id, true))!
    await updatePreview(tx, tenant, { ...v, state: sent, by: nickname })
  },
  async shows(tx, link, key, now) {
    const { items } = await itemsOf(tx, link.tenant, link.target_id)
    for (const i of items)
      if (i.kind === 'case' && (await publicPicture(tx, link.tenant, i.target_id, key, 'link', now)))
        return true
    return false
  },
  async opened(tx, link) {
    const { target_id, tenant } = link
    const cases = (await itemsOf(tx, tenant, target_id)).items.filter((i) => i.kind === 'case')
    const ids = cases.map((i) => i.target_id)
    // What is not shown any more is not looked at.
    const shown = ids.length ? await publicCases(tx, tenant, 'link', tx.now, { ids }) : []
    await countOpenings(
      tx,
      tenant,
      shown.map((k) => k.id),
    )
    await tellOpened(tx, link)
  },
}
