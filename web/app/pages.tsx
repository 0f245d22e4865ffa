import type { QueryClient } from '@tanstack/react-query'
import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { ListEndpoint } from '@zhuguan/contract/kit/paging.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'
import { type ComponentType, lazy } from 'react'

import HomeMasterPage from '../features/home/HomeMasterPage.tsx'
import SiteListPage from '../features/sites/SiteListPage.tsx'
import { firstPage } from '../kit/list/useList.ts'

const pages: Record<PageName, () => Promise<{ default: ComponentType }>> = {
  Login: () => import('../features/errors/NotFoundPage.tsx'),
  Preview: () => import('../features/errors/PreviewPage.tsx'),
  NotFound: () => import('../features/errors/NotFoundPage.tsx'),
  NoAccess: () => import('../features/errors/NoAccessPage.tsx'),
  ServerError: () => import('../features/errors/ServerErrorPage.tsx'),
  HomeMaster: () => Promise.resolve({ default: HomeMasterPage }),
  // The first list travels with the application, and with it what all lists share: fewer requests, no more bytes.
  SiteList: () => Promise.resolve({ default: SiteListPage }),
  SiteMap: () => import('../features/sites/SiteMapPage.tsx'),
  SiteInfo: () => import('../features/sites/SiteInfoPage.tsx'),
  WorkerList: () => import('../features/workers/WorkerListPage.tsx'),
  WorkerInfo: () => import('../features/workers/WorkerInfoPage.tsx'),
  WorkerAttend: () => import('../features/attendance/WorkerAttendPage.tsx'),
  AlarmEvent: () => import('../features/alarms/AlarmEventPage.tsx'),
  NoWork: () => import('../features/no-work/NoWorkPage.tsx'),
  AttendStatistics: () => import('../features/statistics/AttendStatisticsPage.tsx'),
  DailySheet: () => import('../features/statistics/DailySheetPage.tsx'),
  DailyMonitor: () => import('../features/statistics/DailyMonitorPage.tsx'),
  DeviceStatistics: () => import('../features/statistics/DeviceStatisticsPage.tsx'),
  DeviceStock: () => import('../features/devices/DeviceStockPage.tsx'),
  DeviceBindLog: () => import('../features/devices/DeviceBindLogPage.tsx'),
  CompanyList: () => import('../features/companies/CompanyListPage.tsx'),
  CompanyStore: () => import('../features/companies/CompanyStorePage.tsx'),
  UserList: () => import('../features/users/UserListPage.tsx'),
  RoleList: () => import('../features/roles/RoleListPage.tsx'),
  PageList: () => import('../features/pages/PageListPage.tsx'),
  DeviceAdmin: () => import('../features/devices/DeviceAdminPage.tsx'),
  UserLog: () => import('../features/userlogs/UserLogPage.tsx'),
  SetSelf: () => import('../features/settings/SetSelfPage.tsx'),
  DeviceList: () => import('../features/devices/DeviceListPage.tsx'),
}

/** Component names come from the server and are data: only these names become components. */
export const PAGE_COMPONENTS = Object.fromEntries(
  Object.entries(pages).map(([name, load]) => [name, lazy(load)]),
) as unknown as Record<PageName, ComponentType>
/** Fetches a page's code before it is clicked. */
export const prefetchPage = (name: string) =>
  void (pages as Record<string, (() => Promise<unknown>) | undefined>)[name]?.().catch(() => {})

/** Lists whose first rows are asked for when their menu entry is pressed: the click is a tenth of a second later. */
const FIRST_ROWS: Partial<Record<PageName, ListEndpoint>> = {
  SiteList: sitesApi.list,
  WorkerAttend: attendanceApi.list,
  AlarmEvent: alarmsApi.list,
  NoWork: noWorkApi.list,
  DeviceList: devicesApi.list,
}
export const prefetchRows = (client: QueryClient, name: string): void => {
  const endpoint = FIRST_ROWS[name as PageName]
  if (endpoint) void client.prefetchQuery(firstPage(endpoint))
}
