import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'

import { serve } from '../../kit/serve.ts'
import { noticesOf, readNotices } from './notifications.queries.ts'

export const notificationsFeature = serve(notificationsApi, {
  list: (_input, call) => call.read((tx) => noticesOf(tx, call.user)),
  read: ({ body }, call) =>
    call.write(async (tx) => {
      await readNotices(tx, call.user, body.ids)
    }),
})
