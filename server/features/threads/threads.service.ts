import { threadChannel, threadSide } from '@zhuguan/contract/features/threads/thread-page.record.ts'
import type { threadsApi } from '@zhuguan/contract/features/threads/threads.api.ts'
import { type ThreadDetail, threadOutcome } from '@zhuguan/contract/features/threads/threads.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { found, invalid, outside, overtaken, overtakenSaying, refuse, unlessSeen } from '../../kit/refuse.ts'
import { hasBranch } from '../../kit/scoped.ts'
import type { Call, SessionUser } from '../../kit/serve.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import { staffOf } from '../../kit/staff-of.ts'
import { type FileStore, hideAtHome, showAtHome } from '../files/files.service.ts'
import { tell } from '../live/live.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { unlessForgotten } from '../persons/forgotten.reads.ts'
import { promisedInThread } from '../promises/home-promises.service.ts'
import { eraseOwn, namedIn, noticeOf, speak, tellSteward, unlessOwn } from './speaking.service.ts'
import {
  addOutcome,
  contactsOf,
  homeOf,
  isRecordOf,
  keepTemplates,
  lineOf,
  newerThan,
  outcomesOf,
  picturesOfNothingElse,
  sinceOf,
  templatesOf,
  type ThreadHome,
  threadOf,
} from './threads.queries.ts'

type Api = typeof threadsApi
const { owner, staff } = threadSide.code
const seconds = (at: Date | null | undefined) => (at ? Math.floor(at.getTime() / 1000) : null)

export async function threadDetails(tx: Tx, scope: Scope, site: string): Promise<ThreadDetail> {
  const { tenant } = scope
  const home = found(await homeOf(tx, scope, site, false))
  const [thread, since, contacts, outcomes, templates] = await Promise.all([
    threadOf(tx, tenant, site),
    sinceOf(tx, tenant, site),
    contactsOf(tx, tenant, site),
    outcomesOf(tx, scope, site),
    templatesOf(tx, tenant, home.bc_id),
  ])
  return {
    site_id: home.id,
    siteName: home.ws_name,
    bc_id: home.bc_id,
    ownerName: contacts[0]?.name ?? '',
    steward_id: home.steward_id,
    since: seconds(since),
    newest: thread?.newest ?? 0,
    waitingSince: seconds(thread?.waiting_since),
    dueAt: seconds(thread?.due_at),
    contacts,
    outcomes,
    templates: templates?.texts ?? [],
    templatesVersion: templates?.version ?? 0,
  }
}

/** The home, held: who speaks there at the same time waits. */
export async function held(tx: Tx, call: Call, site: string): Promise<ThreadHome> {
  const home = found(await homeOf(tx, call.user.scope, site, true))
  refuse(home.owner_id ? undefined : `工地“${home.ws_name}”还没有业主，请先在业主列表登记`)
  return home
}
/** Nobody speaks past another: who has not seen the newest word reads it first. */
export async function unlessNewer(tx: Tx, call: Call, home: ThreadHome, seen: number): Promise<void> {
  const { tenant } = call.user
  const newest = (await threadOf(tx, tenant, home.id))?.newest ?? 0
  if (seen > newest) throw invalid('after', '没有这么新的一条，请刷新后再发')
  const newer = await newerThan(tx, tenant, home.id, seen)
  if (!newer) return
  const at = shanghaiTime(newer.at).slice(11, 16)
  const said = newer.words ? `：“${newer.words.slice(0, 60)}”` : ''
  throw overtakenSaying(
    newer.side === owner
      ? `业主 ${newer.who} 在 ${at} 又说了${said}。请先看过再发`
      : `${newer.who} 在 ${at} 已经回复${said}。请先看过再发`,
    { name: newer.who, at: newer.at.getTime() / 1_000 },
  )
}

/** The post of who answers, as the owner reads it: what they are to the home. */
export function postOf({ id, nickname, roles }: SessionUser, home: ThreadHome): string {
  const posts: [boolean, string][] = [
    [id === home.steward_id, '管家'],
    [id === home.manager_id, '项目经理'],
    [roles.includes('service'), '客服'],
    [roles.includes('branch_gm'), '总经理'],
  ]
  const [, post] = posts.find(([is]) => is) ?? [true, '工作人员']
  return staffOf(post, nickname)
}

/** Staff answers, on the owner's page or elsewhere. */
export async function say(tx: Tx, call: Call, body: BodyOf<Api['say']>) {
  const { id: me, nickname, tenant } = call.user
  const home = await held(tx, call, body.site_id)
  await showAtHome(tx, tenant, body.pictures, { user: me }, { bc: home.bc_id, site: home.id })
  await unlessNewer(tx, call, home, body.after)
  const line = {
    kind: 'words',
    side: staff,
    channel: body.channel,
    who: nickname,
    contact_id: null,
    user_id: me,
    post: postOf(call.user, home),
    words: body.words,
    pictures: body.pictures,
  } as const
  const made = await speak(tx, call, home, line, '回复业主留言')
  await logLine(tx, call, '回复业主留言', home, {
    side: staff,
    channel: body.channel,
    ...count(body.pictures),
  })
  await passTurn(tx, 'thread', 'answer', {
    ...noticeOf(home),
    tenant,
    actor: me,
    named: namedIn(home),
    title: '',
  })
  return made
}
export const count = (pictures: readonly string[]) =>
  pictures.length ? { pictures: `${pictures.length} 张` } : {}
