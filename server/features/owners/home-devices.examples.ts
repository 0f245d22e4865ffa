import { homeDevicesApi } from '@zhuguan/contract/features/owners/home-devices.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const homeDevicesExamples = examplesOf(homeDevicesApi, (r) => ({
  list: { query: { site_id: r.site } },
  allow: { body: { id: r.homeDevice } },
  remove: { body: { id: r.homeDevice, reason: '试试看' } },
}))
