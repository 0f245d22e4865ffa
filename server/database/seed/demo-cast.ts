import { deviceStatus } from '@zhuguan/contract/features/devices/devices.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'

import { SEED_ROLES } from './roles.ts'

/** The facts that the simulator needs to play a device; written to the data folder for it alone. */
export interface SimulatedDevice {
  sn: string
  secret: string
  type: string
  site: string
  siteCode: string
  siteName: string
  mqtt: boolean
  /** The person who clocks in at it. */
  workers: string[]
  /** The person who works where it stands. */
  crew: string[]
  /** The day on which its site began; it reports nothing of the days before. */
  from: string
  /** The mood of the days of its site. */
  mood: Mood
}
type Mood = 'usual' | 'stuck' | 'quiet' | 'blind' | 'flapping'

export const SECOND_BRANCH = [
  'branch_gm',
  'pm',
  'steward',
  'inspector',
  'device_keeper',
  'cashier',
  'quoter',
  'examiner',
]

/** Who works in each branch: the first has every role, the other group its administrator and a few hands. */
export const PEOPLE_OF_BRANCH: { user: string; role: string }[][] = [
  SEED_ROLES.map((r) => ({ user: r.code, role: r.code })),
  SECOND_BRANCH.map((r) => ({ user: `${r}2`, role: r })),
  [
    { user: 'other', role: 'admin' },
    { user: 'other_pm', role: 'pm' },
    { user: 'other_steward', role: 'steward' },
    { user: 'other_cashier', role: 'cashier' },
    { user: 'other_quoter', role: 'quoter' },
    { user: 'other_examiner', role: 'examiner' },
  ],
]
export const POST_OF_ROLE: Record<string, number> = {
  steward: principalPost.code.steward,
  pm: principalPost.code.manager,
}

/** A site's state by its place in the branch: the last has not begun, the one before is finished, the 12th ended. */
export function statusOf(index: number, sites: number): number {
  if (index === sites - 1) return siteStatus.code.notStarted
  if (index === sites - 2) return siteStatus.code.finished
  return index === 11 ? siteStatus.code.terminated : siteStatus.code.building
}

const MOODS: Record<number, Mood> = { 3: 'stuck', 5: 'blind', 7: 'flapping' }
/** The mood of the days of a branch's site. */
export const moodOf = (branch: number, index: number): Mood =>
  MOODS[index] ?? (branch === 1 && index > 8 ? 'quiet' : 'usual')

const DEVICES = 120
/** Number of devices each branch has. */
export const DEVICES_OF_BRANCH = [52, 38, DEVICES - 52 - 38]
/** The stock beside the bound devices, in turn. */
const SPARES = ['router', 'camera', 'camera', 'edgeBox', 'camera', 'camera']
export const spareType = (index: number): string => SPARES[index % SPARES.length]!
export const spareStatus = (index: number): number =>
  index % 2 ? deviceStatus.code.spare : deviceStatus.code.inStock
export const MODELS: Record<string, { prefix: string; model: string }> = {
  faceTerminal: { prefix: 'FT', model: 'FaceGo F3' },
  camera: { prefix: 'CAM', model: 'EyeSite C6' },
  router: { prefix: 'RT', model: 'LinkBox R2' },
  edgeBox: { prefix: 'EB', model: 'EdgeOne X1' },
}
