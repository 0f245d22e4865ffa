import { follows, foreseen, type SiteLife } from '../../kit/site-life.ts'
import { moveLinks, shortenLinks } from '../links/links.service.ts'
import { contactsOf, countLinks, homeUntil } from './home-devices.queries.ts'

const along = follows('home_devices')
/** Links of owners: they go along into another branch, and outlive the works for a time. */
export const ownerLinksLife: SiteLife = {
  goesAlong: along.goesAlong,
  moving: {
    ...along.moving,
    async move(tx, call, site, to) {
      const { tenant } = call.user
      const contacts = await contactsOf(tx, tenant, { site: site.id, gone: false })
      await moveLinks(tx, tenant, 'owner', contacts, to.bc_id)
      await along.moving.move(tx, call, site, to)
    },
  },
  ending: {
    async foresee(tx, call, site, how) {
      const n = await countLinks(tx, call.user.tenant, site.id)
      const until = how === 'finish' ? '保修期结束' : '终止后 30 天'
      return foreseen([n > 0 && `${n} 个业主链接用到${until}，之后打不开`])
    },
    async end(tx, call, site) {
      const { tenant } = call.user
      const contacts = await contactsOf(tx, tenant, { site: site.id, gone: false })
      const until = contacts[0] ? await homeUntil(tx, tenant, contacts[0]) : null
      if (until) await shortenLinks(tx, tenant, 'owner', contacts, until)
    },
  },
}
