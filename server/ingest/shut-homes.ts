import type { DeviceEvent } from '@zhuguan/contract/features/devices/devices.events.ts'
import { deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { isOver, LIVED_IN_REFUSAL, overRefusal } from '@zhuguan/contract/features/looking/looking.record.ts'

import type { Database, Tx } from '../database/connect.ts'
import type { FileStore } from '../features/files/file-store.ts'
import { dropUnnamedFiles } from '../features/files/loose-pictures.service.ts'
import { homeAt, type HomeRow } from '../features/looking/looking.reads.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { clocksOf } from '../features/settings/business-time.reads.ts'
import type { Detection } from '../kit/detection.ts'
import { Refused } from '../kit/refuse.ts'
import { shanghaiTime } from '../kit/shanghai.ts'
import type { KnownDevice } from './device-book.ts'
import { filesNamed } from './files-named.ts'

/** A terminal's clock-ins are about workers; all else that is seen shows the home. */
const ofHome = ({ device, event }: { device: { type: string }; event: DeviceEvent }): boolean =>
  event.kind !== 'heartbeat' && !(event.kind === 'clockin' && device.type === deviceType.code.faceTerminal)

const secondsOf = (event: DeviceEvent): { from: number; to: number } =>
  event.kind === 'recording' ? event : { from: event.at, to: event.at }

/**
 * Why what devices saw in homes is not taken: the site has ended, however late it is told and whatever the device's
 * clock says; or people live there, and it was seen outside of working hours by the event's own time
 * (docs/decisions/0505).
 */
export async function shutHomes(
  tx: Tx,
  told: readonly Detection[],
  homes: ReadonlyMap<string, HomeRow>,
): Promise<ReadonlyMap<Detection, string>> {
  const shut = new Map<Detection, string>()
  const lived: { seen: Detection; home: HomeRow }[] = []
  for (const seen of told) {
    const home = seen.device.site ? homes.get(seen.device.site) : undefined
    if (!home || !ofHome(seen)) continue
    if (isOver(home)) shut.set(seen, overRefusal(home))
    else if (home.livedIn) lived.push({ seen, home })
  }
  if (lived.length === 0) return shut
  const clocks = await clocksOf(
    tx,
    'answerHours',
    lived.map(({ seen, home }) => ({ tenant: seen.device.tenant, bc: home.homeBc })),
  )
  for (const { seen, home } of lived) {
    const { from, to } = secondsOf(seen.event)
    // A moment is the millisecond that begins there; a film is taken whole or not at all.
    const span = { from: new Date(from * 1000), to: new Date(Math.max(from * 1000 + 1, to * 1000)) }
    if (clocks.between(home.homeBc, span.from, span.to) < span.to.getTime() - span.from.getTime())
      shut.set(seen, LIVED_IN_REFUSAL)
  }
  return shut
}

/** What was uploaded for events that are refused leaves at once, unless something else names it. */
export async function dropShut(
  tx: Tx,
  files: FileStore,
  shut: ReadonlyMap<Detection, string>,
  foreign: ReadonlySet<string>,
): Promise<void> {
  const keys = new Map<string, string[]>()
  for (const { device, event } of shut.keys())
    for (const { key } of filesNamed(event))
      if (!foreign.has(`${device.id}:${key}`))
        keys.set(device.tenant, [...(keys.get(device.tenant) ?? []), key])
  for (const [tenant, some] of keys) await dropUnnamedFiles(tx, files, tenant, [...new Set(some)])
}

/**
 * Refuses a picture or film of a home that nobody looks into now. Only a terminal is told apart: its pictures prove
 * clock-ins. Refused for a while it says for how long.
 */
export async function refuseShut(db: Database, device: KnownDevice, now: Date): Promise<void> {
  const { site, tenant, type } = device
  if (!site || type === deviceType.code.faceTerminal) return
  await db.tx(
    SYSTEM,
    async (tx) => {
      const home = await homeAt(tx, tenant, site)
      if (!home) return
      if (isOver(home)) throw new Refused(overRefusal(home), 403, 403)
      if (!home.livedIn) return
      const { from } = (await clocksOf(tx, 'answerHours', [{ tenant, bc: home.homeBc }])).span(
        home.homeBc,
        now,
      )
      if (from <= now) return
      const again = `${shanghaiTime(from).slice(5)} 以后再传上班时间的画面`
      const after = Math.ceil((from.getTime() - now.getTime()) / 1000)
      throw new Refused(`家里有人居住，下班时间不接收画面，${again}`, 403, 403, null, after)
    },
    { readOnly: true },
  )
}
