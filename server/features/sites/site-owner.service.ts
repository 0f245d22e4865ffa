import type { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { SiteRow } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { found, invalid } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { lockSite, ownerOf } from './sites.queries.ts'

type Facts = BodyOf<(typeof sitesApi)['add']>
export interface Owner {
  name: string
  phone: string
}
/** The owner that a form names; nobody is known by a number alone. */
export function ownerIn({ owner = '', ownerPhone }: Pick<Facts, 'owner' | 'ownerPhone'>): Owner | undefined {
  if (!owner && ownerPhone) throw invalid('owner', '填了电话，请同时填业主姓名')
  return owner ? { name: owner, phone: ownerPhone } : undefined
}

/** The owner as the form says; the id of one who is new here, else null. */
export async function writeOwner(
  tx: Tx,
  call: Call,
  site: SiteRow,
  body: Pick<Facts, 'owner' | 'ownerPhone'>,
): Promise<string | null> {
  if (body.owner === undefined) return null
  const { tenant } = call.user
  const known = await ownerOf(tx, tenant, site.id)
  const named = ownerIn(body)
  if (known && !named) throw invalid('owner', '业主姓名不能清空，换了业主请直接改成新的姓名')
  if (!named) return null
  if (!known) {
    const id = call.newId()
    await tx.run(
      'sites.newowner',
      'INSERT INTO owners (tenant_id, id, bc_id, name, phone) VALUES ($1, $2, $3, $4, $5)',
      [tenant, id, site.bc_id, named.name, named.phone],
    )
    return id
  }
  if (named.name !== known.name || named.phone)
    await tx.run(
      'sites.ownernamed',
      `UPDATE owners SET name = $3, phone = CASE WHEN $4 = '' THEN phone ELSE $4 END
       WHERE tenant_id = $1 AND id = $2`,
      [tenant, known.id, named.name, named.phone],
    )
  return null
}

/** The owner's number for a reason; the look is in the log before the number leaves. */
export async function readOwnerPhone(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof sitesApi)['phone']>,
): Promise<{ phone: string }> {
  const site = found(await lockSite(tx, call.user.scope, body.id))
  const owner = found(await ownerOf(tx, call.user.tenant, site.id))
  await call.log(tx, {
    action: '查看业主电话',
    object: 'site',
    objectId: site.id,
    after: { ws_name: site.ws_name, owner: owner.name, reason: body.reason },
  })
  return { phone: owner.phone }
}
