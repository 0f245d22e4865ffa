import { SHARED_KINDS } from '@zhuguan/contract/features/links/links.record.ts'
import { sharePageApi } from '@zhuguan/contract/features/shares/share-page.api.ts'
import { SHARE_NOTICE } from '@zhuguan/contract/features/shares/share-page.record.ts'

import type { Database } from '../../database/connect.ts'
import { allowance } from '../../kit/bound.ts'
import { networkOf } from '../../kit/network.ts'
import { outside } from '../../kit/refuse.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { takeNumber } from '../customers/left-number.service.ts'
import { type Bearer, type LinkDoor, noteLook, once, type OpenLink } from '../links/links.service.ts'
import { tellChange } from '../live/live.service.ts'
import { isSharedKind, sectionsOn, type SharedLink, sharePageOf } from './share-page.service.ts'
import { frameOf } from './shares.queries.ts'

const AN_HOUR = 3_600_000
/** Numbers that are left in an hour: through one link, and from one network whatever the link. */
const OF_LINK = 20
const OF_NETWORK = 10
const TOLD_EVERY_SECONDS = 30
const ROLE = '客户'

/** Behind a link that was sent to a customer: what was composed for them, and a way to ask for more. */
export function sharePageFeature({ db, door }: { db: Database; door: LinkDoor }) {
  const tooMany = '这里提交得太频繁了，请稍后再试，或直接打电话给发链接的人'
  const ofLink = allowance(OF_LINK, AN_HOUR, tooMany)
  const ofNetwork = allowance(OF_NETWORK, AN_HOUR, tooMany)

  function sharedOf(link: OpenLink): SharedLink {
    const { bc_id, id, kind, target_id, tenant } = link
    if (!isSharedKind(kind)) throw outside()
    return { id, kind, bc_id, tenant, target_id, hasPassword: link.password !== null }
  }
  const enter = (call: Call, bearer: Bearer, inSight = false) =>
    door.look(call, bearer, SHARED_KINDS, { inSight })
  return serve(sharePageApi, {
    async state({ body }, call) {
      const link = sharedOf(await enter(call, body))
      return db.tx(wholeGroup(link.tenant), (tx) => sharePageOf(tx, link), { readOnly: true })
    },
    async seen({ body }, call) {
      const { device, seconds } = body
      const link = sharedOf(await enter(call, body, seconds > 0))
      const { bc_id, id, tenant } = link
      await db.tx(wholeGroup(tenant), async (tx) => {
        const looked = await sectionsOn(tx, link, body.looked)
        const noted = await noteLook(tx, { tenant, link: id, device, seconds, looked })
        if (!noted) return
        const isTime =
          Math.floor(noted.seconds / TOLD_EVERY_SECONDS) >
          Math.floor((noted.seconds - seconds) / TOLD_EVERY_SECONDS)
        if (noted.news || isTime) tellChange(tx, tenant, { topic: 'share', bc: bc_id, site: null, id })
      })
      return null
    },
    async interest({ body }, call) {
      const link = await enter(call, body, true)
      const { bc_id, id, tenant } = link
      const as = door.as(call, link, { bc_id }, ROLE)
      const own: Call = { ...call, ...as, user: as.user }
      await as.write((tx) =>
        once(tx, link, { act: body.act, target: link.target_id }, async () => {
          ofLink.spend(id, call.now())
          ofNetwork.spend(networkOf(call.ip), call.now())
          const frame = await frameOf(tx, tenant, id)
          await takeNumber(tx, own, {
            bc_id,
            store_id: frame.store_id,
            maker_id: frame.maker_id,
            customer_id: frame.customer_id,
            name: body.name,
            phone: body.phone,
            notice: SHARE_NOTICE.version,
            source: 'link',
            introducer_id: null,
            words: {
              why: `看了${frame.maker}${frame.maker_id ? '发' : '上'}的“${frame.title}”后留下电话`,
              about: `在“${frame.title}”里点了“我要了解”`,
              said: `看了“${frame.title}”`,
            },
          })
          return ''
        }),
      )
      return null
    },
  })
}
