import { personPageApi } from '@zhuguan/contract/features/persons/person-page.api.ts'
import { personAsk, personKind } from '@zhuguan/contract/features/persons/persons.record.ts'

import { allowance } from '../../kit/bound.ts'
import { serve } from '../../kit/serve.ts'
import { once } from '../links/links.service.ts'
import { addRequest, requestsAbout } from '../persons/persons.service.ts'
import type { HomeDoor } from './home-door.ts'

const ACTS = 5
const A_DAY = 86_400_000

/** What somebody of a home asks about what is kept of them: their own requests, and nobody else's. */
export function homePersonsFeature({ home }: { home: HomeDoor }) {
  const acts = allowance(ACTS, A_DAY, `一天内最多提出 ${ACTS} 次，请明天再试`)
  return serve(personPageApi, {
    async requests({ body }, call) {
      const { contact, link, own } = await home.enter(call, body)
      return own.read((tx) => requestsAbout(tx, link.tenant, contact.id))
    },
    async ask({ body }, call) {
      const { contact, device, link, own } = await home.enter(call, body)
      await own.write((tx) =>
        once(tx, link, { act: body.act, target: contact.id }, async () => {
          acts.spend(contact.id, call.now())
          const words = `本人在业主页上提出：${personAsk.label(body.ask)}`
          const asked = { ask: body.ask, kind: personKind.code.owner, subject_id: contact.id, words }
          await addRequest(tx, own, asked, device.id)
          return ''
        }),
      )
      return null
    },
  })
}
