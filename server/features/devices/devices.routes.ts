import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { bindStatus, deviceStatus, deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { found, Refused } from '../../kit/refuse.ts'
import { type Feature, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { instant, sendWorkbook, word } from '../exports/exports.service.ts'
import { DEVICE_FROM, devicePage, deviceWhere } from './devices.queries.ts'
import { deviceScope } from './devices.reads.ts'
import { changeDevice } from './devices.service.ts'

interface Preview {
  sn: string
  status: number
  picture: string | null
  at: number | null
}

export const devicesFeature = ({ videoGateway }: { videoGateway: string | null }): Feature =>
  serve(devicesApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, devicePage(call.user.scope, query))),
    history: ({ query }, call) =>
      call.read(async (tx) => {
        const where = deviceScope(call.user.scope).add((p) => `d.id = ${p}::uuid`, query.id)
        found(
          (await tx.query('devices.one', `SELECT d.id FROM devices d WHERE ${where.text}`, where.values))
            .rows[0],
        )
        const keys = [call.user.tenant, query.id]
        const spans = await tx.query<never>(
          'devices.spans',
          `SELECT state, extract(epoch FROM from_at)::int AS from, extract(epoch FROM to_at)::int AS to, cause FROM device_spans WHERE tenant_id = $1 AND device_id = $2 ORDER BY from_at DESC LIMIT 200`,
          keys,
        )
        const bindings = await tx.query<never>(
          'devices.bindings',
          `SELECT b.action, coalesce(w.ws_name, '') AS "siteName", b.actor, extract(epoch FROM b.at)::int AS at, b.remark FROM device_bindings b LEFT JOIN sites w ON w.tenant_id = b.tenant_id AND w.id = b.site_id WHERE b.tenant_id = $1 AND b.device_id = $2 ORDER BY b.at DESC LIMIT 100`,
          keys,
        )
        return { spans: spans.rows, bindings: bindings.rows }
      }),
    bind: ({ body }, call) =>
      call.write(async (tx) => {
        // Whoever may bind devices from a site's page may bind; unbinding stays with the device's keepers.
        const user = hasPermission(call.user, 'site:bind')
          ? { ...call.user, permissions: [...call.user.permissions, 'device:bind'] }
          : call.user
        await changeDevice(tx, { ...call, user }, { ...body, action: 'bind' })
        return null
      }),
    change: ({ body }, call) => call.write(async (tx) => (await changeDevice(tx, call, body), null)),
    live: ({ query }, call) =>
      call.write(async (tx) => {
        const where = deviceScope(call.user.scope).add((p) => `d.id = ${p}::uuid`, query.id)
        const { rows } = await tx.query<Preview>(
          'devices.live',
          `SELECT d.sn, d.device_status AS status, d.last_picture AS picture, extract(epoch FROM d.last_picture_at)::int AS at FROM devices d WHERE ${where.text}`,
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
        const why = url
          ? ''
          : online
            ? '没有配置视频网关，只能看最近一次抓拍'
            : `设备${deviceStatus.label(device.status)}，只能看最近一次抓拍`
        if (!url && !device.picture) throw new Refused(`${why}；还没有抓拍`)
        return { url, picture: device.picture, pictureAt: device.at, why }
      }),
    export: ({ query }, call) =>
      sendWorkbook(call, '设备', {
        from: DEVICE_FROM,
        where: deviceWhere(call.user.scope, query),
        order: 'd.sn',
        columns: [
          ['序列号', 'd.sn'],
          ['类型', word('d.type', deviceType)],
          ['型号', 'd.model'],
          ['分公司', 'c.bc_name'],
          ['绑定状态', word('d.bind_status', bindStatus)],
          ['工地', 'w.ws_name'],
          ['设备状态', word('d.device_status', deviceStatus)],
          ['信号', 'd.signal'],
          ['最近心跳', instant('d.last_seen')],
          ['固件', 'd.firmware'],
          ['备注', 'd.remark'],
        ],
      }),
  })
