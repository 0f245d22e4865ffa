import type { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { SiteRow } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { found, invalid, Refused } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { makeSignatories } from './home-contacts.service.ts'
import { lockSite, ownerOf } from './sites.queries.ts'
import { ownerByPhone } from './sites.reads.ts'

type Facts = BodyOf<(typeof sitesApi)['add']>
export interface Owner {
  name: string
  phone: string
  /** The version of the notice that they were given. */
  notice?: string
}
/** The owner that a form names; nobody is known by a number alone. */
export function ownerIn({ owner = '', ownerPhone }: Pick<Facts, 'owner' | 'ownerPhone'>): Owner | undefined {
  if (!owner && ownerPhone) throw invalid('owner', '填了电话，请同时填业主姓名')
  return owner ? { name: owner, phone: ownerPhone } : undefined
}

/** The record of this person in a branch: who is known there by the number is nobody new. */
async function ownerFor(tx: Tx, call: Call, bc: string, named: Owner): Promise<string> {
  const { tenant } = call.user
  const known = named.phone ? await ownerByPhone(tx, tenant, bc, named.phone) : undefined
  if (known) {
    if (known.name !== named.name)
      throw new Refused(`这个号码在本分公司登记的是“${known.name}”，请核对姓名和电话`)
    return known.id
  }
  const id = call.newId()
  await tx.run(
    'sites.newowner',
    'INSERT INTO owners (tenant_id, id, bc_id, name, phone) VALUES ($1, $2, $3, $4, $5)',
    [tenant, id, bc, named.name, named.phone],
  )
  return id
}

/**
 * The owner as the site's form says; the id of one who is new here, else null. Only where nobody is named: a name that
 * was written wrong is corrected, another owner is another person; both are commands of their own (features/owners).
 */
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
  if (known && !named) throw invalid('owner', '业主姓名不能清空')
  if (!named) return null
  if (!known) return ownerFor(tx, call, site.bc_id, named)
  if (named.name !== known.name)
    throw invalid('owner', '换了业主请在“业主信息”用“更换业主”；姓名写错请用“更正业主”')
  if (named.phone && known.phone && named.phone !== known.phone)
    throw invalid('ownerPhone', '业主的电话变了，请在“业主信息”用“更正业主”')
  if (named.phone && !known.phone) await correctOwner(tx, call, known.id, named)
  return null
}

/** A site gets an owner, who signs for it. Its row is locked. */
export async function setOwner(
  tx: Tx,
  call: Call,
  site: { id: string; bc_id: string },
  named: Owner,
): Promise<void> {
  const owner = await ownerFor(tx, call, site.bc_id, named)
  await tx.run(
    'sites.setowner',
    'UPDATE sites SET owner_id = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, site.id, owner],
  )
  makeSignatories(tx, call, [site.id])
}

/** The same person by another name or number; a number that is somebody else’s in the branch is refused. */
export async function correctOwner(tx: Tx, call: Call, id: string, to: Owner): Promise<void> {
  const { rowCount } = await tx.run(
    'sites.ownernamed',
    `UPDATE owners o
     SET name = $3, phone = $4
     WHERE o.tenant_id = $1 AND o.id = $2
       AND ($4 = '' OR NOT EXISTS (SELECT 1 FROM owners x
         WHERE x.tenant_id = $1 AND x.bc_id = o.bc_id AND x.phone = $4 AND x.id <> o.id))`,
    [call.user.tenant, id, to.name, to.phone],
  )
  if (!rowCount) throw invalid('phone', '这个号码在本分公司是另一位业主的，请核对')
  // On every home of theirs: whoever has seen the name of before has seen another version.
  await tx.run(
    'sites.ownerseen',
    `UPDATE home_contacts h
     SET version = h.version + 1, changed_by = $3, changed_at = :now
     WHERE h.tenant_id = $1 AND h.owner_id = $2 AND h.ended_at IS NULL`,
    [call.user.tenant, id, call.user.nickname],
  )
}

/** The owner of a site was told how their data are used, and by which words. */
export const keepNotice = (tx: Tx, call: Call, site: string, version: string) =>
  tx.run(
    'sites.ownertold',
    `UPDATE owners o SET notice = $3
     FROM sites w
     WHERE o.tenant_id = $1 AND w.tenant_id = $1 AND w.id = $2 AND o.id = w.owner_id`,
    [call.user.tenant, site, version],
  )

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
