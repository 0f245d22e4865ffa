import { questionPageApi } from '@zhuguan/contract/features/questions/question-page.api.ts'

import { allowance } from '../../kit/bound.ts'
import { serve } from '../../kit/serve.ts'
import { once } from '../links/links.service.ts'
import { ownerAnswers, ownerQuestions } from '../questions/owner-questions.service.ts'
import { type HomeDoor, unlessAlone } from './home-door.ts'

const ACTS = 30
const AN_HOUR = 3_600_000

/** What the home decides behind its link. */
export function homeQuestionsFeature({ home }: { home: HomeDoor }) {
  const acts = allowance(ACTS, AN_HOUR, `一小时内最多答复 ${ACTS} 次，请稍后再试；急事请打电话给您的管家`)
  return serve(questionPageApi, {
    async questions({ body }, call) {
      const { contact, own } = await home.enter(call, body)
      return own.read((tx) => ownerQuestions(tx, own, contact))
    },
    async answer({ body }, call) {
      const e = await home.enter(call, body)
      unlessAlone(e)
      const { contact, link, own } = e
      const { act, choice, id, words } = body
      await own.write((tx) =>
        once(tx, link, { act, target: id }, async () => {
          acts.spend(contact.id, call.now())
          await ownerAnswers(tx, own, contact, { id, choice, words })
          return ''
        }),
      )
      return null
    },
  })
}
