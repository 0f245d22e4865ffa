import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { connectAsync, type MqttClient } from 'mqtt'

import { chance, modelOn, planDay, type Planned, type PlayedDevice, tidinessOf } from './days.ts'
import { httpDoor, Refused } from './door.ts'
import { draw } from './pictures.ts'

/**
 * Plays the devices of the demo through their real door: first the past, day by day, then the present.
 * Environment: BASE_URL, MQTT_URL, DEVICES (a file), HISTORY_DAYS, HOLIDAYS (days on which hardly anybody
 * works), SPEED (1 = real time). Its parent is told of every finished day.
 */
// Whoever started it is gone, however that ended: nobody counts what is sent from here on.
process.on('disconnect', () => process.exit(0))

const baseUrl = process.env.BASE_URL ?? 'http://127.0.0.1:8080'
const mqttUrl = process.env.MQTT_URL ?? 'mqtt://127.0.0.1:1883'
const speed = Number(process.env.SPEED ?? 1)
const devices = JSON.parse(await readFile(process.env.DEVICES!, 'utf8')) as PlayedDevice[]
const holidays = new Set((process.env.HOLIDAYS ?? '').split(','))
const door = httpDoor(baseUrl)

const SHANGHAI = 8 * 3_600
const DAY = 86_400
const MAX_EVENTS = 500
const AT_ONCE = 12
const now = () => Math.floor(Date.now() / 1000)
const dayOf = (at: number) => new Date((at + SHANGHAI) * 1000).toISOString().slice(0, 10)
const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000 - SHANGHAI
const eventsOf = (device: PlayedDevice, day: string, ago: number) =>
  planDay(device, { day, start: startOf(day), ago, isHoliday: holidays.has(day) })
const clock = (at: number) => new Date((at + SHANGHAI) * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** The picture is uploaded by the device itself, then named in the event. */
async function withPicture(device: PlayedDevice, { shot, ...event }: Planned): Promise<object> {
  if (!shot) return event
  const bytes = await draw({
    type: shot,
    variant: Math.floor(chance(device.sn, event.id) * 1000),
    camera: device.sn,
    time: clock(event.at),
  })
  return { ...event, picture: await door.file(device, bytes) }
}

async function each<T>(list: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...list]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
    }),
  )
}

const silenced = new Set<string>()
const isRefusal = (error: unknown): boolean => error instanceof Refused
/** What a device fails at (it is refused, say) is told of once and leaves the others alone. */
async function alone(
  device: PlayedDevice,
  work: () => Promise<unknown>,
  mayFail: (error: unknown) => boolean,
): Promise<void> {
  try {
    await work()
    silenced.delete(device.sn)
  } catch (error) {
    if (!mayFail(error)) throw error
    if (!silenced.has(device.sn)) console.error(`模拟器：${(error as Error).message}`)
    silenced.add(device.sn)
  }
}

/** One past day of every device; days that are over, in order, so that states follow each other. */
async function replay(day: string, ago: number, until: number): Promise<void> {
  await each(devices, async (device) => {
    const events: object[] = []
    // A home that people live in takes no picture of an evening: that event is left out.
    for (const planned of eventsOf(device, day, ago).filter((e) => e.at <= until))
      if (!planned.shot) events.push(planned)
      else await alone(device, async () => events.push(await withPicture(device, planned)), isRefusal)
    for (let i = 0; i < events.length; i += MAX_EVENTS)
      await alone(device, () => door.events(device, events.slice(i, i + MAX_EVENTS)), isRefusal)
  })
}

/** The parent settles the day before the next one begins. */
const settled = (day: string, last: boolean): Promise<void> =>
  new Promise((resolve) => {
    if (!process.send) return resolve()
    process.once('message', () => resolve())
    process.send({ day, last })
  })

const days = Number(process.env.HISTORY_DAYS ?? 0)
const today = dayOf(now())
for (let ago = days; ago >= 0 && days > 0; ago -= 1) {
  const day = dayOf(startOf(today) - ago * DAY + SHANGHAI)
  await replay(day, ago, now())
  await settled(day, ago < 2)
}
process.send?.({ history: 'done' })

// Films are drawn beside everything else; without them the demo goes on.
const recorder = fork(join(import.meta.dirname, 'recorder.ts'))
recorder.on('error', (error) => console.error(`模拟器：${error.message}`))

