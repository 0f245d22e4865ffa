import { follows, foreseen, type SiteLife } from '../../kit/site-life.ts'
import { countGrants, endVideoAt } from './grants.service.ts'

const along = follows('video_grants')
/** What the home's people may see goes along into another branch, within its hours, and ends with the works. */
export const grantsLife: SiteLife = {
  goesAlong: along.goesAlong,
  moving: {
    ...along.moving,
    async foresee(tx, call, site, to) {
      const n = await countGrants(tx, call.user.tenant, site.id)
      return foreseen([
        n > 0 && `${n} 位联系人看现场的授权随工地转过去，时段不超过${to.bc_name}的业主视频时段`,
      ])
    },
  },
  ending: {
    async foresee(tx, call, site) {
      const n = await countGrants(tx, call.user.tenant, site.id)
      return foreseen([n > 0 && `${n} 位联系人看现场的授权结束，正在看的画面 5 秒内停止`])
    },
    async end(tx, call, site, how) {
      await endVideoAt(tx, call, site.id, how === 'finish' ? '工地已完工' : '工地已终止')
    },
  },
}
