import {
  feedbackAct,
  feedbackKind,
  feedbackLevel,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { uuidv7 } from '../../kit/ids.ts'
import type { Call } from '../../kit/serve.ts'
import { tell } from '../live/live.service.ts'
import { assignable, holdPerson } from '../users/users.reads.ts'
import { addEvent, type LockedFeedback } from './feedback.queries.ts'

type Told = Pick<LockedFeedback, 'id' | 'no' | 'kind' | 'bc_id' | 'site_id' | 'hidden_from'>
type Act = (typeof feedbackAct.values)[number]

/** The part that every message about it has in common. */
export const noticeOf = (
  f: Pick<Told, 'id' | 'bc_id' | 'site_id'> & Partial<Pick<LockedFeedback, 'level'>>,
) => ({
  link: linkTo('FeedbackList', { id: f.id }),
  cause: { kind: 'feedback', id: f.id } as const,
  place: { bc_id: f.bc_id, site_id: f.site_id },
  urgent: f.level === feedbackLevel.code.urgent,
})
/** As messages call it: never with what the owner said. */
export const nameOf = (f: { siteName: string; kind: Told['kind']; no: string }) =>
  `${f.siteName} 的${feedbackKind.label(f.kind)} ${f.no}`

/** Its people, by the words of the table of turns. */
export const namedIn = (f: {
  about_id: string | null
  assignee_id: string | null
  steward_id?: string | null
}) => ({ concerned: [f.about_id], assignee: f.assignee_id, steward: f.steward_id ?? null })

/** A line of its thread and of the site's timeline, and a word to the pages; not to whom it is kept from. */
export async function tellAct(
  tx: Tx,
  by: { tenant: string; nickname: string },
  f: Told,
  said: { act: Act; words: string; pictures?: string[]; quiet?: boolean },
): Promise<void> {
  await addEvent(tx, {
    tenant: by.tenant,
    id: uuidv7(),
    feedback: f.id,
    actor: by.nickname,
    act: said.act,
    words: said.words,
    pictures: said.pictures ?? [],
  })
  tell(
    tx,
    { user: by, now: () => tx.now, newId: uuidv7 },
    {
      topic: 'feedback',
      bc: f.bc_id,
      site: f.site_id,
      id: f.id,
      except: f.hidden_from,
      ...(said.quiet
        ? {}
        : {
            line: {
              kind: 'feedback' as const,
              title: `${feedbackKind.label(f.kind)} ${f.no}：${feedbackAct.label(said.act)}`,
            },
          }),
    },
  )
}

export const HANDLE = 'feedback:handle'
/** The person, if they can be given the feedback of this home. */
export const canHandle = (tx: Tx, call: Call, site: string, id: string) =>
  assignable(tx, call.user.scope, { id, site, power: HANDLE })

/** The same, and so it stays until it is given. */
export async function holdHandler(tx: Tx, call: Call, site: string, id: string) {
  await holdPerson(tx, call.user.tenant, id)
  return canHandle(tx, call, site, id)
}

/** The person who has it, or who keeps the home now; nobody where none of them may handle it, or it is about them. */
export async function whoHandles(
  tx: Tx,
  call: Call,
  f: Pick<LockedFeedback, 'site_id' | 'about_id' | 'steward_id' | 'manager_id' | 'assignee_id'>,
): Promise<string | null> {
  for (const id of [f.assignee_id, f.steward_id, f.manager_id])
    if (id && id !== f.about_id && (await holdHandler(tx, call, f.site_id, id))) return id
  return null
}
