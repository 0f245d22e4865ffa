import { mailsApi } from '@zhuguan/contract/features/mails/mails.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const mailsExamples = examplesOf(mailsApi, (r) => ({
  mine: {},
  ask: { body: { address: 'someone@example.com' } },
  confirm: { body: { code: '123456' } },
  remove: {},
  rules: {
    body: {
      version: 0,
      ways: [{ kind: 'alarm', way: 'digest' }],
      sites: [r.site],
      quietFrom: '22:00',
      quietTo: '07:00',
      hour: 8,
    },
  },
  trial: {},
}))
