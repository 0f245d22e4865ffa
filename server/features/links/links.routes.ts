import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { LINK_HOURS, LINK_POWERS, type LinkKindName } from '@zhuguan/contract/features/links/links.record.ts'

import type { LinkKinds, LinkTarget } from '../../kit/link-kind.ts'
import { reachOf } from '../../kit/reach.ts'
import { found, invalid, outside, refuse, Refused } from '../../kit/refuse.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { type FileStore, smaller } from '../files/files.service.ts'
import { protect, travelling } from '../session/passwords.service.ts'
import { addLink, countAlive, linksOf, revokeAll, revokeLink, targetOf } from './links.queries.ts'
import { type LinkDoor, newToken } from './links.service.ts'

const HOUR_MS = 3_600_000
/** Of one record; who needs more has lost sight of them. */
const MOST_ALIVE = 20

export function linksFeature({ door, files, kinds }: { door: LinkDoor; files: FileStore; kinds: LinkKinds }) {
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
      const kind = kinds[body.kind]!
      const { most, usual } = LINK_HOURS[body.kind]
      if (body.hours && body.hours > most) throw invalid('hours', `最多有效 ${most / 24} 天`)
      const password = body.password ? await protect(travelling(body.password)) : null
      const id = call.newId()
      return own.write(async (tx) => {
        if (!(await kind.lives(tx, tenant, body.target_id)))
          throw new Refused('这张单已经取消或退回，不能再发链接')
        if (kind.held && (await kind.held(tx, tenant, body.target_id)) !== of.bc_id)
          throw new Refused('刚刚转到了另一个分公司，请刷新后再发链接')
        const latest = await kind.until?.(tx, tenant, body.target_id)
        const asked = call.now().getTime() + (body.hours ?? usual) * HOUR_MS
        const expiresAt = new Date(Math.min(asked, latest?.getTime() ?? asked))
        if (expiresAt <= call.now()) throw new Refused('保修期已经结束，或者合同终止已满 30 天，不能再发链接')
        const alive = await countAlive(tx, tenant, body.kind, body.target_id)
        await kind.madeBy?.(tx, own, body.target_id)
        if (kind.alone) await revokeAll(tx, tenant, body.kind, [body.target_id])
        else if (alive >= MOST_ALIVE)
          throw new Refused(`这张单已有 ${MOST_ALIVE} 个能打开的链接，请先收回不用的`)
        const { most: openings, target_id: target } = body
        const person = of.person ?? body.person
        await addLink(tx, {
          tenant,
          id,
          bc: of.bc_id,
          kind: body.kind,
          target,
          hash,
          expiresAt,
          most: openings,
          password,
          person,
          by: call.user,
        })
        await own.log(tx, {
          action: '新建链接',
          object: 'link',
          objectId: id,
          after: {
            kind: body.kind,
            of: of.code,
            person,
            expiresAt: Math.floor(expiresAt.getTime() / 1_000),
            most: openings,
            password: password ? '有' : '无',
          },
        })
        return { id, token, expiresAt: Math.floor(expiresAt.getTime() / 1_000) }
      })
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
      await own.write(async (tx) => {
        refuse(link.live ? undefined : '这个链接已经收回了')
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