export const logLine = (tx: Tx, call: Call, action: string, home: ThreadHome, said: object) =>
  call.log(tx, { action, object: 'thread', objectId: home.id, after: { site_id: home.id, ...said } })

/** Staff writes down what somebody of the home said elsewhere. */
export async function hear(tx: Tx, call: Call, body: BodyOf<Api['hear']>) {
  const { id: me, tenant } = call.user
  const home = await held(tx, call, body.site_id)
  const contacts = await contactsOf(tx, tenant, home.id)
  const contact = body.contact_id ? found(contacts.find((c) => c.id === body.contact_id)) : undefined
  if (contact) unlessForgotten(contact.name)
  await showAtHome(tx, tenant, body.pictures, { user: me }, { bc: home.bc_id, site: home.id })
  const line = {
    kind: 'words',
    side: owner,
    channel: body.channel,
    who: contact?.name ?? '业主',
    contact_id: contact?.id ?? null,
    user_id: me,
    post: '',
    words: body.words,
    pictures: body.pictures,
  } as const
  const how = threadChannel.label(body.channel)
  const made = await speak(tx, call, home, line, `业主留言（${how}，代录）`)
  await logLine(tx, call, '代录业主的话', home, {
    side: owner,
    channel: body.channel,
    ...count(body.pictures),
  })
  await tellSteward(tx, call, home, `有话说（${how}，${call.user.nickname}代录）`)
  return made
}

/** Nothing has to be said to what stands there. */
export async function silence(tx: Tx, call: Call, body: BodyOf<Api['silence']>): Promise<void> {
  const { id: me, nickname, tenant } = call.user
  const home = await held(tx, call, body.site_id)
  await unlessNewer(tx, call, home, body.after)
  const thread = await threadOf(tx, tenant, home.id)
  refuse(thread?.waiting_since ? undefined : '没有等待回复的留言')
  const line = {
    kind: 'silence',
    side: staff,
    channel: threadChannel.code.page,
    who: nickname,
    contact_id: null,
    user_id: me,
    post: '',
    words: body.reason,
    pictures: [],
  } as const
  await speak(tx, call, home, line, '业主留言无需回复')
  await logLine(tx, call, '留言无需回复', home, { text: body.reason })
  await passTurn(tx, 'thread', 'silence', {
    ...noticeOf(home),
    tenant,
    actor: me,
    named: namedIn(home),
    title: '',
  })
}

/** A line of a home that is held, as it stands then. */
async function heldLine(tx: Tx, call: Call, id: string) {
  const { scope } = call.user
  const before = found(await lineOf(tx, scope, id))
  const home = found(await homeOf(tx, scope, before.site_id, true))
  return { home, line: found(await lineOf(tx, scope, id)) }
}

export async function takeBack(tx: Tx, call: Call, files: FileStore, id: string): Promise<void> {
  const { tenant } = call.user
  const { home, line } = await heldLine(tx, call, id)
  unlessOwn(line, line.user_id === call.user.id, call.now())
  await hideAtHome(tx, files, tenant, await picturesOfNothingElse(tx, tenant, line))
  await eraseOwn(tx, call, home, line)
}

/** A record was made of a message: each is found from it, and the message's pictures are the record's as well. */
export async function become(tx: Tx, call: Call, body: BodyOf<Api['become']>): Promise<void> {
  const { nickname, scope, tenant } = call.user
  const { home, line } = await heldLine(tx, call, body.id)
  const of = { site: home.id, kind: body.kind, id: body.record_id }
  if (!(await isRecordOf(tx, scope, of))) throw outside()
  refuse(line.side === owner && !line.isTaken ? undefined : '只有业主的留言可以转为别的记录')
  const since = await sinceOf(tx, tenant, home.id)
  const isFormer = since !== undefined && line.at < since
  refuse(
    isFormer && body.kind !== threadOutcome.code.feedback ? '这条留言是前业主的，只能转为反馈' : undefined,
  )
  const { pictures } = line
  await addOutcome(tx, tenant, {
    message: line.id,
    kind: body.kind,
    record: body.record_id,
    by: nickname,
    pictures,
  })
  if (body.kind === threadOutcome.code.promise) await promisedInThread(tx, tenant, body.record_id)
  await call.log(tx, {
    action: `留言转为${threadOutcome.label(body.kind)}`,
    object: 'thread',
    objectId: home.id,
    after: { site_id: home.id, outcome: body.kind, ...count(pictures) },
  })
  tell(tx, call, { topic: 'thread', bc: home.bc_id, site: home.id, id: home.id })
}

/** The phrases of a branch, as the whole list. */
export async function saveTemplates(tx: Tx, call: Call, body: BodyOf<Api['saveTemplates']>): Promise<void> {
  const { nickname: by, scope, tenant } = call.user
  if (!hasBranch(scope, body.bc_id)) throw outside()
  const before = found(await templatesOf(tx, tenant, body.bc_id))
  unlessSeen(before, body.version, '份常用语')
  if (!(await keepTemplates(tx, { ...body, bc: body.bc_id, tenant, by }))) throw overtaken('份常用语')
  await call.log(tx, {
    action: '修改常用语',
    object: 'thread',
    objectId: body.bc_id,
    before: { texts: before.texts.join('；') },
    after: { texts: body.texts.join('；') },
  })
}
