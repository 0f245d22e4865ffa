import { int4, row, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { follows, foreseen, type LivingSite, type SiteLife } from '../../kit/site-life.ts'
import type { Tx } from '../../kit/tx.ts'
import { followThread } from './home-threads.service.ts'
import { threadOf } from './threads.queries.ts'

/** Words of the home that nobody has answered. */
async function waiting(tx: Tx, call: Call, site: LivingSite): Promise<number> {
  const { rows } = await tx.query(
    'threads.unansweredof',
    row({ n: int4 }),
    `SELECT count(*)::int AS n
     FROM threads t
     JOIN thread_messages m ON m.tenant_id = $1 AND m.site_id = t.site_id AND m.seq >= t.waiting_from
       AND m.taken_at IS NULL
     WHERE t.tenant_id = $1 AND t.site_id = $2`,
    [call.user.tenant, site.id],
  )
  return rows[0]!.n
}
/** The person who leads the site now that it has moved. */
async function ledBy(tx: Tx, call: Call, site: LivingSite) {
  const { rows } = await tx.query(
    'threads.leaders',
    row({ manager_id: uuid.null, steward_id: uuid.null }),
    'SELECT w.manager_id, w.steward_id FROM sites w WHERE w.tenant_id = $1 AND w.id = $2',
    [call.user.tenant, site.id],
  )
  return rows[0]!
}

const along = follows('threads', 'thread_messages')
/** It is the home's: it goes along into another branch with its clock, and goes on after the works have ended. */
export const threadsLife: SiteLife = {
  goesAlong: along.goesAlong,
  moving: {
    async foresee(tx, call, site) {
      const n = await waiting(tx, call, site)
      return foreseen([n > 0 && `${n} 条业主留言还没有回复，随工地转过去，期限不变，由新的项目管家回复`])
    },
    async move(tx, call, site, to) {
      await along.moving.move(tx, call, site, to)
      if (!(await threadOf(tx, call.user.tenant, site.id))?.waiting_since) return
      const now = { ...site, ...(await ledBy(tx, call, site)), bc_id: to.bc_id }
      await followThread(tx, call, now, `工地转到${to.bc_name}`)
    },
  },
  ending: {
    async foresee(tx, call, site) {
      const n = await waiting(tx, call, site)
      return foreseen([n > 0 && `${n} 条业主留言还没有回复，工地结束后仍由项目管家回复`])
    },
    async end() {},
  },
}
