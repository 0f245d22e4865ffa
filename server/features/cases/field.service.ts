import { caseWhere, type FieldCase } from '@zhuguan/contract/features/cases/cases.record.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import { reachOf } from '../../kit/reach.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { hasPlace, wholeGroup } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { AGREED_PICTURE, IS_PUBLIC, publicCases } from './cases.reads.ts'

const { store } = caseWhere.code
/**
 * A showroom shows homes of every branch, as far as their people agreed to it and no further: whoever looks has no more
 * of them than a visitor. The way to a site itself is only for who sees the site anyway.
 */
export async function shownInStore(call: Call): Promise<{ at: number; list: FieldCase[] }> {
  const { tenant } = call.user
  const sites = reachOf(call.user, pageLabel('SiteInfo'))
  return call.within(wholeGroup(tenant)).read(async (tx) => {
    const list = await publicCases(tx, tenant, store, call.now())
    const { rows } = await tx.query(
      'cases.companies',
      row({ bc_id: uuid, bc_name: text }),
      'SELECT c.bc_id, c.bc_name FROM companies c WHERE c.tenant_id = $1 AND c.bc_id = ANY ($2::uuid[])',
      [tenant, [...new Set(list.map((k) => k.bc_id))]],
    )
    const names = new Map(rows.map((r) => [r.bc_id, r.bc_name]))
    return {
      at: Math.floor(call.now().getTime() / 1000),
      list: list.map((k) => ({
        ...k,
        bc_name: names.get(k.bc_id) ?? '',
        inReach: !!sites && hasPlace(sites, k.bc_id, k.site_id),
      })),
    }
  })
}

/** Whether this rendition is shown in stores now; asked at every byte. */
export async function storePicture(call: Call, key: string): Promise<boolean> {
  const { tenant } = call.user
  if (!reachOf(call.user, pageLabel('CaseField'))) return false
  return call.within(wholeGroup(tenant)).read(async (tx) => {
    const { rows } = await tx.query(
      'cases.storepicture',
      row({ id: uuid }),
      `SELECT p.id
       FROM case_pictures p
       JOIN cases k ON k.tenant_id = $1 AND k.id = p.case_id
       JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
       WHERE p.tenant_id = $1 AND p.masked_picture = $4 AND ${AGREED_PICTURE} AND ${IS_PUBLIC}`,
      [tenant, store, shanghaiDay(call.now()), key],
    )
    return rows.length > 0
  })
}