// A terminal that could not reach the server keeps what it saw and sends it later; what has arrived before is only counted.
const KEPT_DAYS = 6
for (let ago = days ? -1 : KEPT_DAYS; ago >= 0; ago -= 1) {
  const day = dayOf(startOf(today) - ago * DAY + SHANGHAI)
  await each(devices, async (device) => {
    const kept = eventsOf(device, day, ago)
      .filter((e) => (e.kind === 'clockin' || e.kind === 'tidiness') && e.at <= now())
      .map(({ shot: _unkept, ...event }) => event)
    if (kept.length) await door.events(device, kept).catch(() => {})
  })
}

// The present: every device keeps one connection, half of the cameras speak MQTT.
const links = new Map<string, MqttClient>()
async function send(device: PlayedDevice, event: object): Promise<void> {
  if (!device.mqtt) {
    await door.events(device, [event])
    return
  }
  let link = links.get(device.sn)
  if (!link) {
    link = await connectAsync(mqttUrl, {
      username: device.sn,
      password: device.secret,
      clientId: device.sn,
      reconnectPeriod: 5_000,
    })
    link.on('error', () => {})
    links.set(device.sn, link)
  }
  await link.publishAsync(`device/${device.sn}/events`, JSON.stringify({ events: [event] }), { qos: 1 })
}

/** Whatever fails now is that device's own: the next beat is soon. */
const report = (device: PlayedDevice, planned: Planned): Promise<void> =>
  alone(
    device,
    async () => send(device, await withPicture(device, planned)),
    () => true,
  )

const BEAT = 60
/** Beats between two looks; with the cameras of the demo each of those looks every twenty minutes or so. */
const LOOK_BEATS = 20
const begun = now()
const simulated = () => begun + Math.floor((now() - begun) * speed)
const done = new Set<string>()
let beat = 0
async function tick(): Promise<void> {
  const at = now()
  const day = dayOf(simulated())
  const slot = beat++ % BEAT
  for (const [i, device] of devices.entries()) {
    const missing = device.mood === 'flapping' && Math.floor(at / 1_200) % 3 === 0
    if (i % BEAT === slot && !missing)
      await report(device, {
        id: `h-${at}`,
        kind: 'heartbeat',
        at,
        signal: 60 + Math.floor(chance(device.sn, at) * 40),
        firmware: device.type === 'camera' ? '2.4.1' : '1.9.0',
        frameAt: device.mood === 'blind' ? at - 2 * DAY : at,
      })
  }
  // A patrol from afar judges what a camera shows now: half of them look again before their picture is too old.
  if (beat % LOOK_BEATS === 0) {
    const usual = devices.filter((d, i) => d.type === 'camera' && d.mood === 'usual' && i % 2 === 0)
    const device = usual[(beat / LOOK_BEATS) % usual.length]
    if (device)
      await report(device, {
        id: `l-${at}`,
        kind: 'tidiness',
        at,
        result: tidinessOf(chance(device.sn, at)),
        confidence: 0.9,
        shot: 'tidiness',
      })
  }
  // What the plan of today holds is reported when its time has come; an event that comes again is only counted.
  for (const device of devices) {
    for (const planned of eventsOf(device, day, 0)) {
      const key = `${device.sn}:${planned.id}`
      if (planned.kind === 'heartbeat' || done.has(key) || planned.at > simulated() || planned.at < begun)
        continue
      done.add(key)
      await report(device, { ...planned, at: Math.min(planned.at, at) })
    }
  }
  // Something happens every few minutes, whatever the hour at which the demo is watched.
  if (chance('now', at) < 1 / 150) {
    const cameras = devices.filter((d) => d.type === 'camera' && d.mood === 'usual')
    const device = cameras[Math.floor(chance('which', at) * cameras.length)]
    const shot = chance('type', at) < 0.5 ? 'smoking' : 'noclothes'
    if (device)
      await report(device, {
        id: `a-${at}`,
        kind: 'alarm',
        at,
        type: shot,
        confidence: 0.75 + chance('c', at) * 0.24,
        model: modelOn(0),
        shot,
      })
  }
}

let stopping = false
process.on('SIGTERM', () => (stopping = true))
process.on('SIGINT', () => (stopping = true))
while (!stopping) {
  const wait = new Promise((r) => setTimeout(r, 1_000))
  await tick().catch((error: Error) => console.error(`模拟器：${error.message}`))
  await wait
}
for (const link of links.values()) link.end(true)
process.exit(0)
