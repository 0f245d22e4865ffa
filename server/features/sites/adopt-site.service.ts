import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Tx } from '../../database/connect.ts'
import { found, refuse } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { makeSignatories } from './home-contacts.service.ts'
import { writeOwner } from './site-owner.service.ts'
import { lockSite, ownerOf } from './sites.queries.ts'
import { ownerByPhone } from './sites.reads.ts'

const { building, notStarted } = siteStatus.code

/**
 * A site that is there before its contract: imported, or begun outside of one. It gets the customer as its owner where
 * it has none; another owner is never replaced by that.
 */
export async function adoptSite(
  tx: Tx,
  call: Call,
  of: { id: string; bc_id: string; name: string; phone: string; contract: string },
): Promise<{ id: string; code: string }> {
  const { tenant, scope } = call.user
  const site = found(await lockSite(tx, scope, of.id))
  refuse(site.bc_id === of.bc_id ? undefined : '这个工地属于另一个分公司，请先转分公司')
  refuse(
    site.status === building || site.status === notStarted
      ? undefined
      : `工地“${site.ws_name}”是“${siteStatus.label(site.status)}”，不能再签约`,
  )
  refuse(site.contract ? `工地已有有效合同 ${site.contract}` : undefined)
  const owner = await ownerOf(tx, tenant, site.id)
  refuse(
    owner && owner.phone !== '' && owner.phone !== of.phone
      ? `工地“${site.ws_name}”的业主电话和客户的不一样，请先核对`
      : undefined,
  )
  const isSame = owner?.phone === of.phone
  const known = owner ? undefined : await ownerByPhone(tx, tenant, of.bc_id, of.phone)
  const written = { owner: of.name, ownerPhone: of.phone }
  const owner_id = isSame ? null : (known?.id ?? (await writeOwner(tx, call, site, written)))
  await tx.run(
    'sites.adopted',
    `UPDATE sites SET owner_id = coalesce($3, owner_id), contract = $4, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, site.id, owner_id, of.contract],
  )
  makeSignatories(tx, call, [site.id])
  return { id: site.id, code: site.code }
}
