import { type SharedKind, SHARED_KINDS } from '@zhuguan/contract/features/links/links.record.ts'
import type { SharePage } from '@zhuguan/contract/features/shares/share-page.record.ts'
import { shareSection } from '@zhuguan/contract/features/shares/shares.record.ts'
import type { Code } from '@zhuguan/contract/kit/codes.ts'

import type { Tx } from '../../database/connect.ts'
import { found } from '../../kit/refuse.ts'
import { publicCases } from '../cases/cases.reads.ts'
import { headOf } from '../companies/companies.reads.ts'
import { sharedQuotation } from '../quotations/quotations.reads.ts'
import { type Composed, composedOf } from './composed.ts'
import { frameOf } from './shares.queries.ts'

/** The subject of a link of each kind: one thing of its own, or what somebody composed. */
const SHOWN: Record<SharedKind, (tx: Tx, link: ShownThing) => Promise<Composed>> = {
  async share(tx, { target_id, tenant }) {
    const cases = await publicCases(tx, tenant, 'link', tx.now, { ids: [target_id] })
    return { ...NOTHING, cases }
  },
  async quotation(tx, { target_id, tenant }) {
    return { ...NOTHING, quotation: found(await sharedQuotation(tx, tenant, target_id, tx.now)) }
  },
  preview: (tx, { hasPassword, target_id, tenant }) =>
    composedOf(tx, tenant, { id: target_id, prices: hasPassword }),
}
const NOTHING: Composed = { words: '', quotation: null, cases: [], sites: [], package: null }

interface ShownThing {
  tenant: string
  target_id: string
  hasPassword: boolean
}
export interface SharedLink extends ShownThing {
  id: string
  kind: SharedKind
  bc_id: string
}
export const isSharedKind = (kind: string): kind is SharedKind => SHARED_KINDS.some((k) => k === kind)

/** What stands on the page, for whoever holds the link; asked anew each time. */
export async function sharePageOf(tx: Tx, link: SharedLink): Promise<SharePage> {
  const frame = await frameOf(tx, link.tenant, link.id)
  const head = await headOf(tx, link.tenant, link.bc_id)
  return {
    kind: link.kind,
    title: frame.title,
    company: head.name,
    companyPhone: head.phone,
    maker: frame.shownMaker,
    person: frame.person,
    expiresAt: frame.expiresAt,
    at: Math.floor(tx.now.getTime() / 1_000),
    ...shownOutside(await SHOWN[link.kind](tx, link)),
  }
}

type Section = Code<typeof shareSection>
const { contact } = shareSection.code
const STANDS: Record<Section, (on: Composed) => boolean> = {
  total: (on) => on.quotation !== null,
  lines: (on) => !!on.quotation?.lines.length,
  cases: (on) => on.cases.length > 0,
  pictures: (on) => on.cases.some((k) => k.pictures.length > 0),
  sites: (on) => on.sites.length > 0,
  package: (on) => on.package !== null,
  contact: () => true,
}
/** Of the parts that a page says were looked at, those that its link really shows. */
export async function sectionsOn(tx: Tx, link: SharedLink, said: readonly Section[]): Promise<Section[]> {
  // Every page has a way to ask for more.
  if (said.every((part) => part === contact)) return [...said]
  const shown = await SHOWN[link.kind](tx, link)
  return said.filter((part) => STANDS[part](shown))
}

/** The same of what is still being composed: whoever composes it sees it as its customer would. */
export async function pageOfPreview(
  tx: Tx,
  tenant: string,
  v: { id: string; bc_id: string; title: string; customerName: string; makerName: string },
): Promise<SharePage> {
  const head = await headOf(tx, tenant, v.bc_id)
  const at = Math.floor(tx.now.getTime() / 1_000)
  return {
    kind: 'preview',
    title: v.title,
    company: head.name,
    companyPhone: head.phone,
    maker: v.makerName,
    person: v.customerName,
    expiresAt: at,
    at,
    ...shownOutside(await composedOf(tx, tenant, { id: v.id, prices: true })),
  }
}

/** What is ours alone stays here: where a home is and whose branch it is of. */
const shownOutside = ({ cases, ...rest }: Composed) => ({
  ...rest,
  cases: cases.map(({ bc_id: _bc, site_id: _site, ...open }) => open),
})
