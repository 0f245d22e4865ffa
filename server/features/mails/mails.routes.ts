import { mailsApi } from '@zhuguan/contract/features/mails/mails.api.ts'

import { allowance } from '../../kit/bound.ts'
import { type Feature, serve } from '../../kit/serve.ts'
import {
  askMail,
  confirmMail,
  type MailDeps,
  myMail,
  removeMail,
  setMyRules,
  tryMail,
} from './mails.service.ts'

const ASKS = 10
const A_DAY = 86_400_000

export function mailsFeature(deps: MailDeps): Feature {
  const asks = allowance(ASKS, A_DAY, `一天最多发 ${ASKS} 次验证码，请明天再试`)
  return serve(mailsApi, {
    mine: (_input, call) => myMail(call, deps),
    ask({ body }, call) {
      // Whoever may write to any address writes to strangers in the name of the company.
      asks.spend(call.user.id, call.now())
      return askMail(call, deps, body)
    },
    confirm: ({ body }, call) => confirmMail(call, deps, body.code),
    remove: (_input, call) => removeMail(call),
    rules: ({ body }, call) => setMyRules(call, body),
    trial: (_input, call) => tryMail(call, deps),
  })
}
