import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { LINK_POWERS, type LinkKindName } from '@zhuguan/contract/features/links/links.record.ts'

import type { LinkKinds, LinkTarget } from '../../kit/link-kind.ts'
import { reachOf } from '../../kit/reach.ts'
import { found, Refused } from '../../kit/refuse.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { protect, travelling } from '../session/passwords.service.ts'
import { addLink, countAlive, linksOf, revokeLink, targetOf } from './links.queries.ts'
import { type LinkDoor, newToken } from './links.service.ts'

const HOUR_MS = 3_600_000
/** Of one record; who needs more has lost sight of them. */
const MOST_ALIVE = 20

export function linksFeature({ door, kinds }: { door: LinkDoor; kinds: LinkKinds }) {
  /** The target in the reach of whoever may make links of the kind, and the call in the reach of the target. */
  async function at(call: Call, kind: LinkKindName, id: string): Promise<{ of: LinkTarget; own: Call }> {
    const scope = found(reachOf(call.user, ...LINK_POWERS[kind]))
    const of = found(await call.read((tx) => kinds[kind]!.find(tx, scope, id)))
    const { id: user, tenant } = call.user
    const receivers = of.receiver_id ? { receivers: [of.receiver_id] } : {}
    return { of, own: call.within({ tenant, user, bcs: [of.bc_id], sites: null, ...receivers }) }
  }
  return serve(linksApi, {
    async create({ body }, call) {
      const { of, own } = await at(call, body.kind, body.target_id)
      const { tenant } = call.user
      const { hash, token } = newToken(tenant)
      const expiresAt = new Date(call.now().getTime() + body.hours * HOUR_MS)
      const password = body.password ? await protect(travelling(body.password)) : null
      const id = call.newId()
      await own.write(async (tx) => {
        if (!(await kinds[body.kind]!.lives(tx, tenant, body.target_id)))
          throw new Refused('这张单已经取消或退回，不能再发链接')
        if ((await countAlive(tx, tenant, body.kind, body.target_id)) >= MOST_ALIVE)
          throw new Refused(`这张单已有 ${MOST_ALIVE} 个能打开的链接，请先收回不用的`)
        const { kind, most, person, target_id: target } = body
        await addLink(tx, {
          tenant,
          id,
          bc: of.bc_id,
          kind,
          target,
          hash,
          expiresAt,
          most,
          password,
          person,
          by: call.user,
        })
        await own.log(tx, {
          action: '新建链接',
          object: 'link',
          objectId: id,
          after: {
            kind,
            of: of.code,
            person,
            expiresAt: Math.floor(expiresAt.getTime() / 1_000),
            most,
            password: password ? '有' : '无',
          },
        })
      })
      return { id, token, expiresAt: Math.floor(expiresAt.getTime() / 1_000) }
    },
    async list({ query }, call) {
      const { own } = await at(call, query.kind, query.target_id)
      return own.read((tx) => linksOf(tx, call.user.tenant, query.kind, query.target_id))
    },
    async revoke({ body }, call) {
      const { tenant } = call.user
      const link = found(
        await call
          .within({ tenant, user: call.user.id, bcs: null, sites: null })
          .read((tx) => targetOf(tx, tenant, body.id)),
      )
      const { of, own } = await at(call, link.kind, link.target_id)
      if (!link.live) throw new Refused('这个链接已经收回了')
      await own.write(async (tx) => {
        await revokeLink(tx, tenant, body.id)
        await own.log(tx, {
          action: '收回链接',
          object: 'link',
          objectId: body.id,
          after: { kind: link.kind, of: of.code },
        })
      })
      return null
    },
    open: ({ body }, call) => door.open(call, body),
    async painted({ body }, call) {
      await door.painted(call, body)
      return null
    },
  })
}
