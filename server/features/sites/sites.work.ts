import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { found } from '../../kit/refuse.ts'
import { bool, row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import type { SiteLife } from '../../kit/site-life.ts'
import type { Tx } from '../../kit/tx.ts'
import { notify } from '../notifications/notifications.service.ts'
import { whoCan } from '../notifications/turns.service.ts'
import type { Leaver, OpenWork } from '../users/open-work.service.ts'
import { pickPeople } from '../users/users.reads.ts'
import { siteKeeping } from './site-life.service.ts'
import { lockSite } from './sites.queries.ts'
import { changePeople } from './sites.service.ts'

const { building, notStarted } = siteStatus.code
const { manager, steward } = principalPost.code
const led = row({ id: uuid, bc_id: uuid, post: text, fits: bool.null })

/** Who leads a site corrects what is found on it. */
const LEADING = 'correction:correct'

/** Sites that go on and that this person leads; `gone`: of these, those that they cannot lead any more. */
async function ledBy(tx: Tx, call: Call, of: Leaver, gone: boolean) {
  const { tenant } = call.user
  const { rows } = await tx.query(
    'sites.ledby',
    led,
    `SELECT w.id, w.bc_id, p.post, u.post = p.code AND (u.bc_id = w.bc_id OR EXISTS (SELECT 1 FROM user_branches b
         WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = w.bc_id)) AS fits
     FROM sites w
     JOIN users u ON u.tenant_id = $1 AND u.id = $2
     CROSS JOIN LATERAL (VALUES ('manager', ${manager}, w.manager_id), ('steward', ${steward}, w.steward_id))
       AS p(post, code, who)
     WHERE w.tenant_id = $1 AND p.who = $2 AND w.deleted_at IS NULL AND w.status IN (${building}, ${notStarted})
     ORDER BY w.id`,
    [tenant, of.id],
  )
  if (!gone) return rows
  const left = []
  for (const site of rows) {
    const place = { bc_id: site.bc_id, site_id: site.id }
    const asked = { tenant, among: [of.id], except: [], place, receiver: false }
    const still = await whoCan(tx, { ...asked, label: LEADING })
    if (!site.fits || (!still.near.length && !still.wide.length)) left.push(site)
  }
  return left
}

export const sitesWork = (lives: readonly SiteLife[]): OpenWork => ({
  kind: 'sites',
  lacks: '岗位不是项目经理或项目管家所需的，或不在这些工地所属的分公司',
  async open(tx, call, of, gone) {
    const sites = await ledBy(tx, call, of, gone)
    if (sites.length === 0) return undefined
    const count = new Set(sites.map((s) => s.id)).size
    const posts = [...new Set(sites.map((s) => s.post))]
    const oneOfEach = new Map(sites.map((s) => [s.bc_id, s.id])).values()
    const lists = []
    for (const siteId of oneOfEach)
      for (const post of posts) {
        const asked = { siteId, power: LEADING, leading: true }
        const code = post === 'manager' ? manager : steward
        lists.push(await pickPeople(tx, call.user.scope, { ...asked, post: code }))
      }
    const [first = [], ...rest] = lists
    const field = posts.length === 1 && posts[0] === 'steward' ? 'steward_id' : 'manager_id'
    const names = posts.map((post) => (post === 'manager' ? '项目经理' : '项目管家'))
    return {
      count,
      title: `${count} 个负责的工地（${names.join('、')}）`,
      link: linkTo('SiteList', { [field]: of.id }),
      people: first.filter((p) => rest.every((list) => list.some((o) => o.id === p.id))),
    }
  },
  async hand(tx, call, of, to) {
    const sites = await ledBy(tx, call, of, true)
    for (const { id, post } of sites) {
      const { manager_id, steward_id, version } = found(await lockSite(tx, call.user.scope, id))
      const next = post === 'manager' ? { manager_id: to.id, steward_id } : { manager_id, steward_id: to.id }
      await changePeople(tx, call, { id, version, ...next }, siteKeeping(lives))
    }
    await notify(tx, {
      tenant: call.user.tenant,
      actor: call.user.id,
      user: to.id,
      title: `${of.nickname}不再负责：${new Set(sites.map((s) => s.id)).size} 个工地转给您`,
      link: linkTo('SiteList', { [`${sites[0]!.post}_id` as const]: to.id }),
    })
  },
})
