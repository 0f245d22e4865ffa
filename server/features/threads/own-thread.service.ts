import {
  type OwnThread,
  threadChannel,
  threadSide,
} from '@zhuguan/contract/features/threads/thread-page.record.ts'

import type { Tx } from '../../database/connect.ts'
import { found } from '../../kit/refuse.ts'
import { type FileStore, hideAtHome, showAtHome } from '../files/files.service.ts'
import { tell } from '../live/live.service.ts'
import { type Contact, markRead, ownMessages } from './own-thread.queries.ts'
import { eraseOwn, speak, type Speaker, tellSteward, unlessOwn } from './speaking.service.ts'
import { homeOf, lineOf, picturesOfNothingElse } from './threads.queries.ts'

/** The thread as somebody of the home may read it: nothing of who owned it before, nothing that staff says to staff. */
export async function ownerThread(
  tx: Tx,
  call: Speaker,
  contact: Contact,
  before: number | null,
): Promise<OwnThread> {
  const { tenant } = call.user
  const now = Math.floor(call.now().getTime() / 1000)
  return { ...(await ownMessages(tx, tenant, contact, before)), now }
}

const held = async (tx: Tx, call: Speaker, contact: Contact) =>
  found(await homeOf(tx, call.user.scope, contact.site_id, true))

/** Somebody of the home says something; whoever keeps the home hears, and the clock of the answer runs. */
export async function ownerSays(
  tx: Tx,
  call: Speaker,
  link: { id: string },
  contact: Contact,
  said: { words: string; pictures: readonly string[] },
): Promise<void> {
  const home = await held(tx, call, contact)
  await showAtHome(tx, call.user.tenant, said.pictures, { link: link.id }, { bc: home.bc_id, site: home.id })
  const line = {
    kind: 'words',
    side: threadSide.code.owner,
    channel: threadChannel.code.page,
    who: contact.name,
    contact_id: contact.id,
    user_id: null,
    post: '',
    ...said,
  } as const
  await speak(tx, call, home, line, '业主留言')
  await call.log(tx, {
    action: '业主留言',
    object: 'thread',
    objectId: home.id,
    after: { site_id: home.id, side: line.side },
  })
  await tellSteward(tx, call, home, '留言了')
}

export async function ownerTakesBack(
  tx: Tx,
  call: Speaker,
  files: FileStore,
  contact: Contact,
  id: string,
): Promise<void> {
  const home = await held(tx, call, contact)
  const line = found(await lineOf(tx, call.user.scope, id))
  if (line.site_id !== home.id) found(undefined)
  unlessOwn(line, line.contact_id === contact.id && line.user_id === null, call.now())
  await hideAtHome(tx, files, call.user.tenant, await picturesOfNothingElse(tx, call.user.tenant, line))
  await eraseOwn(tx, call, home, line)
}

/** Their page has shown the lines up to this one. */
export async function ownerSaw(tx: Tx, call: Speaker, contact: Contact, seq: number): Promise<void> {
  if (!(await markRead(tx, call.user.tenant, contact, seq))) return
  tell(tx, call, { topic: 'thread', bc: contact.bc_id, site: contact.site_id, id: contact.site_id })
}
