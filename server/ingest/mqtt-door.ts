import { timingSafeEqual } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { MAX_BODY_BYTES } from '@zhuguan/contract/features/devices/devices.events.ts'
import { Aedes, type Client } from 'aedes'
import { connect as connectMqtt } from 'mqtt'

import type { Bound } from '../kit/bound.ts'
import { Refused } from '../kit/refuse.ts'
import type { Batcher } from './batcher.ts'
import type { DeviceBook, KnownDevice } from './device-book.ts'
import { mqttGate, type MqttGateRules } from './mqtt-gate.ts'
import { readEvents } from './read-events.ts'

/** A site's devices stand behind one address; a whole region's may stand behind one proxy. */
const GATE: MqttGateRules = {
  atOnce: 20_000,
  each: 2_000,
  helloMs: 10_000,
  helloBytes: 2_048,
  // The largest body, with its topic and number.
  packetBytes: MAX_BODY_BYTES + 1_024,
}

export interface MqttDeps {
  book: DeviceBook
  batcher: Batcher
  /** The number of unknown ones that are looked up at once. */
  strangers: Bound
  now: () => Date
  history: () => boolean
  warn: (error: unknown) => void
}
export interface MqttDoor {
  url: string
  use?: () => { running: number; refused: number }
  /** Whether devices are heard: an outside broker may be away, or not let us listen. */
  up: () => boolean
  close(): Promise<void>
}

const eventsOf = (sn: string) => `device/${sn}/events`
const acksOf = (sn: string) => `device/${sn}/acks`
const same = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** The same body as over HTTP; answers the same envelope. Throws only when the message must be sent again. */
async function take(
  deps: MqttDeps,
  sn: string,
  speaks: (device: KnownDevice, all: readonly KnownDevice[]) => boolean,
  payload: Buffer,
): Promise<string> {
  try {
    const devices = await deps.book.find(sn)
    const device = devices.find((d) => speaks(d, devices))
    if (!device) throw new Refused(devices.length > 1 ? '这个序列号不止一个集团登记' : '设备未登记', 401)
    if (payload.length > MAX_BODY_BYTES) throw new Refused('内容太大', 413)
    const data = await deps.batcher.submit({
      device,
      nonce: null,
      ...readEvents(payload, device, deps.now(), deps.history()),
    })
    return JSON.stringify({ code: 200, msg: '', data })
  } catch (error) {
    if (error instanceof Refused && error.code !== 503)
      return JSON.stringify({ code: error.code, msg: error.message, data: null })
    throw error
  }
}

interface BrokerAt {
  port: number
  host: string
  /** Somebody chose the port: devices know it, and another one would be no use to them. */
  chosen?: boolean
}
/** Port → the next free one when it is taken, so that a second product on the machine does not stop ours. */
async function listen(server: Server, { port, host, chosen }: BrokerAt): Promise<number> {
  for (let p = port; ; p += 1) {
    const taken = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      server.once('error', resolve)
      server.listen(p, host, () => resolve(undefined))
    })
    server.removeAllListeners('error')
    if (!taken) return (server.address() as { port: number }).port
    if (taken.code === 'EADDRINUSE' && chosen)
      throw new Error(`MQTT_PORT 的端口 ${p} 已被占用：请停掉占着它的程序，或换一个端口并告诉设备`)
    if (taken.code !== 'EADDRINUSE' || p > port + 100) throw taken
  }
}

