import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'
import { MAX_BODY_BYTES, MAX_FILE_BYTES } from '@zhuguan/contract/features/devices/devices.events.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Database } from '../database/connect.ts'
import { type FileStore, fileType, isTransportStream, picture } from '../features/files/file-store.ts'
import { filmOf } from '../features/recordings/read-film.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import type { Allowance, Bound } from '../kit/bound.ts'
import { byNetwork } from '../kit/network.ts'
import { Refused } from '../kit/refuse.ts'
import type { Batcher } from './batcher.ts'
import type { DeviceBook, KnownDevice } from './device-book.ts'
import { firstTime } from './first-time.ts'
import { nameFile } from './name-file.ts'
import { readEvents } from './read-events.ts'
import { refuseShut } from './shut-homes.ts'
import { type Heard, provingDoor } from './signed.ts'
import { stoodLately } from './stands.ts'

export interface DoorDeps {
  db: Database
  book: DeviceBook
  batcher: Batcher
  files: FileStore
  now: () => Date
  history: () => boolean
  allowances: Record<'devicePictures' | 'deviceClips' | 'deviceBytes', Allowance>
  heard: Heard
  bounds: Record<
    'strangers' | 'unproved' | 'unprovedFile' | 'heard' | 'heardFile' | 'device' | 'deviceFile',
    Bound
  >
}

const unknown = () => new Refused('设备未登记或签名不正确', 401, 401)
/** A recorder's own form is told by its name: it is not broken, it wants to be put into an MP4. */
const notTaken = (body: Buffer): string =>
  isTransportStream(body)
    ? '这是 MPEG-TS，不是 MP4，请把设备的录像格式改为 MP4'
    : '只接收 JPG、PNG、WebP 图片或 MP4 视频'
/** People are answered 200 with a code inside, devices by the HTTP code as well (docs/device-protocol.md). */
const asBadRequest = (error: unknown): never => {
  throw error instanceof Refused ? new Refused(error.message, 400, 400) : error
}

/** The devices' door over HTTP. It reads raw bytes, so it lives in a scope of its own. */
export async function registerDeviceDoor(app: FastifyInstance, deps: DoorDeps): Promise<void> {
  await app.register(async (door) => {
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_FILE_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    const raw = (request: FastifyRequest): Buffer =>
      Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const { bounds } = deps
    function spend(device: KnownDevice, isClip: boolean, bytes: number): void {
      // While the demo's past is being told, ninety days are one.
      if (deps.history()) return
      const { deviceClips, devicePictures, deviceBytes } = deps.allowances
      const each = isClip ? deviceClips : devicePictures
      each.spend(device.id, deps.now())
      deviceBytes.spend(device.id, deps.now(), bytes)
    }
    const machines = provingDoor<KnownDevice>({
      who: 'x-device-sn',
      heard: deps.heard,
      unknown,
      late: '设备时间与服务器相差超过 300 秒',
      now: deps.now,
      find: async (request, sn) =>
        deps.book.peek(sn) ?? (await bounds.strangers.run(byNetwork(request.ip), () => deps.book.find(sn))),
      placeOf: (device) => device.id,
    })
    const ok = (data: unknown) => ({ code: 200, msg: '', data })

    door.route({
      method: deviceDoorApi.events.method,
      url: deviceDoorApi.events.path,
      config: { allowance: 'events of a device' },
      bodyLimit: MAX_BODY_BYTES,
      onRequest: machines.before(bounds.device, { heard: bounds.heard, strange: bounds.unproved }),
      handler: (request) => {
        const body = raw(request)
        return machines.inside(bounds.device, request, body, async (device, nonce) => {
          const read = readEvents(body, device, deps.now(), deps.history())
          return ok(await deps.batcher.submit({ device, nonce, ...read }))
        })
      },
    })

    door.route({
      method: deviceDoorApi.files.method,
      url: deviceDoorApi.files.path,
      config: { allowance: 'uploads of a device' },
      bodyLimit: MAX_FILE_BYTES,
      onRequest: machines.before(bounds.deviceFile, {
        heard: bounds.heardFile,
        strange: bounds.unprovedFile,
      }),
      handler: (request) => {
        const body = raw(request)
        return machines.inside(bounds.deviceFile, request, body, async (device, nonce) => {
          if (!device.site && !(await stoodLately(deps.db, device)))
            throw new Refused('设备未绑定工地，不能上传', 403, 403)
          await refuseShut(deps.db, device, deps.now())
          const type = fileType(body)
          if (!type) throw new Refused(notTaken(body), 400, 400)
          const isClip = type === 'mp4'
          spend(device, isClip, body.length)
          // The nonce first: a replayed upload costs neither decoding nor disk.
          const { replayed } = await deps.db.tx(SYSTEM, (tx) => firstTime(tx, [{ device, nonce, keys: [] }]))
          if (replayed.size) throw new Refused('重复的请求', 401, 401)
          const bytes = isClip ? body : await picture(body).catch(asBadRequest)
          const key = await deps.files.put(bytes, isClip ? 'mp4' : 'jpg')
          const film = isClip ? await filmOf(deps.files, key) : undefined
          if (isClip && !film) throw new Refused('录像文件已损坏或不完整，请重新上传', 400, 400)
          const named = nameFile(deps.db, device, {
            key,
            kind: isClip ? 'clip' : 'picture',
            film,
            bytes: bytes.length,
            at: deps.now(),
          })
          await named.catch((error: unknown) => deps.files.unnamed(key, error))
          return ok({ key })
        })
      },
    })
  })
}
