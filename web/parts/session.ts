import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import {
  MENU_LIST,
  type MenuItem,
  type PermissionInfo,
  type Subsystem,
  subsystem,
} from '@zhuguan/contract/features/session/session.record.ts'
import { type PageName, PAGES } from '@zhuguan/contract/pages.ts'
import { useSyncExternalStore } from 'react'

import { call, onAccessChange, toLogin } from '../kit/api.ts'
import { showPicturesTo } from '../kit/pictureAt.ts'
import { forgetDrafts, savedAll } from './drafts.ts'

interface Session {
  info: PermissionInfo
  system: Subsystem
}
let session: Session | null = null
const watchers = new Set<() => void>()
const publish = (next: Session) => {
  session = next
  for (const w of watchers) w()
}

export const systemsOf = (info: PermissionInfo): Subsystem[] =>
  subsystem.values.filter((s) => info.menus[MENU_LIST[s]].length > 0)
const ROLES_WHEN_NONE = ['ROLE_DEFAULT']

function settle(info: PermissionInfo): Session {
  const systems = systemsOf(info)
  const remembered = localStorage.getItem('SET_SYSTEM') as Subsystem | null
  const system = remembered && systems.includes(remembered) ? remembered : (systems[0] ?? 'xc')
  const roles = info.roles.length ? info.roles : ROLES_WHEN_NONE
  sessionStorage.setItem('roles', roles.join(','))
  return { info: { ...info, roles }, system }
}

/** Roles, permissions and menus of the signed-in user; throws when they cannot be had. */
export async function loadSession(): Promise<void> {
  const info = await call(sessionApi.permissionInfo, {})
  showPicturesTo(info.viewer)
  publish(settle(info))
  void forgetDrafts(info.user.id)
}
onAccessChange(() => void loadSession().catch(() => {}))

export function chooseSystem(system: Subsystem): string {
  localStorage.setItem('SET_SYSTEM', system)
  publish({ ...session!, system })
  return landing()
}
/** A link may lead to another subsystem of the user's: it is chosen and said, and the address stays. */
export function switchSystem(path: string): Subsystem | null {
  const to = systemsOf(session!.info).find(
    (system) =>
      system !== session!.system &&
      entriesOf({ info: session!.info, system }).some((e) => e.item.path === path),
  )
  if (!to) return null
  localStorage.setItem('SET_SYSTEM', to)
  publish({ ...session!, system: to })
  return to
}
export async function logOut(): Promise<void> {
  await savedAll()
  await call(sessionApi.logout, {}).catch(() => {})
  await forgetDrafts()
  toLogin()
}

const subscribe = (fn: () => void) => {
  watchers.add(fn)
  return () => watchers.delete(fn)
}
export const useSession = (): Session => useSyncExternalStore(subscribe, () => session!)
export const useActor = () => {
  const { info } = useSession()
  const { id, standsFor } = info.user
  return { id, standsFor, roles: info.roles, permissions: info.permissions }
}

/** A page of the current menus: where it stands and what it is. */
export interface Entry {
  item: MenuItem
  group: MenuItem | null
}
const flat = (menus: readonly MenuItem[]): Entry[] =>
  menus.flatMap((item): Entry[] =>
    item.componentName
      ? [{ item, group: null }]
      : item.children.map((child) => ({ item: child, group: item })),
  )
export const entriesOf = ({ info, system }: Session): Entry[] => flat(info.menus[MENU_LIST[system]])
/** The pages of every subsystem, those of the present one first. */
export const everyEntryOf = (session: Session): Entry[] => {
  const others = Object.values(MENU_LIST).filter((list) => list !== MENU_LIST[session.system])
  return [...entriesOf(session), ...others.flatMap((list) => flat(session.info.menus[list] ?? []))]
}
/** Entries whose name is in the user's role list; a group without any is not shown (docs/product.md). */
export function visibleMenus({ info, system }: Session): MenuItem[] {
  const allowed = new Set(system === 'jf' ? info.rolesJf : info.roles)
  return info.menus[MENU_LIST[system]]
    .map((m) =>
      m.componentName
        ? m
        : { ...m, children: m.children.filter((c) => c.visible && allowed.has(c.componentName)) },
    )
    .filter((m) => m.visible && (m.componentName ? allowed.has(m.componentName) : m.children.length > 0))
}
/** xc lands on the home page, the others on the first child of the first menu (docs/product.md). */
export function landing(s: Session = session!): string {
  const menus = visibleMenus(s)
  const home = s.system === 'xc' && entriesOf(s).some((e) => e.item.path === PAGES.HomeMaster.path)
  return home ? PAGES.HomeMaster.path : firstOf(menus[0])
}
/** A group opens its first child; the group named data opens DailyMonitor. */
export function firstOf(menu: MenuItem | undefined): string {
  if (menu?.componentName) return menu.path
  const monitor = menu?.path === '/data' && menu.children.find((c) => c.componentName === 'DailyMonitor')
  return (monitor || menu?.children[0])?.path ?? '/404'
}

/** Whether this user's menus hold the page. */
export const useMayOpen = (name: PageName): boolean =>
  entriesOf(useSession()).some((e) => e.item.componentName === name)
/** Whether the menus of any of the user's subsystems hold one of them: what their pages ask may be asked. */
export function useMayReachAny(names: readonly PageName[]): boolean {
  const entries = everyEntryOf(useSession())
  return names.some((name) => entries.some((e) => e.item.componentName === name))
}
/** Whether the menus of any of the user's subsystems hold it: a link may lead there. */
export const useMayReach = (name: PageName): boolean => useMayReachAny([name])
