import {
  INTRODUCE_NOTICE,
  introducePageApi,
} from '@zhuguan/contract/features/customers/introduce-page.api.ts'

import { allowance } from '../../kit/bound.ts'
import { networkOf } from '../../kit/network.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { takeIntroduced } from '../customers/introduced.service.ts'
import { type LinkDoor, once } from '../links/links.service.ts'
import { type HomeDoor, unlessAlone } from './home-door.ts'

const A_DAY = 86_400_000
/** Friends whom somebody of a home introduces in a day, and numbers that one network leaves, whatever the link. */
const OF_CONTACT = 5
const OF_NETWORK = 20
const ROLE = '业主'

/** A friend leaves their number on the page of an owner who has signed: a lead of that owner's store. */
export function homeIntroduceFeature({ door, home }: { door: LinkDoor; home: HomeDoor }) {
  const tooMany = '今天介绍得够多了，请明天再来，或直接告诉您的管家'
  const ofContact = allowance(OF_CONTACT, A_DAY, tooMany)
  const ofNetwork = allowance(OF_NETWORK, A_DAY, tooMany)
  return serve(introducePageApi, {
    async introduce({ body }, call) {
      const e = await home.enter(call, body)
      unlessAlone(e)
      const { contact, link } = e
      const as = door.as(call, { ...link, person: contact.name }, contact, ROLE)
      const own: Call = { ...call, ...as, user: as.user }
      await as.write((tx) =>
        once(tx, link, { act: body.act, target: contact.bc_id }, async () => {
          ofContact.spend(contact.id, call.now())
          ofNetwork.spend(networkOf(call.ip), call.now())
          await takeIntroduced(tx, own, {
            bc_id: contact.bc_id,
            site_id: contact.site_id,
            by: contact.name,
            name: body.name,
            phone: body.phone,
            notice: INTRODUCE_NOTICE.version,
          })
          return ''
        }),
      )
      return null
    },
  })
}
