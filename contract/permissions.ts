import { PAGES, type PageName } from './pages.ts'

/** Every operation permission, its page and its words. The role editor and the seed list what stands here. */
export const PERMISSIONS: Record<string, { page: PageName; title: string }> = {
  'site:add': { page: 'SiteList', title: '新增' },
  'site:edit': { page: 'SiteList', title: '编辑' },
  'site:state': { page: 'SiteList', title: '开工/完工/终止' },
  'site:bind': { page: 'SiteList', title: '绑定设备' },
  'site:import': { page: 'SiteList', title: '导入' },
  'site:export': { page: 'SiteList', title: '导出' },
  'nowork:reason': { page: 'NoWork', title: '登记原因' },
  'nowork:tell': { page: 'NoWork', title: '通知经理' },
  'nowork:export': { page: 'NoWork', title: '导出' },
  'worker:add': { page: 'WorkerList', title: '新增' },
  'worker:edit': { page: 'WorkerList', title: '编辑/停用' },
  'worker:send': { page: 'WorkerList', title: '派往/撤离工地' },
  'worker:face': { page: 'WorkerList', title: '录入人脸' },
  'worker:phone': { page: 'WorkerList', title: '显示完整电话' },
  'worker:unmask': { page: 'WorkerList', title: '逐个查看电话' },
  'worker:import': { page: 'WorkerList', title: '导入' },
  'worker:export': { page: 'WorkerList', title: '导出' },
  'attend:makeup': { page: 'WorkerAttend', title: '补卡' },
  'attend:export': { page: 'WorkerAttend', title: '导出' },
  'alarm:assign': { page: 'AlarmEvent', title: '指派' },
  'alarm:correct': { page: 'AlarmEvent', title: '整改' },
  'alarm:review': { page: 'AlarmEvent', title: '复核' },
  'alarm:cancel': { page: 'AlarmEvent', title: '取消' },
  'alarm:export': { page: 'AlarmEvent', title: '导出' },
  'device:bind': { page: 'DeviceList', title: '绑定/解绑' },
  'device:edit': { page: 'DeviceList', title: '编辑' },
  'device:delete': { page: 'DeviceList', title: '删除' },
  'device:export': { page: 'DeviceList', title: '导出' },
  'device:live': { page: 'DeviceList', title: '实时预览' },
  'statistics:export': { page: 'AttendStatistics', title: '导出' },
  'daily:export': { page: 'DailySheet', title: '导出' },
}
/** The right to open a page, as a label beside the operations. */
export const pageLabel = (name: string) => `page:${name}`
export const isPage = (name: string): name is PageName => name in PAGES
