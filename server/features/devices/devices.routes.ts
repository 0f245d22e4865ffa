import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { deviceColumns } from '@zhuguan/contract/features/devices/devices.columns.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { actorAt } from '../../kit/reach.ts'
import { found } from '../../kit/refuse.ts'
import { hasBranch } from '../../kit/scoped.ts'
import { type Call, type Feature, serve, type SessionUser } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { branchOfSite, deviceHistory, spareDevices } from './device-views.queries.ts'
import { deviceDetail, devicePage } from './devices.queries.ts'
import { changeDevice } from './devices.service.ts'

/**
 * Who leads a site takes a device from what lies spare in its branch, which their own sites do not show: the site is found in
 * the caller's own reach, the device in the branch of the site.
 */
async function atSite(call: Call, site: string): Promise<{ bc: string; actor: SessionUser; near: Call }> {
  const { bc_id } = found(await call.read((tx) => branchOfSite(tx, call.user.scope, site)))
  const { tenant, id } = call.user
  return {
    bc: bc_id,
    actor: actorAt(call.user, { bc_id, site_id: site }),
    near: call.within({ tenant, user: id, bcs: [bc_id], sites: null }),
  }
}

export const devicesFeature: Feature = serve(devicesApi, {
  list: ({ query }, call) => call.read((tx) => pageJson(tx, devicePage(call.user.scope, query))),
  details: async ({ query }, call) =>
    found(
      await call.read((tx) =>
        deviceDetail(tx, call.user.scope, query.id, hasPermission(call.user, 'device:live')),
      ),
    ),
  history: async ({ query }, call) =>
    found(await call.read((tx) => deviceHistory(tx, call.user.scope, query.id))),
  spares: async ({ query }, call) => {
    const { near } = await atSite(call, query.site_id)
    return near.read((tx) => spareDevices(tx, near.user.scope))
  },
  async bind({ body }, call) {
    const { near, actor, bc } = await atSite(call, body.site_id)
    // Whoever may bind devices from a site's page may bind; unbinding stays with the device's keepers.
    const user = hasPermission(actor, 'site:bind')
      ? { ...actor, permissions: [...actor.permissions, 'device:bind'] }
      : actor
    const reach = hasBranch(call.user.scope, bc) ? call : near
    const as = { ...reach, user: { ...user, scope: reach.user.scope } }
    await as.write((tx) => changeDevice(tx, as, { ...body, action: 'bind' }))
  },
  change: ({ body }, call) => call.write((tx) => changeDevice(tx, call, body)),
  export: ({ query }, call) => sendList(call, '设备', deviceColumns, devicePage(call.user.scope, query)),
})
