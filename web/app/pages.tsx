import type { QueryClient } from '@tanstack/react-query'
import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { ListEndpoint } from '@zhuguan/contract/kit/paging.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'
import { type ComponentType, lazy } from 'react'

import HomeMasterPage from '../features/home/HomeMasterPage.tsx'
import SiteListPage from '../features/sites/SiteListPage.tsx'
import { rowsAt } from '../kit/list/useList.ts'

type Load = () => Promise<{ default: ComponentType }>
/**
 * A page is the file that is named for it: `AlarmEvent` is features/alarms/AlarmEventPage.tsx. What a link opens is no
 * part of this application (LinkApp.tsx).
 */
const FILES = import.meta.glob<{ default: ComponentType }>([
  '../features/*/*Page.tsx',
  '!../features/home/HomeMasterPage.tsx',
  '!../features/sites/SiteListPage.tsx',
  '!../features/links/PreviewPage.tsx',
])
const nameOf = (file: string) => file.slice(file.lastIndexOf('/') + 1, -'Page.tsx'.length)
const pages: ReadonlyMap<string, Load> = new Map<string, Load>([
  ...Object.entries(FILES).map(([file, load]): [string, Load] => [nameOf(file), load]),
  ['HomeMaster', () => Promise.resolve({ default: HomeMasterPage })],
  // The first list travels with the application, and with it what all lists share: fewer requests, no more bytes.
  ['SiteList', () => Promise.resolve({ default: SiteListPage })],
])
/** Component names come from the server and are data: only the names of pages become components. */
export const PAGE_COMPONENTS: Readonly<Record<string, ComponentType>> = Object.fromEntries(
  [...pages].map(([name, load]) => [name, lazy(load)]),
)
/** Fetches a page's code before it is clicked. */
export const prefetchPage = (name: string) =>
  void pages
    .get(name)?.()
    .catch(() => {})

/**
 * Lists whose rows are asked for while their code is on its way, and when their menu entry is pressed: the click is a
 * tenth of a second later.
 */
const ROWS: Partial<Record<PageName, ListEndpoint>> = {
  SiteList: sitesApi.list,
  WorkerAttend: attendanceApi.list,
  AlarmEvent: alarmsApi.list,
  NoWork: noWorkApi.list,
}
export const prefetchRows = (client: QueryClient, name: string, search = ''): void => {
  const endpoint = ROWS[name as PageName]
  if (endpoint) void client.prefetchQuery(rowsAt(endpoint, search))
}
