import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'

import { row, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import type { Tx } from '../../kit/tx.ts'
import { tell } from '../live/live.service.ts'
import { settle } from '../notifications/notifications.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { addEntry, namedIn, noticeOf, whatOf } from './promises.ledger.ts'
import { lockOpen, type LockedPromise } from './promises.queries.ts'

/** Somebody else answers for it from now on; when it was so stays in the ledger. */
export async function handPromise(
  tx: Tx,
  call: Call,
  p: LockedPromise,
  to: { id: string | null },
  why: string,
  /** Whoever has it now is told of all that is handed to them at once. */
  untold?: 'untold',
): Promise<void> {
  const { tenant } = call.user
  await tx.run(
    'promises.hand',
    `UPDATE promises
     SET responsible_id = $3, changed_by = $4, changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, p.id, to.id, call.user.nickname],
  )
  await addEntry(tx, call, p.id, { act: 'hand', text: why, from: p.responsible_id, to: to.id })
  await call.log(tx, {
    action: '承诺换责任人',
    object: 'promise',
    objectId: p.id,
    before: { responsible_id: p.responsible_id },
    after: { content: p.content, site_id: p.site_id, responsible_id: to.id, text: why },
  })
  tell(tx, call, {
    topic: 'promise',
    bc: p.bc_id,
    site: p.site_id,
    id: p.id,
    ...(untold ? { line: { kind: 'promise', title: `承诺“${p.content}”：${why}` } } : {}),
  })
  if (untold) return settle(tx, tenant, noticeOf(p).cause)
  await passTurn(tx, 'promise', 'hand', {
    ...noticeOf(p),
    tenant,
    actor: call.user.id,
    named: namedIn(to.id),
    title: `${whatOf(p)}（${p.due} 到期）${to.id ? '转给您' : '没有人负责'}：${why}`,
  })
}

/** Who answers for a home that was handed over: what was handed to them stays theirs, whoever holds the posts. */
async function aftercareAt(tx: Tx, call: Call, site: string): Promise<string | null> {
  const { rows } = await tx.query(
    'promises.aftercare',
    row({ aftercare_id: uuid.null }),
    'SELECT w.aftercare_id FROM sites w WHERE w.tenant_id = $1 AND w.id = $2',
    [call.user.tenant, site],
  )
  return rows[0]?.aftercare_id ?? null
}

/** The posts of a site are held by these now: what is promised there goes with the post. */
export async function followPosts(
  tx: Tx,
  call: Call,
  site: { id: string; steward_id: string | null; manager_id: string | null },
  why: string,
): Promise<void> {
  const aftercare = await aftercareAt(tx, call, site.id)
  for (const p of await lockOpen(tx, call.user.scope, { site: site.id })) {
    if (aftercare && p.responsible_id === aftercare) continue
    const holder = p.post === principalPost.code.steward ? site.steward_id : site.manager_id
    if (holder !== p.responsible_id) await handPromise(tx, call, p, { id: holder }, why)
  }
}
