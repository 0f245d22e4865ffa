import { code, columnsOf, number, percent, text } from '../../kit/columns.ts'
import { principalPost } from '../users/users.record.ts'
import type { managersApi } from './managers.api.ts'

export const managerColumns = columnsOf<typeof managersApi.list>()({
  name: text('姓名', 'nickname', { sort: 'nickname', fixed: true }),
  post: code('岗位', 'post', principalPost),
  bc: text('分公司', 'bc_name'),
  sites: number('在管工地数', 'sites', { sort: 'sites' }),
  today: number('今日巡检', 'patrolsToday', { sort: 'patrolsToday' }),
  month: number('本月巡检', 'patrolsMonth', { sort: 'patrolsMonth' }),
  open: number('手上整改', 'open'),
  late: number('超期', 'late'),
  onTime: percent('整改及时率（近 30 天）', 'onTime', { sort: 'onTime' }),
  corrections: number('计入条数', 'corrections'),
  complaints: number('投诉数（近 30 天）', 'complaints', { sort: 'complaints' }),
  phone: text('电话', 'phone'),
})
/** Columns that speak of a page which not everybody has: who may not open it reads nothing of it. */
type Told = 'FeedbackList' | 'PatrolRecord'
const OF_PAGE: Readonly<Partial<Record<keyof typeof managerColumns, Told>>> = {
  today: 'PatrolRecord',
  month: 'PatrolRecord',
  complaints: 'FeedbackList',
}
export const isToldOf = (column: string, opens: (page: Told) => boolean): boolean => {
  const page = Object.entries(OF_PAGE).find(([name]) => name === column)?.[1]
  return page === undefined || opens(page)
}
