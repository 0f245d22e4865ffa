import { deviceStatus } from '@zhuguan/contract/features/devices/devices.record.ts'
import type { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import {
  KEEP_S,
  type LookingOf,
  type OpenStream,
  STREAMS_EACH,
} from '@zhuguan/contract/features/streams/streams.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { found, Refused } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { lookingAt, lookings } from '../looking/looking.reads.ts'
import { beginView, endViews, keepViews } from '../video/video-views.service.ts'
import type { VideoSettings } from './gateway.ts'
import { cameraNow, homesOfCameras, livingViews, openViews } from './streams.queries.ts'

/** Begins a view of what a camera sees now; its address is made by who knows the keys. */
export async function openLive(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof streamsApi)['open']>,
  video: VideoSettings | null,
): Promise<Omit<OpenStream, 'address'>> {
  const { user } = call
  const camera = found(await cameraNow(tx, user.scope, body.device_id))
  const { device_id, site_id, bc_id, sn, status, picture, pictureAt } = camera
  if (!site_id || !bc_id) throw new Refused('这台设备没有装在工地上，没有画面可看')
  const { why, until } = await lookingAt(tx, user.tenant, site_id, call.now())
  if (why) throw new Refused(why, 409, 200, { noLook: true })
  if ((await openViews(tx, user.tenant, user.id)) >= STREAMS_EACH)
    throw new Refused(`您同时打开的直播已有 ${STREAMS_EACH} 路，请先关掉一些`, 429)
  const online = status === deviceStatus.code.online
  const kind = online && video ? video.kind : null
  const hindered = online ? '没有配置视频网关' : `设备${deviceStatus.label(status)}`
  const { view, hours } = await beginView(tx, call, { device_id, site_id, bc_id }, body)
  await call.log(tx, {
    action: '实时预览',
    object: 'device',
    objectId: device_id,
    after: { sn, site_id, purpose: body.purpose, words: body.words, ...hours },
  })
  return {
    view,
    deviceSn: sn,
    siteId: site_id,
    kind,
    picture,
    pictureAt,
    lookUntil: until,
    why: kind ? '' : `${hindered}，只能看最近一次抓拍`,
    keepS: KEEP_S,
  }
}

/** Whether somebody may look through cameras at this moment, where they stand now. */
export async function lookingNow(tx: Tx, call: Call, devices: readonly string[]): Promise<LookingOf[]> {
  const cameras = await homesOfCameras(tx, call.user.scope, devices)
  const looks = await lookings(tx, call.user.tenant, cameras, call.now())
  return cameras.map((camera) => ({ device_id: camera.device_id, ...looks(camera) }))
}

/** Those of the views that go on, with the newest stills; the others end now. */
export async function keepLive(tx: Tx, call: Call, views: readonly string[]) {
  const { tenant, id, scope } = call.user
  const living = await livingViews(tx, scope, id, views)
  const going = living.map((one) => one.view)
  const ended = views.filter((view) => !going.includes(view))
  if (going.length) await keepViews(tx, tenant, id, going)
  if (ended.length) await endViews(tx, tenant, id, ended)
  return {
    ended,
    stills: living.map(({ view, picture, pictureAt, lookUntil }) => ({
      view,
      picture,
      pictureAt,
      lookUntil,
    })),
  }
}
