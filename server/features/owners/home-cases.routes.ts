import { casePageApi } from '@zhuguan/contract/features/cases/case-page.api.ts'
import { byOneHand } from '@zhuguan/contract/features/owners/home-devices.record.ts'

import { allowance } from '../../kit/bound.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import { serve } from '../../kit/serve.ts'
import { answerAtHome, withdrawAtHome } from '../cases/consenting.service.ts'
import { casesAtHome } from '../cases/home-cases.reads.ts'
import { once } from '../links/links.service.ts'
import type { HomeDoor } from './home-door.ts'

const ACTS = 30
const AN_HOUR = 3_600_000

/** What the home is asked to show, word for word and picture for picture as it would be shown, and its answer. */
export function homeCasesFeature({ home }: { home: HomeDoor }) {
  const acts = allowance(ACTS, AN_HOUR, `一小时内最多答复 ${ACTS} 次，请稍后再试；急事请打电话给您的管家`)
  return serve(casePageApi, {
    async cases({ body }, call) {
      const { contact, link } = await home.enter(call, body)
      // Read as it is shown to strangers: what the home's own reach would leave out is public all the same.
      return call.within(wholeGroup(link.tenant)).read((tx) => casesAtHome(tx, link.tenant, contact))
    },
    async answer({ body }, call) {
      const { contact, device, link, own } = await home.enter(call, body)
      const { act, answer, id, version, wording } = body
      await own.write((tx) =>
        once(tx, link, { act, target: id }, async () => {
          acts.spend(contact.id, call.now())
          await answerAtHome(tx, own, contact.id, {
            id,
            answer,
            version,
            wording,
            typedBy: byOneHand(device.onlyHand),
          })
          return ''
        }),
      )
      return null
    },
    async withdraw({ body }, call) {
      const { contact, link, own } = await home.enter(call, body)
      const { act, id } = body
      await own.write((tx) =>
        once(tx, link, { act, target: id }, async () => {
          await withdrawAtHome(tx, own, contact.id, id)
          return ''
        }),
      )
      return null
    },
  })
}
