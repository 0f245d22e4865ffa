import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'
import { MAX_BODY_BYTES, MAX_FILE_BYTES } from '@zhuguan/contract/features/devices/devices.events.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Database } from '../database/connect.ts'
import { type FileStore, fileType, picture } from '../features/files/file-store.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import type { Bound } from '../kit/bound.ts'
import { byNetwork } from '../kit/network.ts'
import { Refused } from '../kit/refuse.ts'
import type { Batcher } from './batcher.ts'
import type { DeviceBook, KnownDevice } from './device-book.ts'
import { firstTime } from './first-time.ts'
import { nameFile } from './name-file.ts'
import { readEvents } from './read-events.ts'
import { provingDoor } from './signed.ts'
import { stoodLately } from './stands.ts'

export interface DoorDeps {
  db: Database
  book: DeviceBook
  batcher: Batcher
  files: FileStore
  now: () => Date
  history: () => boolean
  bounds: { strangers: Bound; unproved: Bound; unprovedFile: Bound; device: Bound; deviceFile: Bound }
}

const unknown = () => new Refused('设备未登记或签名不正确', 401, 401)
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
    const machines = provingDoor<KnownDevice>({
      who: 'x-device-sn',
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
      bodyLimit: MAX_BODY_BYTES,
      onRequest: machines.before(bounds.device, bounds.unproved),
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
      bodyLimit: MAX_FILE_BYTES,
      onRequest: machines.before(bounds.deviceFile, bounds.unprovedFile),
      handler: (request) => {
        const body = raw(request)
        return machines.inside(bounds.deviceFile, request, body, async (device, nonce) => {
          if (!device.site && !(await stoodLately(deps.db, device)))
            throw new Refused('设备未绑定工地，不能上传', 403, 403)
          const type = fileType(body)
          if (!type) throw new Refused('只接收 JPG、PNG、WebP 图片或 MP4 视频', 400, 400)
          const isClip = type === 'mp4'
          // The nonce first: a replayed upload costs neither decoding nor disk.
          const { replayed } = await deps.db.tx(SYSTEM, (tx) => firstTime(tx, [{ device, nonce, keys: [] }]))
          if (replayed.size) throw new Refused('重复的请求', 401, 401)
          const bytes = isClip ? body : await picture(body).catch(asBadRequest)
          const key = await deps.files.put(bytes, isClip ? 'mp4' : 'jpg')
          const named = nameFile(deps.db, device, {
            key,
            kind: isClip ? 'clip' : 'picture',
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
