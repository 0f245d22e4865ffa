import type { LogRow } from '@zhuguan/contract/features/userlogs/userlogs.record.ts'
import { type LogObject, LOGS } from '@zhuguan/contract/logs.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'

export const logObjects = Object.entries(LOGS).map(([value, { title }]) => ({ value, label: title }))

/** The kind of thing that a line is about; nothing for an address that was refused. */
export const kindOf = (l: LogRow): string =>
  Object.hasOwn(LOGS, l.object) ? LOGS[l.object as LogObject].title : ''

/** The page that shows the thing. */
const SHOWN: Partial<Record<LogObject, (l: LogRow) => [PageName, Record<string, string>]>> = {
  site: (l) => ['SiteInfo', { id: l.objectId }],
  worker: (l) => ['WorkerInfo', { id: l.objectId }],
  alarm: (l) => ['AlarmEvent', { id: l.objectId }],
  tidiness: (l) => ['Tidiness', { id: l.objectId }],
  device: (l) => ['DeviceList', { keyword: l.objectName }],
  user: (l) => ['UserList', { keyword: l.objectName }],
  company: (l) => ['CompanyList', { keyword: l.objectName }],
  store: (l) => ['CompanyStore', { keyword: l.objectName }],
  role: () => ['RoleList', {}],
  page: () => ['PageList', {}],
  setting: (l) => ['SetSelf', { bcId: l.objectId }],
}
export function pageOf(l: LogRow): [PageName, Record<string, string>] | undefined {
  return l.objectName ? SHOWN[l.object as LogObject]?.(l) : undefined
}

/** The change, on one line. */
export const summaryOf = (l: LogRow): string =>
  l.changes
    .map(({ title, before, after }) => {
      const values = [before, after].filter(Boolean).join(' → ')
      return after ? `${title}：${values}` : `${title}：${before} → 空`
    })
    .join('；')
