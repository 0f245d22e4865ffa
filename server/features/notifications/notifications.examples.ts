import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const notificationsExamples = examplesOf(notificationsApi, (r) => ({
  read: { body: { ids: [r.notification] }, answers: { ids: 200 } },
}))
