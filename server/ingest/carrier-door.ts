import { CLOCK_SKEW_SECONDS } from '@zhuguan/contract/features/devices/devices.events.ts'
import { carrierDoorApi } from '@zhuguan/contract/features/dispatch/carriers.api.ts'
import {
  type CarrierEvent,
  carrierEvent,
  MAX_CARRIER_EVENTS,
} from '@zhuguan/contract/features/dispatch/carriers.record.ts'
import type { FastifyInstance } from 'fastify'

import type { Database } from '../database/connect.ts'
import { type Carrier, carrierOf, fileCarrierEvents } from '../features/dispatch/carriers.service.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import type { Allowance, Bound } from '../kit/bound.ts'
import { byNetwork } from '../kit/network.ts'
import { Refused } from '../kit/refuse.ts'
import { firstTime } from './first-time.ts'
import { type Heard, provingDoor } from './signed.ts'

const BODY_BYTES = 256 * 1024
const unknown = () => new Refused('承运商未登记或签名不正确', 401, 401)
const isWritable = (v: CarrierEvent): boolean =>
  Object.values(v).every((x) => typeof x !== 'string' || (x.isWellFormed() && !x.includes('\0')))

/** Body → events, each judged by itself. */
function readEvents(body: Buffer, now: Date) {
  let said: { events?: unknown } | null
  try {
    said = JSON.parse(body.toString('utf8')) as typeof said
  } catch {
    throw new Refused('内容不是 JSON', 400, 400)
  }
  const list = said?.events
  if (!Array.isArray(list)) throw new Refused('缺少 events', 400, 400)
  if (list.length > MAX_CARRIER_EVENTS) throw new Refused(`一次最多 ${MAX_CARRIER_EVENTS} 条`, 413, 413)
  const latest = now.getTime() / 1_000 + CLOCK_SKEW_SECONDS
  const events: CarrierEvent[] = []
  const rejected: { id: string; reason: string }[] = []
  for (const item of list as unknown[]) {
    const read = carrierEvent.safeParse(item)
    const id = String((item as { id?: unknown } | null)?.id ?? '')
      .slice(0, 64)
      .toWellFormed()
    if (!read.success)
      rejected.push({ id, reason: `字段不正确：${read.error.issues[0]?.path.join('.') ?? ''}` })
    else if (!isWritable(read.data)) rejected.push({ id, reason: '含有不能保存的字符' })
    else if (read.data.at > latest) rejected.push({ id, reason: '时间在未来' })
    else events.push(read.data)
  }
  return { events, rejected }
}

/** The door where carriers tell of waybills, by the rules of the devices' door. */
export async function registerCarrierDoor(
  app: FastifyInstance,
  deps: {
    db: Database
    secretKey: Buffer
    now: () => Date
    allowances: { carrierEvents: Allowance }
    heard: Heard
    bounds: Record<'device' | 'heard' | 'unproved' | 'strangers', Bound>
  },
): Promise<void> {
  await app.register(async (door) => {
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    const { bounds } = deps
    const machines = provingDoor<Carrier>({
      who: 'x-carrier',
      heard: deps.heard,
      unknown,
      late: '时间与服务器相差超过 300 秒',
      now: deps.now,
      async find(request, account) {
        const known = await bounds.strangers.run(byNetwork(request.ip), () =>
          carrierOf(deps.db, deps.secretKey, account),
        )
        return known ? [known] : []
      },
      placeOf: (carrier) => carrier.id,
    })
    door.route({
      method: carrierDoorApi.events.method,
      url: carrierDoorApi.events.path,
      config: { allowance: 'events of a carrier' },
      bodyLimit: BODY_BYTES,
      onRequest: machines.before(bounds.device, { heard: bounds.heard, strange: bounds.unproved }),
      handler: (request) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        return machines.inside(bounds.device, request, body, async (carrier, nonce) => {
          const { events, rejected } = readEvents(body, deps.now())
          deps.allowances.carrierEvents.spend(carrier.id, deps.now(), events.length)
          const telling = { device: carrier, nonce, keys: [] }
          const { replayed } = await deps.db.tx(SYSTEM, (tx) => firstTime(tx, [telling]))
          if (replayed.size) throw new Refused('重复的请求', 401, 401)
          const filed = await fileCarrierEvents(deps.db, carrier, events)
          const data = { ...filed, rejected: [...rejected, ...filed.rejected] }
          return { code: 200, msg: '', data }
        })
      },
    })
  })
}
