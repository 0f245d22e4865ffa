import { isShared, type LinkKindName } from '@zhuguan/contract/features/links/links.record.ts'

import type { Tx } from '../../database/connect.ts'
import type { LinkTarget } from '../../kit/link-kind.ts'
import { found, Refused } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { tellChange } from '../live/live.service.ts'
import { lockSecret, renewSecret } from './links.queries.ts'
import { derivedToken } from './links.service.ts'

interface Given {
  id: string
  kind: LinkKindName
  of: LinkTarget
}
interface Told {
  token: string
  expiresAt: number
}
const ONCE = '这种链接只在生成时显示一次，请收回后另发一个'
const ELSEWHERE = '这个链接是在另一台服务器上生成的，复制不出来，请换新链接'

/** Whoever watches the list of what was sent sees that it changed. */
export function tellShared(
  tx: Tx,
  tenant: string,
  { bc, id, kind }: { bc: string; id: string; kind: LinkKindName },
): void {
  if (isShared(kind)) tellChange(tx, tenant, { topic: 'share', bc, site: null, id })
}

async function held(tx: Tx, call: Call, id: string) {
  const link = found(await lockSecret(tx, call.user.tenant, id))
  if (link.generation === null) throw new Refused(ONCE)
  if (!link.live) throw new Refused('这个链接已经收回或过期，请新建一个')
  return { ...link, generation: link.generation }
}
const lineOf = ({ kind, of }: Given, link: { person: string; generation: number }) => ({
  kind,
  of: of.code,
  person: link.person,
  generation: link.generation,
})

/** The link once more, for who may make it; the log says who had it. */
export async function copySecret(tx: Tx, call: Call, secretKey: Buffer, given: Given): Promise<Told> {
  const { tenant } = call.user
  const link = await held(tx, call, given.id)
  const { hash, token } = derivedToken(secretKey, { tenant, id: given.id, generation: link.generation })
  if (!hash.equals(link.hash)) throw new Refused(ELSEWHERE)
  await call.log(tx, { action: '复制链接', object: 'link', objectId: given.id, after: lineOf(given, link) })
  return { token, expiresAt: link.expiresAt }
}

/** Another link takes its place: who has the one before is told nothing any more. */
export async function renewLink(tx: Tx, call: Call, secretKey: Buffer, given: Given): Promise<Told> {
  const { tenant } = call.user
  const { id } = given
  const link = await held(tx, call, id)
  const generation = link.generation + 1
  const { hash, token } = derivedToken(secretKey, { tenant, id, generation })
  await renewSecret(tx, tenant, id, { generation, hash })
  await call.log(tx, {
    action: '换新链接',
    object: 'link',
    objectId: id,
    before: { generation: link.generation },
    after: lineOf(given, { ...link, generation }),
  })
  tellShared(tx, tenant, { bc: given.of.bc_id, id, kind: given.kind })
  return { token, expiresAt: link.expiresAt }
}
