import { feedbackKind, feedbackStatus } from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { countWaiting } from '../../kit/count-waiting.ts'
import { int4, row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import type { Tx } from '../../kit/tx.ts'
import { passTurn } from '../notifications/turns.service.ts'
import type { OpenWork, Queue } from '../users/open-work.service.ts'
import { pickPeople } from '../users/users.reads.ts'
import { canHandle, HANDLE, nameOf, namedIn, noticeOf, tellAct } from './feedback-telling.ts'
import { OPEN } from './feedback.reads.ts'

const { handling, open } = feedbackStatus.code

/**
 * What this person has, its rows locked unless it is only looked at; also what the caller may not know of: nothing
 * waits at a closed account.
 */
async function theirs(tx: Tx, call: Call, of: string, lock = true) {
  const how = lock ? 'lock' : 'read'
  const { rows } = await tx.query(
    `feedback.${how}theirs`,
    row({
      id: uuid,
      no: text,
      kind: text.of(feedbackKind),
      bc_id: uuid,
      site_id: uuid,
      siteName: text,
      hidden_from: uuid.null,
      about_id: uuid.null,
      steward_id: uuid.null,
      manager_id: uuid.null,
    }),
    `SELECT f.id, f.no, f.kind, f.bc_id, f.site_id, w.ws_name AS "siteName", f.hidden_from, f.about_id, w.steward_id,
       w.manager_id
     FROM feedback f
     JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
     WHERE f.tenant_id = $1 AND f.assignee_id = $2 AND f.status = ${handling}
     ORDER BY f.id
     ${lock ? 'FOR UPDATE OF f' : ''}`,
    [call.user.tenant, of],
  )
  return rows
}

/** What the ladder brought them in for: they follow it no more, and whoever has it goes on. */
export async function followedBesides(tx: Tx, tenant: string, of: { id: string; nickname: string }) {
  const { rows } = await tx.query(
    'feedback.followed',
    row({ n: int4 }),
    `SELECT count(*)::int AS n
     FROM feedback f
     JOIN feedback_supervisors s ON s.tenant_id = $1 AND s.feedback_id = f.id AND s.user_id = $2
     WHERE f.tenant_id = $1 AND ${OPEN}`,
    [tenant, of.id],
  )
  const { n } = rows[0]!
  return n ? [`${of.nickname}跟着 ${n} 条升级的反馈，停用后要别人来跟时，请再升级一次`] : []
}

export const feedbackWork: OpenWork = {
  kind: 'feedback',
  lacks: '没有处理反馈的权限，看不到这些工地，或反馈说的就是他',
  async open(tx, call, of, gone) {
    const all: Awaited<ReturnType<typeof theirs>> = []
    for (const f of await theirs(tx, call, of.id, gone))
      if (!gone || !(await canHandle(tx, call, f.site_id, of.id))) all.push(f)
    if (all.length === 0) return undefined
    const about = new Set(all.map((f) => f.about_id))
    const lists = []
    for (const siteId of new Set(all.map((f) => f.site_id)))
      lists.push(await pickPeople(tx, call.user.scope, { siteId, power: HANDLE }))
    const [first = [], ...rest] = lists
    const people = first.filter(
      (p) => p.id !== of.id && !about.has(p.id) && rest.every((list) => list.some((o) => o.id === p.id)),
    )
    const rank = (id: string): number => {
      if (all.some((f) => f.steward_id === id)) return 0
      return all.some((f) => f.manager_id === id) ? 1 : 2
    }
    return {
      count: all.length,
      title: `${all.length} 条处理中的反馈`,
      link: linkTo('FeedbackList', { assignee_id: of.id, status: handling }),
      people: people.toSorted((one, other) => rank(one.id) - rank(other.id)),
    }
  },
  async hand(tx, call, of, to) {
    const { id: me, tenant } = call.user
    for (const f of await theirs(tx, call, of.id)) {
      if (await canHandle(tx, call, f.site_id, of.id)) continue
      await tx.run(
        'feedback.handed',
        'UPDATE feedback SET assignee_id = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2',
        [tenant, f.id, to.id],
      )
      await tellAct(tx, call.user, f, {
        act: 'transfer',
        words: `${of.nickname}不再负责，交给 ${to.nickname}`,
      })
      await passTurn(tx, 'feedback', 'transfer', {
        ...noticeOf(f),
        tenant,
        actor: me,
        named: namedIn({ ...f, assignee_id: to.id }),
        title: `${nameOf(f)}转给您处理：${of.nickname}不再负责`,
      })
    }
  },
}

const waiting = (name: string, condition: string) =>
  countWaiting(name, `feedback f WHERE f.tenant_id = $1 AND f.bc_id = $2 AND ${condition}`)
export const feedbackQueues: readonly Queue[] = [
  {
    right: 'feedback:accept',
    title: '受理反馈',
    waiting: waiting('feedback.toaccept', `f.status = ${open}`),
  },
  {
    right: 'feedback:supervise',
    title: '结案和取消反馈',
    waiting: waiting('feedback.toclose', OPEN),
  },
]
