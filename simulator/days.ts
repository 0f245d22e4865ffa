/** The day's numbers without a memory: the same device, day and purpose give the same chance every time. */
export function chance(...parts: (string | number)[]): number {
  let h = 2_166_136_261
  for (const c of parts.join('|')) h = Math.imul(h ^ c.charCodeAt(0), 16_777_619)
  h ^= h >>> 15
  h = Math.imul(h, 2_246_822_519)
  h ^= h >>> 13
  return (h >>> 0) / 4_294_967_296
}

export interface PlayedDevice {
  sn: string
  secret: string
  type: string
  site: string
  siteName: string
  mqtt: boolean
  workers: string[]
  crew?: string[]
  /** The day on which its site began (YYYY-MM-DD). */
  from?: string
  mood: 'usual' | 'stuck' | 'quiet' | 'blind' | 'flapping'
}
export interface Planned {
  id: string
  kind: string
  at: number
  /** A picture of this type is drawn and sent first. */
  shot?: 'smoking' | 'noclothes' | 'cameraproblem' | 'tidiness' | 'clockin' | 'visitor'
  [field: string]: unknown
}

const HOUR = 3_600
const BEATS = 4
const STUCK_DAYS = 9
const FROZEN_DAYS = 2

/** One device on one day. */
interface DayOf {
  device: PlayedDevice
  day: string
  isHoliday: boolean
  /** Unix second at which the Shanghai day begins. */
  start: number
  /** Days before today. */
  ago: number
  /** Nobody is on the site. */
  empty: boolean
  /** The device drops out after its first heartbeat. */
  dark: boolean
  /** A chance of this device on this day. */
  c: (...purpose: (string | number)[]) => number
}

/**
 * What one device reports on one day: people come at about 7:30 and leave towards evening, it rains now and then,
 * Sundays are thin and holidays thinner, a stuck site is empty, a blind camera shows the same frame, a flapping one
 * drops out.
 * @param start Unix second at which the Shanghai day begins
 * @param ago days before today
 */
export function planDay(
  device: PlayedDevice,
  { day, start, ago, isHoliday }: Pick<DayOf, 'day' | 'start' | 'ago' | 'isHoliday'>,
): Planned[] {
  if (device.from && day < device.from) return []
  const c = (...p: (string | number)[]) => chance(device.sn, day, ...p)
  const dark = c('dark') < (device.mood === 'flapping' ? 0.35 : 0.015)
  const stuck = device.mood === 'stuck' && ago < STUCK_DAYS
  const closed = isHoliday && chance(device.site, day) < CLOSED
  const empty = stuck || closed || (device.mood === 'quiet' && chance(device.site, day) < 0.6)
  const of: DayOf = { device, day, isHoliday, start, ago, empty, dark, c }
  const planned = heartbeats(of)
  if (device.type === 'faceTerminal' && !empty) planned.push(...clockIns(of))
  if (device.type === 'camera' && !dark && !isFrozen(device, ago)) planned.push(...sights(of))
  return planned.sort((a, b) => a.at - b.at)
}

/** A blind camera has shown the same frame since yesterday: it sees nothing that it could report. */
const isFrozen = (device: PlayedDevice, ago: number) => device.mood === 'blind' && ago < FROZEN_DAYS

function heartbeats({ device, day, start, ago, dark, c }: DayOf): Planned[] {
  const beats = dark ? 1 : BEATS
  return Array.from({ length: beats }, (_, i) => {
    const at = start + Math.floor((i + 0.2 + c('beat', i) * 0.3) * (24 / BEATS) * HOUR)
    return {
      id: `h-${day}-${i}`,
      kind: 'heartbeat',
      at,
      signal: 55 + Math.floor(c('signal', i) * 45),
      firmware: device.type === 'camera' ? '2.4.1' : '1.9.0',
      frameAt: isFrozen(device, ago) ? at - 26 * HOUR : at,
    }
  })
}

/** So many of the sites are shut on a holiday. */
const CLOSED = 0.7
/** How many of the crew come. */
function attendanceOf(rain: boolean, sunday: boolean, isHoliday: boolean): number {
  if (isHoliday) return 0.3
  if (rain) return 0.45
  return sunday ? 0.4 : 0.82
}

function clockIns({ device, day, isHoliday, start, ago }: DayOf): Planned[] {
  const rain = chance('rain', day) < 0.1
  const sunday = new Date(start * 1000 + 8 * HOUR * 1000).getUTCDay() === 0
  const share = attendanceOf(rain, sunday, isHoliday)
  return device.workers
    .filter((w) => chance(w, day) < share)
    .flatMap((w) => {
      const late = (chance(w, day, 'in') + chance(w, day, 'in2') - 0.9) * 0.9 * HOUR + (rain ? 0.7 * HOUR : 0)
      return [
        {
          id: `i-${day}-${w}`,
          kind: 'clockin',
          at: start + Math.floor(7.5 * HOUR + late),
          w_id: w,
          direction: 'in',
          similarity: 0.86 + chance(w, day, 's') * 0.13,
          ...(ago < 2 ? { shot: 'clockin' as const } : {}),
        },
        {
          id: `o-${day}-${w}`,
          kind: 'clockin',
          at: start + Math.floor((17.2 + chance(w, day, 'out') * 1.4) * HOUR),
          w_id: w,
          direction: 'out',
          similarity: 0.86 + chance(w, day, 's2') * 0.13,
        },
      ]
    })
}

