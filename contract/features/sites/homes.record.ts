import { type Code, defineCodes } from '../../kit/codes.ts'
import { siteStatus } from './sites.record.ts'

const { building, finished, notStarted, terminated } = siteStatus.code
/** A finished home's claims are taken only within its warranty. */
type When = 'yes' | 'warranty' | 'no'
const open = { [notStarted]: 'yes', [building]: 'yes' } as const

/** The commands that can be begun with goods of a home. */
export const homeCommand = defineCodes('homeCommand', '商品办理', {
  order: ['order', '下单'],
  ship: ['ship', '发货'],
  resend: ['resend', '补发或换发'],
  short: ['short', '补货'],
  exchange: ['exchange', '换货'],
  back: ['back', '退货'],
  again: ['again', '退货后再订'],
})
export type HomeCommand = Code<typeof homeCommand>
/**
 * Where the site of a home must stand, so that what is begun can also be finished: complaining, judging, approving,
 * ordering and shipping ask this one table (docs/states.md, Homes).
 */
export const HOME_COMMANDS: Readonly<Record<HomeCommand, Readonly<Record<number, When>>>> = {
  order: { ...open, [finished]: 'no', [terminated]: 'no' },
  ship: { ...open, [finished]: 'no', [terminated]: 'no' },
  // What was approved while it could be is owed, whatever became of the home since.
  resend: { ...open, [finished]: 'yes', [terminated]: 'yes' },
  short: { ...open, [finished]: 'warranty', [terminated]: 'no' },
  exchange: { ...open, [finished]: 'warranty', [terminated]: 'no' },
  back: { ...open, [finished]: 'warranty', [terminated]: 'yes' },
  again: { ...open, [finished]: 'no', [terminated]: 'no' },
}
/** The command that is possible instead. */
const INSTEAD: Readonly<Record<HomeCommand, string>> = {
  order: '',
  ship: '；没有发的请和对方结束剩余',
  resend: '',
  short: '；缺的请按退货、不要处理',
  exchange: '；要退的请选退货、不要',
  back: '',
  again: '；请选“不要”',
}
export interface Home {
  siteStatus: Code<typeof siteStatus>
  /** The last day of the warranty of a finished home. */
  warrantyUntil: string | null
}
/**
 * The sentence why this cannot be begun at a home where it stands; `begun`: it was asked for while it could be, and
 * only goes on.
 */
export function homeRefusal(
  command: HomeCommand,
  home: Home,
  today: string,
  { begun = false }: { begun?: boolean } = {},
): string | undefined {
  const when = HOME_COMMANDS[command][home.siteStatus] ?? 'no'
  if (when === 'yes' || (when === 'warranty' && begun)) return undefined
  const stands = `工地${siteStatus.label(home.siteStatus)}`
  if (when === 'no') return `${stands}，不能${homeCommand.label(command)}${INSTEAD[command]}`
  if (home.warrantyUntil !== null && home.warrantyUntil >= today) return undefined
  const until = home.warrantyUntil === null ? '不明' : `到 ${home.warrantyUntil} 为止，已经过了`
  return `${stands}，保修期${until}，不能${homeCommand.label(command)}`
}
