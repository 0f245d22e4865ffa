import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { LINK_HOURS, LINK_POWERS, type LinkKindName } from '@zhuguan/contract/features/links/links.record.ts'

import type { LinkKinds, LinkTarget } from '../../kit/link-kind.ts'
import { reachOf } from '../../kit/reach.ts'
import { found, invalid, outside, refuse, Refused } from '../../kit/refuse.ts'
import { hasStore } from '../../kit/scoped.ts'
import { type Call, serve } from '../../kit/serve.ts'
import type { Scope, Tx } from '../../kit/tx.ts'
import { pickCustomers, unlessRefusing } from '../customers/customers.reads.ts'
import { type FileStore, smaller } from '../files/files.service.ts'
import { protect, travelling } from '../session/passwords.service.ts'
import { makeLink } from './link-making.service.ts'
import { copySecret, renewLink, tellShared } from './link-secrets.service.ts'
import { linksInReach, linksOf, revokeLink, targetOf } from './links.queries.ts'
import type { LinkDoor } from './links.service.ts'

interface Deps {
  door: LinkDoor
  files: FileStore
  kinds: LinkKinds
  secretKey: Buffer
}
export function linksFeature({ door, files, kinds, secretKey }: Deps) {
  /** The target in the reach of whoever may make links of the kind, and the call in the reach of the target. */
  async function at(
    call: Call,
    kind: LinkKindName,
    id: string,
  ): Promise<{ of: LinkTarget; own: Call; scope: Scope }> {
    const scope = found(reachOf(call.user, ...LINK_POWERS[kind]))
    const { id: user, tenant } = call.user
    const { beyond, find } = kinds[kind]!
    const group = call.within({ tenant, user, bcs: null, sites: null })
    const of = found(await (beyond ? group : call).read((tx) => find(tx, scope, id)))
    if (beyond) return { of, scope, own: group }
    const receivers = of.receiver_id ? { receivers: [of.receiver_id] } : {}
    return { of, scope, own: call.within({ tenant, user, bcs: [of.bc_id], sites: null, ...receivers }) }
  }
  const customerIn = async (call: Call, scope: Scope, id: string) => {
    const [one] = await call.within(scope).read((tx) => pickCustomers(tx, scope, { id }))
    if (!one) throw outside()
    return one
  }
  /** A link that was made, and what it leads to in the reach of whoever may make it. */
  async function given(call: Call, id: string) {
    const { tenant } = call.user
    const link = found(
      await call
        .within({ tenant, user: call.user.id, bcs: null, sites: null })
        .read((tx) => targetOf(tx, tenant, id)),
    )
    const place = await at(call, link.kind, link.target_id)
    // What may be of any branch says nothing of whose link it is.
    if (kinds[link.kind]!.beyond && !hasStore(place.scope, link.bc_id, link.store_id)) throw outside()
    return { ...link, ...place }
  }
  /** What leads nowhere any more is sent to nobody, nor is anything to who does not want to hear from us. */
  async function unlessOver(
    tx: Tx,
    call: Call,
    link: { kind: LinkKindName; target_id: string; customer_id: string | null },
  ) {
    const { tenant } = call.user
    const kind = kinds[link.kind]!
    if (kind.visits && !(await kind.lives(tx, tenant, link.target_id))) throw new Refused(kind.over!)
    await unlessRefusing(tx, tenant, link.customer_id)
  }
  return serve(linksApi, {
    async create({ body }, call) {
      const { of, own, scope } = await at(call, body.kind, body.target_id)
      const chosen = body.customer_id ? await customerIn(call, scope, body.customer_id) : undefined
      const kind = kinds[body.kind]!
      const { most } = LINK_HOURS[body.kind]
      if (body.hours && body.hours > most) throw invalid('hours', `最多有效 ${most / 24} 天`)
      const password = body.password ? await protect(travelling(body.password)) : null
      return own.write((tx) => makeLink(tx, { call, own, secretKey }, { chosen, kind, of, password }, body))
    },
    async copy({ body }, call) {
      const { of, own, ...link } = await given(call, body.id)
      return own.write(async (tx) => {
        await unlessOver(tx, call, link)
        return copySecret(tx, own, secretKey, { id: body.id, kind: link.kind, of })
      })
    },
    async renew({ body }, call) {
      const { of, own, ...link } = await given(call, body.id)
      return own.write(async (tx) => {
        await unlessOver(tx, call, link)
        return renewLink(tx, own, secretKey, { id: body.id, kind: link.kind, of })
      })
    },
    async list({ query }, call) {
      const { kind, target_id: target } = query
      const { own, scope } = await at(call, kind, target)
      return own.read(async (tx) => {
        const ids = kinds[kind]!.beyond ? await linksInReach(tx, scope, kind, target) : undefined
        return linksOf(tx, call.user.tenant, { kind, target, ...(ids && { ids }) })
      })
    },
    async revoke({ body }, call) {
      const { tenant } = call.user
      const { kind, live, of, own } = await given(call, body.id)
      await own.write(async (tx) => {
        refuse(live ? undefined : '这个链接已经收回了')
        await revokeLink(tx, tenant, body.id)
        await own.log(tx, {
          action: '收回链接',
          object: 'link',
          objectId: body.id,
          after: { kind, of: of.code },
        })
        tellShared(tx, tenant, { bc: of.bc_id, id: body.id, kind })
      })
      return null
    },
    open: ({ body }, call) => door.open(call, body),
    async picture({ body }, call) {
      const { device, key, size } = body
      const link = await door.look(call, body)
      const { id, target_id, tenant } = link
      const shown = { id, tenant, target_id, device }
      const own = call.within({ tenant, user: null, bcs: null, sites: null })
      if (!(await own.read(async (tx) => kinds[link.kind]!.shows?.(tx, shown, key, call.now()))))
        throw outside()
      const bytes = await smaller(files, key, size)
      call.reply
        .header('content-type', 'image/webp')
        .header('cache-control', 'no-store')
        .header('cross-origin-resource-policy', 'same-origin')
        .send(bytes)
    },
    async painted({ body }, call) {
      await door.painted(call, body)
      return null
    },
  })
}