/** Of so many of the last days the evening's picture is kept: people who patrolled show what they saw. */
const PICTURED_DAYS = 6
/** Before that one a week, so far back. */
const PICTURED_WEEKS = 8
const isPictured = (ago: number) => ago < PICTURED_DAYS || (ago % 7 === 0 && ago <= PICTURED_WEEKS * 7)
/** How tidy a camera finds its site: 1 good, 2 middling, 3 bad. */
export function tidinessOf(lot: number): number {
  if (lot < 0.5) return 1
  return lot < 0.86 ? 2 : 3
}

/** Cameras that take a workbench lamp for a cigarette: a model's mistakes come again and again from the same place. */
const isMistaken = (device: PlayedDevice) => device.mood === 'usual' && chance(device.sn, 'lamp') < 0.12
/** The newer version sees half of those places rightly. */
const NEWER_DAYS = 45
export const modelOn = (ago: number) => (ago < NEWER_DAYS ? 'ZG-2.4' : 'ZG-2.3')
const MISTAKES = 0.5

/** What a camera sees: the evening's tidiness, and people doing what they should not. */
function sights({ device, day, start, ago, empty, c }: DayOf): Planned[] {
  const planned: Planned[] = [
    {
      id: `t-${day}`,
      kind: 'tidiness',
      at: start + 18 * HOUR,
      result: tidinessOf(c('tidy')),
      confidence: 0.9,
      ...(isPictured(ago) ? { shot: 'tidiness' as const } : {}),
    },
  ]
  if (empty) return planned
  const at = (p: string) => start + Math.floor((8 + c(p, 'hour') * 9) * HOUR)
  /** Now and then the camera knows whom it sees. */
  const seen = (p: string) =>
    device.crew?.length && c(p, 'known') < 0.4
      ? { w_id: device.crew[Math.floor(c(p, 'who') * device.crew.length)] }
      : {}
  const model = modelOn(ago)
  const isCured = ago < NEWER_DAYS && chance(device.sn, 'cured') < 0.5
  const isLamp = isMistaken(device) && c('lamp') < (isCured ? MISTAKES / 5 : MISTAKES)
  if (isLamp || c('smoke') < 0.055)
    planned.push({
      id: `s-${day}`,
      kind: 'alarm',
      at: at('smoke'),
      type: 'smoking',
      // Of what it mistakes for something it is less sure.
      confidence: isLamp ? 0.5 + c('k') * 0.09 : 0.72 + c('k') * 0.27,
      model,
      ...(isLamp ? {} : seen('smoke')),
      shot: 'smoking',
    })
  if (c('cloth') < 0.07)
    planned.push({
      id: `n-${day}`,
      kind: 'alarm',
      at: at('cloth'),
      type: 'noclothes',
      confidence: 0.7 + c('k') * 0.29,
      model,
      ...seen('cloth'),
      shot: 'noclothes',
    })
  if (c('skew') < 0.012)
    planned.push({
      id: `p-${day}`,
      kind: 'alarm',
      at: at('skew'),
      type: 'cameraproblem',
      confidence: 0.8 + c('k') * 0.19,
      model,
      shot: 'cameraproblem',
    })
  if (c('visit') < 0.08)
    planned.push({
      id: `v-${day}`,
      kind: 'visitor',
      at: at('visit'),
      seconds: 120 + Math.floor(c('stay') * 2_400),
      similarity: c('k') * 0.5,
      ...(ago < 14 ? { shot: 'visitor' as const } : {}),
    })
  return planned
}

const FIRST_FILMED_HOUR = 7
const LAST_FILMED_HOUR = 19
/** Two files that join each other, every hour of work. */
const FILES = 2
const FILE_S = 90
const UNFILMED = 0.12

/** What a camera has recorded of one day, now and then nothing. */
export function filmsOf(sn: string, day: string, start: number): { from: number; seconds: number }[] {
  const hours = Array.from(
    { length: LAST_FILMED_HOUR - FIRST_FILMED_HOUR + 1 },
    (_, i) => i + FIRST_FILMED_HOUR,
  )
  return hours
    .filter((hour) => chance(sn, day, 'film', hour) >= UNFILMED)
    .flatMap((hour) =>
      Array.from({ length: FILES }, (_, i) => ({ from: start + hour * HOUR + i * FILE_S, seconds: FILE_S })),
    )
}
