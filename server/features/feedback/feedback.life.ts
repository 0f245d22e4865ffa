import { feedbackKind, feedbackStatus } from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { int4, row, text, uuid } from '../../kit/row.ts'
import { int2 } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { follows, foreseen, type LivingSite, type SiteLife } from '../../kit/site-life.ts'
import type { Tx } from '../../kit/tx.ts'
import { FEEDBACK_DUE as DUE } from '../deadlines/feedback-due.reads.ts'
import { settle } from '../notifications/notifications.service.ts'
import { passTurn, whoCan } from '../notifications/turns.service.ts'
import { HANDLE, nameOf, namedIn, noticeOf, tellAct } from './feedback-telling.ts'
import { OPEN } from './feedback.reads.ts'
import { hideAbout } from './hiding.service.ts'

const { handling, open } = feedbackStatus.code

async function unsettled(tx: Tx, call: Call, site: LivingSite) {
  const { rows } = await tx.query(
    'feedback.unsettled',
    row({ open: int4, late: int4 }),
    `SELECT count(*)::int AS open, (count(*) FILTER (WHERE (${DUE}) <= :now))::int AS late
     FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = $2 AND ${OPEN}`,
    [call.user.tenant, site.id],
  )
  return rows[0]!
}

/** Open ones of a home, as a change of its branch meets them. */
async function openOf(tx: Tx, call: Call, site: LivingSite) {
  const { rows } = await tx.query(
    'feedback.moving',
    row({
      id: uuid,
      no: text,
      kind: text.of(feedbackKind),
      status: int2.of(feedbackStatus),
      bc_id: uuid,
      site_id: uuid,
      siteName: text,
      hidden_from: uuid.null,
      about_id: uuid.null,
      assignee_id: uuid.null,
      steward_id: uuid.null,
      manager_id: uuid.null,
    }),
    `SELECT f.id, f.no, f.kind, f.status, f.bc_id, f.site_id, w.ws_name AS "siteName", f.hidden_from, f.about_id,
       f.assignee_id, w.steward_id, w.manager_id
     FROM feedback f
     JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
     WHERE f.tenant_id = $1 AND f.site_id = $2 AND ${OPEN}
     ORDER BY f.id
     FOR UPDATE OF f`,
    [call.user.tenant, site.id],
  )
  return rows
}
type Open = Awaited<ReturnType<typeof openOf>>[number]

/** The first who can handle it where it stands, of who has it and who leads the home now. */
async function ableIn(tx: Tx, call: Call, f: Open): Promise<string | null> {
  for (const id of [f.assignee_id, f.steward_id, f.manager_id]) {
    if (!id || id === f.about_id) continue
    const { near, wide } = await whoCan(tx, {
      tenant: call.user.tenant,
      among: [id],
      except: [],
      label: HANDLE,
      place: { bc_id: f.bc_id, site_id: f.site_id },
      receiver: false,
    })
    if (near.length || wide.length) return id
  }
  return null
}

const giveTo = (tx: Tx, call: Call, f: Open, assignee: string | null) =>
  tx.run(
    'feedback.handedalong',
    'UPDATE feedback SET assignee_id = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, f.id, assignee],
  )

const along = follows('feedback')
/** It stays with its home: clocks that run keep their ends, and the people are those of the new branch. */
export const feedbackLife: SiteLife = {
  goesAlong: along.goesAlong,
  async keeping(tx, call, site, person) {
    await hideAbout(tx, call.user.tenant, site, person)
  },
  ending: {
    async foresee(tx, call, site, how) {
      const n = await unsettled(tx, call, site)
      if (how === 'terminate')
        return foreseen([n.open > 0 && `${n.open} 条反馈继续处理到合同结清，然后由系统结案`])
      return foreseen(
        [],
        [n.late > 0 && `还有 ${n.late} 条反馈已经到期，请先结案`],
        [],
        [
          n.open > n.late && {
            words: `${n.open - n.late} 条没有到期的反馈`,
            link: linkTo('FeedbackList', { site_id: site.id, status: [open, handling] }),
          },
        ],
      )
    },
    async end(tx, call, site, how, aftercare) {
      if (how === 'terminate' || !aftercare) return
      const { tenant } = call.user
      for (const f of await openOf(tx, call, site)) {
        // Whom it is about never has it; what nobody has accepted yet waits for who answers for the home.
        if (f.status !== handling || f.about_id === aftercare.id || f.assignee_id === aftercare.id) continue
        await giveTo(tx, call, f, aftercare.id)
        await tellAct(tx, call.user, f, {
          act: 'transfer',
          words: `工地完工，售后由 ${aftercare.nickname} 负责`,
        })
        await settle(tx, tenant, noticeOf(f).cause)
      }
    },
  },
  moving: {
    async foresee(tx, call, site, to) {
      const n = await unsettled(tx, call, site)
      return foreseen([
        n.open > 0 && `${n.open} 条反馈随工地转到${to.bc_name}，已经开始的期限不变，由那里的人处理`,
      ])
    },
    async move(tx, call, site, to) {
      await along.moving.move(tx, call, site, to)
      const { id: me, tenant } = call.user
      for (const f of await openOf(tx, call, site)) {
        const assignee_id = f.status === handling ? await ableIn(tx, call, f) : null
        if (assignee_id !== f.assignee_id) {
          await giveTo(tx, call, f, assignee_id)
          await tellAct(tx, call.user, f, { act: 'transfer', words: `工地转到${to.bc_name}` })
        }
        await passTurn(tx, 'feedback', f.status === handling ? 'transfer' : 'enter', {
          ...noticeOf(f),
          tenant,
          actor: me,
          named: namedIn({ ...f, assignee_id }),
          title: `${nameOf(f)}随工地转到${to.bc_name}，请处理`,
        })
      }
    },
  },
}
