import type { Call } from '../../kit/serve.ts'
import type { Tx } from '../../kit/tx.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { namedIn, noticeOf, speak } from './speaking.service.ts'
import { homeOf, threadOf } from './threads.queries.ts'

/** Who asked is not of this home any more: nobody waits for an answer. */
export async function endWaiting(tx: Tx, call: Call, site: string, why: string): Promise<void> {
  const { tenant } = call.user
  const home = await homeOf(tx, call.user.scope, site, true)
  const thread = home && (await threadOf(tx, tenant, site))
  if (!home || !thread?.waiting_since) return
  const line = {
    kind: 'silence',
    side: 'staff',
    channel: 'page',
    who: '系统',
    contact_id: null,
    user_id: null,
    post: '',
    words: why,
    pictures: [],
  } as const
  await speak(tx, call, home, line, '业主留言无需回复')
  const told = { ...noticeOf(home), tenant, named: namedIn(home), title: '' }
  await passTurn(tx, 'thread', 'silence', told)
}

/** Others keep this home now, by whatever way: what waits is told to them, with the clock that runs. */
export async function followThread(
  tx: Tx,
  call: Call,
  site: { id: string; ws_name: string; bc_id: string; manager_id: string | null; steward_id: string | null },
  why: string,
): Promise<void> {
  const { id: me, tenant } = call.user
  const thread = await threadOf(tx, tenant, site.id)
  if (!thread?.waiting_since) return
  await passTurn(tx, 'thread', 'hand', {
    ...noticeOf(site),
    tenant,
    actor: me,
    named: namedIn(site),
    title: `${site.ws_name} 的业主留言还没有回复，由您接着回复（${why}）`,
  })
}
