import { TAKE_BACK_S } from '@zhuguan/contract/features/threads/thread-page.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { invalid, refuse } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { tell } from '../live/live.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { clocksOf } from '../settings/business-time.reads.ts'
import {
  addLine,
  eraseLine,
  keepThread,
  type Line,
  type NewLine,
  type Thread,
  type ThreadHome,
  threadOf,
  unanswered,
} from './threads.queries.ts'

/** A call of staff, or behind a link. */
export type Speaker = Pick<Call, 'log' | 'newId' | 'now' | 'user'>
type Home = Pick<ThreadHome, 'id' | 'bc_id' | 'ws_name' | 'manager_id' | 'steward_id'>

/** The part that every message about a thread has in common. */
export const noticeOf = (home: { id: string; bc_id: string }) => ({
  link: linkTo('OwnerInteract', { site_id: home.id }),
  cause: { kind: 'thread', id: home.id } as const,
  place: { bc_id: home.bc_id, site_id: home.id },
})
export const namedIn = (home: Pick<Home, 'manager_id' | 'steward_id'>) => ({
  steward: home.steward_id,
  manager: home.manager_id,
})

/**
 * What is waited for is read from the lines: the first word of the home that nobody of us has spoken after. Its clock
 * runs on while it is the same.
 */
export async function standing(
  tx: Tx,
  tenant: string,
  home: Home,
  { newest, was }: { newest: number; was: Thread | undefined },
): Promise<boolean> {
  const first = await unanswered(tx, tenant, home.id)
  const of = { tenant, home, newest }
  if (!first) await keepThread(tx, of, null)
  else if (was?.waiting_from === first.seq && was.due_at && was.late_at) {
    const same = { since: first.at, from: first.seq, due: was.due_at, late: was.late_at }
    await keepThread(tx, of, same)
  } else {
    const clocks = await clocksOf(tx, 'replyHours', [{ tenant, bc: home.bc_id }])
    const due = clocks.due(home.bc_id, first.at)
    await keepThread(tx, of, {
      since: first.at,
      from: first.seq,
      due,
      late: clocks.due(home.bc_id, due),
    })
  }
  return first !== undefined
}

/** One more line in the thread of a home that is locked; who looks is told, and the timeline that it was said. */
export async function speak(
  tx: Tx,
  call: Speaker,
  home: Home,
  line: Omit<NewLine, 'id' | 'seq'>,
  title: string,
): Promise<{ id: string; seq: number }> {
  const { tenant } = call.user
  if (!line.words && line.pictures.length === 0) throw invalid('words', '请写点什么，或选一张照片')
  const was = await threadOf(tx, tenant, home.id)
  const [id, seq] = [call.newId(), (was?.newest ?? 0) + 1]
  await addLine(tx, tenant, home, { ...line, id, seq })
  await standing(tx, tenant, home, { newest: seq, was })
  tell(tx, call, {
    topic: 'thread',
    bc: home.bc_id,
    site: home.id,
    id: home.id,
    line: { kind: 'owner', title, ref: id },
  })
  return { id, seq }
}

/** The home has said something: who keeps it hears. */
export const tellSteward = (tx: Tx, call: Speaker, home: Home, why: string) =>
  passTurn(tx, 'thread', 'hear', {
    ...noticeOf(home),
    tenant: call.user.tenant,
    actor: call.user.id || undefined,
    named: namedIn(home),
    title: `${home.ws_name} 的业主${why}，请回复`,
  })

/** A line leaves its place and nothing else: what it answered waits again, and what it asked does not. */
export async function eraseOwn(tx: Tx, call: Speaker, home: Home, line: Line): Promise<void> {
  const { tenant } = call.user
  await eraseLine(tx, tenant, line.id)
  const was = await threadOf(tx, tenant, home.id)
  const waits = await standing(tx, tenant, home, { newest: was?.newest ?? 0, was })
  await call.log(tx, {
    action: '撤回留言',
    object: 'thread',
    objectId: home.id,
    after: { site_id: home.id, side: line.side },
  })
  tell(tx, call, { topic: 'thread', bc: home.bc_id, site: home.id, id: home.id })
  const told = { ...noticeOf(home), tenant, named: namedIn(home), title: '' }
  if (!waits) await passTurn(tx, 'thread', 'quiet', told)
  else if (!was?.waiting_since) await tellSteward(tx, call, home, '的留言没有回复了（刚才的回复已撤回）')
}

/** The reason why these words stay. */
export function unlessOwn(line: Line, isMine: boolean, now: Date): void {
  refuse(isMine && line.kind !== 'silence' ? undefined : '只能撤回自己写的留言')
  refuse(line.isTaken ? '这条留言已经撤回' : undefined)
  refuse(
    now.getTime() - line.at.getTime() > TAKE_BACK_S * 1000
      ? '已经发出超过 2 分钟，不能撤回；说错了请再写一条'
      : undefined,
  )
}
