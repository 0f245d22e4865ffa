import type { Call } from '../../kit/serve.ts'
import { follows, foreseen, type LivingSite, type SiteLife } from '../../kit/site-life.ts'
import type { Tx } from '../../kit/tx.ts'
import { dropTasks, openOf } from './tasks.queries.ts'
import { settleTasks } from './tasks.service.ts'

async function ahead(tx: Tx, call: Call, site: LivingSite) {
  const { begun, tasks } = await openOf(tx, call.user.tenant, site.id)
  return foreseen(
    [tasks > 0 && `${tasks} 个还没有开始的巡检任务取消`],
    [begun > 0 && `还有 ${begun} 次巡检正在进行，请先提交，或由主管放弃`],
  )
}
async function drop(tx: Tx, call: Call, site: LivingSite): Promise<void> {
  const { people } = await dropTasks(tx, call.user.tenant, { site: site.id })
  await settleTasks(tx, call, people)
}

const along = follows('patrol_tasks', 'patrols')
/** Plans belong to branches: what they still wanted of this site goes, what was done goes along with it. */
export const patrolsLife: SiteLife = {
  goesAlong: along.goesAlong,
  ending: { foresee: ahead, end: drop },
  moving: {
    foresee: ahead,
    async move(tx, call, site, to) {
      await drop(tx, call, site)
      await along.moving.move(tx, call, site, to)
    },
  },
}