/** A broker inside the server. A publish is acknowledged after its events are committed. */
export async function startBroker(deps: MqttDeps, at: BrokerAt, rules = GATE): Promise<MqttDoor> {
  const broker = await Aedes.createBroker({ maxClientsIdLength: 64, connectTimeout: rules.helloMs })
  const signedIn = new WeakMap<Client, { sn: string; secret: string }>()
  const bySn = new Map<string, Client>()
  const snOf = (client: Client | null) => (client && signedIn.get(client)?.sn) ?? ''
  broker.on('clientDisconnect', (client) => {
    if (bySn.get(snOf(client)) === client) bySn.delete(snOf(client))
  })
  /** A device that was deleted, or signs with another secret now, is not the one that came in. */
  async function recheck(sn: string): Promise<void> {
    const client = bySn.get(sn)
    if (!client) return
    const devices = await deps.book.find(sn)
    if (!devices.some((d) => d.secret === signedIn.get(client)?.secret)) client.close()
  }
  // One after the other: when nothing could be heard for a while, it may be any of thousands.
  let checking = Promise.resolve()
  const deaf = deps.book.onChange((sn) => {
    for (const one of sn ? [sn] : bySn.keys())
      if (bySn.has(one)) checking = checking.then(() => recheck(one)).catch(deps.warn)
  })
  broker.authenticate = (client, username, password, done) => {
    const refuse = (returnCode: 3 | 4) => done(Object.assign(new Error('auth'), { returnCode }), false)
    const { remoteAddress = '' } = client.conn as Socket
    const sn = username ?? ''
    const known = deps.book.peek(sn)
    const asked = known ? Promise.resolve(known) : deps.strangers.run(remoteAddress, () => deps.book.find(sn))
    const judge = (devices: readonly KnownDevice[]) => {
      const device = devices.find((d) => same(String(password ?? ''), d.secret))
      if (!device || client.id !== device.sn) return refuse(4)
      signedIn.set(client, { sn: device.sn, secret: device.secret })
      bySn.set(device.sn, client)
      done(null, true)
    }
    // Not now is another code than not known, which a device may take for good.
    asked.then(judge, () => refuse(3))
  }
  broker.authorizeSubscribe = (client, subscription, done) =>
    done(
      null,
      [eventsOf(snOf(client)), acksOf(snOf(client))].includes(subscription.topic) ? subscription : null,
    )
  broker.authorizePublish = (client, packet, done) => {
    const sn = snOf(client)
    if (packet.topic !== eventsOf(sn)) return done(new Error('topic'))
    const secret = client && signedIn.get(client)?.secret
    take(deps, sn, (device) => device.secret === secret, Buffer.from(packet.payload)).then(
      (answer) => {
        done(null)
        broker.publish(
          { cmd: 'publish', topic: acksOf(sn), payload: answer, qos: 1, retain: false, dup: false },
          () => {},
        )
      },
      (error) => {
        deps.warn(error)
        done(new Error('busy'))
      },
    )
  }
  const gate = mqttGate(rules, (socket) => broker.handle(socket))
  const server = createServer((socket) => gate.handle(socket))
  const open = await listen(server, at)
  server.on('error', deps.warn)
  return {
    url: `mqtt://127.0.0.1:${open}`,
    use: gate.use,
    up: () => true,
    close: () => {
      deaf()
      return new Promise((resolve) => broker.close(() => server.close(() => resolve())))
    },
  }
}

const AGAIN_MS = 1_000
/** A start waits so long for a broker, to be able to say that it is away. */
const JOIN_MS = 2_000
const LOOK_MS = 20
const REFUSED_QOS = 128
/** Behind an existing broker, which signs the devices in; several servers share the subscription. */
export async function joinBroker(deps: MqttDeps, url: string): Promise<MqttDoor> {
  let closing = false
  /** The broker would not send it again on this connection: what cannot be filed now is kept and tried again, unacknowledged. */
  async function takeInTheEnd(sn: string, payload: Buffer): Promise<string | undefined> {
    while (!closing) {
      try {
        // The topic is all that is known of who speaks: it must say one device.
        return await take(deps, sn, (_device, all) => all.length === 1, payload)
      } catch (error) {
        deps.warn(error)
        await sleep(AGAIN_MS)
      }
    }
    return undefined
  }
  const client = connectMqtt(url, { clean: true, reconnectPeriod: 1_000 })
  client.on('error', deps.warn)
  let isHeard = false
  client.on('close', () => (isHeard = false))
  client.on('connect', () =>
    client.subscribe('$share/zhuguan/device/+/events', { qos: 1 }, (error, granted = []) => {
      isHeard = !error && granted.length > 0 && granted.every(({ qos }) => qos < REFUSED_QOS)
      if (!isHeard) deps.warn(error ?? new Error('MQTT_URL 的 broker 不让程序订阅 device/+/events'))
    }),
  )
  client.handleMessage = (packet, done) => {
    const sn = /^device\/([^/]+)\/events$/.exec(packet.topic)?.[1]
    if (!sn) return done()
    void takeInTheEnd(sn, Buffer.from(packet.payload as Buffer)).then((answer) => {
      if (answer === undefined) return
      done()
      client.publish(acksOf(sn), answer, { qos: 1 })
    })
  }
  for (const until = performance.now() + JOIN_MS; !isHeard && performance.now() < until;) await sleep(LOOK_MS)
  return {
    url,
    up: () => isHeard,
    close: () => {
      closing = true
      return client.endAsync(true)
    },
  }
}
