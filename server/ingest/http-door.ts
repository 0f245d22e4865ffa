import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'
import { MAX_BODY_BYTES, MAX_FILE_BYTES } from '@zhuguan/contract/features/devices/devices.events.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Database } from '../database/connect.ts'
import { type FileStore, fileType, picture } from '../features/files/file-store.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { type Bound, hold } from '../kit/bound.ts'
import { Refused } from '../kit/refuse.ts'
import type { Batcher } from './batcher.ts'
import type { DeviceBook, KnownDevice } from './device-book.ts'
import { firstTime } from './first-time.ts'
import { nameFile } from './name-file.ts'
import { readEvents } from './read-events.ts'
import { headersOf, signerOf } from './signed.ts'
import { stoodLately } from './stands.ts'

export interface DoorDeps {
  db: Database
  book: DeviceBook
  batcher: Batcher
  files: FileStore
  now: () => Date
  history: () => boolean
  bounds: { strangers: Bound; device: Bound; deviceFile: Bound }
}

const unknown = () => new Refused('设备未登记或签名不正确', 401, 401)
/** People are answered 200 with a code inside, devices by the HTTP code as well (docs/device-protocol.md). */
const asBadRequest = (error: unknown): never => {
  throw error instanceof Refused ? new Refused(error.message, 400, 400) : error
}
const said = (request: FastifyRequest, now: Date) => headersOf(request, 'x-device-sn', now, unknown)

/** Which of the devices under this number sent it. */
async function enterDevice(
  request: FastifyRequest,
  body: Buffer,
  book: DeviceBook,
  now: Date,
): Promise<{ device: KnownDevice; nonce: string }> {
  const who = said(request, now)
  const device = signerOf(who, body, await book.find(who.sn))
  if (!device) throw unknown()
  if (who.isLate) throw new Refused('设备时间与服务器相差超过 300 秒', 401, 401)
  return { device, nonce: who.nonce }
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
    /** Before the body: a device that we know, a place for it, and only then its megabytes. */
    const before = (room: Bound) => async (request: FastifyRequest, reply: FastifyReply) => {
      const { sn } = said(request, deps.now())
      const known =
        deps.book.peek(sn) ?? (await deps.bounds.strangers.run(request.ip, () => deps.book.find(sn)))
      if (known.length === 0) throw unknown()
      await hold(room, sn, reply)
    }
    const ok = (data: unknown) => ({ code: 200, msg: '', data })

    door.route({
      method: deviceDoorApi.events.method,
      url: deviceDoorApi.events.path,
      bodyLimit: MAX_BODY_BYTES,
      onRequest: before(deps.bounds.device),
      handler: async (request) => {
        const body = raw(request)
        const { device, nonce } = await enterDevice(request, body, deps.book, deps.now())
        const read = readEvents(body, device, deps.now(), deps.history())
        return ok(await deps.batcher.submit({ device, nonce, ...read }))
      },
    })

    door.route({
      method: deviceDoorApi.files.method,
      url: deviceDoorApi.files.path,
      bodyLimit: MAX_FILE_BYTES,
      onRequest: before(deps.bounds.deviceFile),
      handler: async (request) => {
        const body = raw(request)
        const { device, nonce } = await enterDevice(request, body, deps.book, deps.now())
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
      },
    })
  })
}
