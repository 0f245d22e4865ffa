import { homeDevicesApi } from '@zhuguan/contract/features/owners/home-devices.api.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { siteInReach } from '../sites/sites.reads.ts'
import { devicesOf } from './home-devices.queries.ts'
import { allowDevice, removeDevice } from './home-devices.service.ts'

export const homeDevicesFeature = serve(homeDevicesApi, {
  list: ({ query }, call) =>
    call.read(async (tx) => {
      found(await siteInReach(tx, call.user.scope, query.site_id))
      return devicesOf(tx, call.user.scope, query.site_id)
    }),
  async allow({ body }, call) {
    await call.write((tx) => allowDevice(tx, call, body.id))
    return null
  },
  async remove({ body }, call) {
    await call.write((tx) => removeDevice(tx, call, body))
    return null
  },
})
