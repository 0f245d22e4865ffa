import type { PageName } from '@zhuguan/contract/pages.ts'
import { type ComponentType, lazy } from 'react'
import HomeMasterPage from '../features/home/HomeMasterPage.tsx'

const pages: Record<PageName, () => Promise<{ default: ComponentType }>> = {
  Login: () => import('../features/errors/NotFoundPage.tsx'),
  Preview: () => import('../features/errors/PreviewPage.tsx'),
  NotFound: () => import('../features/errors/NotFoundPage.tsx'),
  NoAccess: () => import('../features/errors/NoAccessPage.tsx'),
  ServerError: () => import('../features/errors/ServerErrorPage.tsx'),
  HomeMaster: () => Promise.resolve({ default: HomeMasterPage }),
  SiteList: () => import('../features/sites/SiteListPage.tsx'),
  SiteInfo: () => import('../features/sites/SiteInfoPage.tsx'),
  WorkerAttend: () => import('../features/attendance/WorkerAttendPage.tsx'),
  AlarmEvent: () => import('../features/alarms/AlarmEventPage.tsx'),
  NoWork: () => import('../features/no-work/NoWorkPage.tsx'),
  AttendStatistics: () => import('../features/statistics/AttendStatisticsPage.tsx'),
  DailySheet: () => import('../features/statistics/DailySheetPage.tsx'),
  DailyMonitor: () => import('../features/statistics/DailyMonitorPage.tsx'),
  DeviceStatistics: () => import('../features/statistics/DeviceStatisticsPage.tsx'),
  DeviceList: () => import('../features/devices/DeviceListPage.tsx'),
}

/** Component names come from the server and are data: only these names become components. */
export const PAGE_COMPONENTS = Object.fromEntries(Object.entries(pages).map(([name, load]) => [name, lazy(load)])) as unknown as Record<PageName, ComponentType>
/** Fetches a page's code before it is clicked. */
export const prefetchPage = (name: string) => void (pages as Record<string, (() => Promise<unknown>) | undefined>)[name]?.().catch(() => {})
