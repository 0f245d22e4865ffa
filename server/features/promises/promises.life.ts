import { linkTo } from '@zhuguan/contract/links.ts'

import { int4, row, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { follows, foreseen, type LivingSite, type SiteLife } from '../../kit/site-life.ts'
import { TODAY } from '../../kit/statement.ts'
import type { Tx } from '../../kit/tx.ts'
import { OPEN } from './open-promises.reads.ts'
import { followPosts, handPromise } from './promise-posts.service.ts'
import { lockOpen } from './promises.queries.ts'

async function openOf(tx: Tx, call: Call, site: LivingSite) {
  const { rows } = await tx.query(
    'promises.living',
    row({ due: int4, later: int4 }),
    `SELECT count(p.id) FILTER (WHERE p.due <= ${TODAY})::int AS due,
       count(p.id) FILTER (WHERE p.due > ${TODAY})::int AS later
     FROM promises p
     WHERE p.tenant_id = $1 AND p.site_id = $2 AND ${OPEN}`,
    [call.user.tenant, site.id],
  )
  return rows[0]!
}
/** The person who leads the site now that it has moved. */
async function leadersOf(tx: Tx, call: Call, site: LivingSite) {
  const { rows } = await tx.query(
    'promises.leaders',
    row({ id: uuid, steward_id: uuid.null, manager_id: uuid.null }),
    'SELECT w.id, w.steward_id, w.manager_id FROM sites w WHERE w.tenant_id = $1 AND w.id = $2',
    [call.user.tenant, site.id],
  )
  return rows[0]!
}

const along = follows('promises')
/**
 * What was promised stays promised: it goes along into another branch with its day. A finished home keeps what
 * falls due later, and who is named for 售后 answers for all of it; a terminated one keeps all until its contract is
 * settled.
 */
export const promisesLife: SiteLife = {
  goesAlong: along.goesAlong,
  moving: {
    async foresee(tx, call, site) {
      const { due, later } = await openOf(tx, call, site)
      const n = due + later
      return foreseen([n > 0 && `${n} 条没有兑现的承诺随工地转过去，到期不变，由新的项目管家、项目经理负责`])
    },
    async move(tx, call, site, to) {
      await along.moving.move(tx, call, site, to)
      await followPosts(tx, call, await leadersOf(tx, call, site), `工地转到${to.bc_name}`)
    },
  },
  ending: {
    async foresee(tx, call, site, how) {
      const { due, later } = await openOf(tx, call, site)
      if (how === 'terminate')
        return foreseen([
          due + later > 0 &&
            `${due + later} 条没有兑现的承诺继续到合同结清，然后由系统撤回，已到期的算没有兑现`,
        ])
      return foreseen(
        [],
        [due > 0 && `还有 ${due} 条到期的承诺没有兑现，请先兑现、延期，或由主管处理`],
        [],
        [
          later > 0 && {
            words: `${later} 条还没到期的承诺`,
            link: linkTo('PromiseList', { site_id: site.id, state: ['open', 'extended'] }),
          },
        ],
      )
    },
    async end(tx, call, site, how, aftercare) {
      if (how === 'terminate' || !aftercare) return
      for (const p of await lockOpen(tx, call.user.scope, { site: site.id }))
        if (p.responsible_id !== aftercare.id)
          await handPromise(tx, call, p, aftercare, `工地完工，售后由${aftercare.nickname}负责`, 'untold')
    },
  },
}
