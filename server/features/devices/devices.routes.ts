import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { deviceColumns } from '@zhuguan/contract/features/devices/devices.columns.ts'
import { deviceStatus, deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { actorAt } from '../../kit/reach.ts'
import { found, Refused } from '../../kit/refuse.ts'
import { float8, int2, int4, row, text, uuid } from '../../kit/row.ts'
import { hasBranch, scoped } from '../../kit/scoped.ts'
import { type Call, type Feature, serve, type SessionUser } from '../../kit/serve.ts'
import { epoch, pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { devicePage } from './devices.queries.ts'
import { deviceScope } from './devices.reads.ts'
import { changeDevice } from './devices.service.ts'

/**
 * Who leads a site takes a device from what lies spare in its branch, which their own sites do not show: the site is found in
 * the caller's own reach, the device in the branch of the site.
 */
async function atSite(call: Call, site: string): Promise<{ bc: string; actor: SessionUser; near: Call }> {
  const where = scoped(call.user.scope, 'w', { site: 'id' })
    .add((p) => `w.id = ${p}::uuid`, site)
    .plain('w.deleted_at IS NULL')
  const { bc_id } = found(
    await call.read(
      async (tx) =>
        (
          await tx.query(
            'devices.atsite',
            row({ bc_id: uuid }),
            `SELECT w.bc_id FROM sites w WHERE ${where.text}`,
            where.values,
          )
        ).rows[0],
    ),
  )
  const { tenant, id } = call.user
  return {
    bc: bc_id,
    actor: actorAt(call.user, { bc_id, site_id: site }),
    near: call.within({ tenant, user: id, bcs: [bc_id], sites: null }),
  }
}

export const devicesFeature = ({ videoGateway }: { videoGateway: string | null }): Feature =>
  serve(devicesApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, devicePage(call.user.scope, query))),
    history: ({ query }, call) =>
      call.read(async (tx) => {
        const where = deviceScope(call.user.scope).add((p) => `d.id = ${p}::uuid`, query.id)
        found(
          (
            await tx.query(
              'devices.one',
              row({ id: uuid }),
              `SELECT d.id FROM devices d WHERE ${where.text}`,
              where.values,
            )
          ).rows[0],
        )
        const keys = [call.user.tenant, query.id]
        const spans = await tx.query(
          'devices.spans',
          row({ state: int2.of(deviceStatus), from: float8, to: float8.null, cause: text }),
          `SELECT state, ${epoch('from_at')} AS from, ${epoch('to_at')} AS to, cause FROM device_spans WHERE tenant_id = $1 AND device_id = $2 ORDER BY from_at DESC LIMIT 200`,
          keys,
        )
        const bindings = await tx.query(
          'devices.bindings',
          row({ action: text, siteName: text, actor: text, at: float8, remark: text }),
          `SELECT b.action, coalesce(w.ws_name, '') AS "siteName", b.actor, ${epoch('b.at')} AS at, b.remark FROM device_bindings b LEFT JOIN sites w ON w.tenant_id = b.tenant_id AND w.id = b.site_id WHERE b.tenant_id = $1 AND b.device_id = $2 ORDER BY b.at DESC LIMIT 100`,
          keys,
        )
        return { spans: spans.rows, bindings: bindings.rows }
      }),
    spares: async ({ query }, call) => {
      const { near } = await atSite(call, query.site_id)
      const where = deviceScope(near.user.scope)
        .add((p) => `d.bc_id = ANY(${p}::uuid[])`, near.user.scope.bcs)
        .plain(`d.device_status = ${deviceStatus.code.spare}`)
      return near.read(
        async (tx) =>
          (
            await tx.query(
              'devices.spares',
              row({
                id: uuid,
                sn: text,
                type: text.of(deviceType),
                model: text,
                version: int4,
              }),
              `SELECT d.id, d.sn, d.type, d.model, d.version FROM devices d WHERE ${where.text} ORDER BY d.type, d.sn LIMIT 200`,
              where.values,
            )
          ).rows,
      )
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
      return null
    },
    change: ({ body }, call) => call.write((tx) => changeDevice(tx, call, body)),
    live: ({ query }, call) =>
      call.write(async (tx) => {
        const where = deviceScope(call.user.scope).add((p) => `d.id = ${p}::uuid`, query.id)
        const { rows } = await tx.query(
          'devices.live',
          row({ sn: text, status: int2, picture: text.null, at: float8.null }),
          `SELECT d.sn, d.device_status AS status, d.last_picture AS picture, ${epoch('d.last_picture_at')} AS at FROM devices d WHERE ${where.text}`,
          where.values,
        )
        const device = found(rows[0])
        const online = device.status === deviceStatus.code.online
        const url =
          online && videoGateway ? videoGateway.replace('{sn}', encodeURIComponent(device.sn)) : null
        await call.log(tx, {
          action: '实时预览',
          object: 'device',
          objectId: query.id,
          after: { shown: url ? '直播' : '最近抓拍' },
        })
        const hindered = online ? '没有配置视频网关' : `设备${deviceStatus.label(device.status)}`
        const why = url ? '' : `${hindered}，只能看最近一次抓拍`
        if (!url && !device.picture) throw new Refused(`${why}；还没有抓拍`)
        return { url, picture: device.picture, pictureAt: device.at, why }
      }),
    export: ({ query }, call) => sendList(call, '设备', deviceColumns, devicePage(call.user.scope, query)),
  })
