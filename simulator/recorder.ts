import { appendFile, readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

import { filmsOf, type PlayedDevice } from './days.ts'
import { httpDoor } from './door.ts'
import { film, type Stretch } from './film.ts'

/**
 * Films what some of the demo's cameras have recorded in the last days and go on recording, and uploads it through
 * their door; the newest first. In a process of its own that takes what nobody else needs, and rests twice as long as
 * it draws. Environment: BASE_URL, DEVICES (a file), FILMED (a file: what has been uploaded).
 */
// Whoever started it is gone: nobody looks at what is filmed from here on.
process.on('disconnect', () => process.exit(0))
setPriority(constants.priority.PRIORITY_LOW)

const door = httpDoor(process.env.BASE_URL ?? 'http://127.0.0.1:8080')
const devices = JSON.parse(await readFile(process.env.DEVICES!, 'utf8')) as PlayedDevice[]
const filmedFile = process.env.FILMED!
const filmed = new Set((await readFile(filmedFile, 'utf8').catch(() => '')).split('\n'))

const SHANGHAI = 8 * 3_600
const DAY = 86_400
const PAST_DAYS = 2
const CAMERAS_OF_SITE = 2
const LOOK_MS = 60_000
const RESTS = 2
const now = () => Math.floor(Date.now() / 1000)

/** The cameras of each branch's first site: two of one room are seen side by side. */
function filmingCameras(): PlayedDevice[] {
  const cameras = devices.filter((d) => d.type === 'camera' && d.mood === 'usual')
  return [...Map.groupBy(cameras, (d) => d.sn.replace(/\d+$/, '')).values()].flatMap((ofBranch) =>
    ofBranch.filter((d) => d.site === ofBranch[0]!.site).slice(0, CAMERAS_OF_SITE),
  )
}

interface Due extends Stretch {
  device: PlayedDevice
  id: string
}
/** The newest that is over and has not been uploaded. */
function nextOf(cameras: readonly PlayedDevice[]): Due | undefined {
  const today = Math.floor((now() + SHANGHAI) / DAY) * DAY - SHANGHAI
  return Array.from({ length: PAST_DAYS + 1 }, (_, ago) => today - ago * DAY)
    .flatMap((start) =>
      cameras.flatMap((device) => {
        const day = new Date((start + SHANGHAI) * 1000).toISOString().slice(0, 10)
        return filmsOf(device.sn, day, start).map((f) => ({ ...f, device, sn: device.sn, id: `f-${f.from}` }))
      }),
    )
    .filter((f) => f.from + f.seconds <= now() && !filmed.has(`${f.sn} ${f.id}`))
    .sort((a, b) => b.from - a.from)[0]
}

async function record({ device, id, ...stretch }: Due): Promise<void> {
  const bytes = await film(stretch)
  const file = await door.file(device, bytes)
  const { from, seconds } = stretch
  const to = from + seconds
  await door.events(device, [{ id, kind: 'recording', at: to, from, to, file, bytes: bytes.length }])
}

const cameras = filmingCameras()
for (;;) {
  const due = nextOf(cameras)
  if (!due) {
    await pause(LOOK_MS)
    continue
  }
  const begun = performance.now()
  // What fails is left out, so that one camera that somebody has unbound does not keep the others waiting.
  await record(due).catch((error: Error) => console.error(`模拟器：${error.message}`))
  const name = `${due.sn} ${due.id}`
  filmed.add(name)
  await appendFile(filmedFile, `${name}\n`)
  await pause((performance.now() - begun) * RESTS)
}
