import type { PublicCase } from '@zhuguan/contract/features/cases/cases.record.ts'
import { roomKind } from '@zhuguan/contract/features/packages/packages.record.ts'
import type { SharedQuotation } from '@zhuguan/contract/features/quotations/shared-quotation.record.ts'
import { previewItemKind } from '@zhuguan/contract/features/shares/previews.record.ts'
import type { NearSite, SharedPackage } from '@zhuguan/contract/features/shares/share-page.record.ts'
import { siteStage, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Tx } from '../../database/connect.ts'
import { int2, int4, row, text, uuid } from '../../kit/row.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { TODAY } from '../../kit/statement.ts'
import { publicCases } from '../cases/cases.reads.ts'
import { endedBecause, packageItems, packageOf } from '../packages/packages.reads.ts'
import { sharedQuotation } from '../quotations/quotations.reads.ts'
import { itemsOf } from './previews.queries.ts'

/** All that a link of a customer may show. */
export interface Composed {
  words: string
  quotation: SharedQuotation | null
  cases: PublicCase[]
  sites: NearSite[]
  package: SharedPackage | null
}
const kinds = previewItemKind.code
const { building, finished } = siteStatus.code

/**
 * Homes of the group as anybody may know them: community, stage, days, style. Nothing of it finds a home; what is not
 * begun, and what ended before it was done, is not shown.
 */
export async function nearSitesOf(tx: Tx, tenant: string, ids: readonly string[]): Promise<NearSite[]> {
  if (ids.length === 0) return []
  const { rows } = await tx.query(
    'shares.sites',
    row<NearSite>({
      id: uuid,
      community: text,
      status: int2.of(siteStatus),
      stage: text.of(siteStage).null,
      days: int4.null,
      style: text,
    }),
    `SELECT w.id, w.community, w.status, w.stage,
       coalesce(w.actual_finish, ${TODAY}) - w.start_date + 1 AS days, w.style
     FROM sites w
     WHERE w.tenant_id = $1 AND w.id = ANY ($2::uuid[]) AND w.deleted_at IS NULL AND w.community <> ''
       AND w.status IN (${building}, ${finished})`,
    [tenant, ids],
  )
  return inOrder(rows, ids)
}
const inOrder = <T extends { id: string }>(rows: readonly T[], ids: readonly string[]): T[] =>
  ids.flatMap((id) => rows.filter((r) => r.id === id))

async function packageFor(tx: Tx, tenant: string, id: string | undefined): Promise<SharedPackage | null> {
  const one = id && (await packageOf(tx, wholeGroup(tenant), id))
  if (!one || endedBecause(one, shanghaiDay(tx.now))) return null
  const items = await packageItems(tx, tenant, one.id)
  return {
    name: one.name,
    perSquareMetre: one.perSquareMetre,
    leastArea: one.leastArea,
    items: items.map((i) => ({ room: roomKind.label(i.room), name: i.name, detail: i.detail })),
  }
}

/**
 * The items that a preview shows now: what lost its consent or ended is not among it. `prices`: its link has a
 * password.
 */
export async function composedOf(
  tx: Tx,
  tenant: string,
  { id, prices }: { id: string; prices: boolean },
): Promise<Composed> {
  const { items, words } = await itemsOf(tx, tenant, id)
  const of = (kind: string) => items.filter((i) => i.kind === kind).map((i) => i.target_id)
  const cases = of(kinds.case)
  const [quotation] = of(kinds.quotation)
  return {
    words,
    cases: cases.length ? inOrder(await publicCases(tx, tenant, 'link', tx.now, { ids: cases }), cases) : [],
    sites: await nearSitesOf(tx, tenant, of(kinds.site)),
    package: await packageFor(tx, tenant, of(kinds.package)[0]),
    quotation: prices && quotation ? ((await sharedQuotation(tx, tenant, quotation, tx.now)) ?? null) : null,
  }
}
