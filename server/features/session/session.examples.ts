import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'

import { examplesOf } from '../../testing/example.ts'

const HASH = '0'.repeat(64)

export const sessionExamples = examplesOf(sessionApi, (r) => ({
  updatePassword: { body: { user_id: r.me, oldPassword: HASH, newPassword: HASH } },
  totpConfirm: { body: { ticket: 'none', code: '000000' } },
  totpOff: { body: { code: '000000' } },
}))
