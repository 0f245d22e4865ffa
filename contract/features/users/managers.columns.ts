import { code, columnsOf, number, percent, text } from '../../kit/columns.ts'
import type { managersApi } from './managers.api.ts'
import { principalPost } from './users.record.ts'

export const managerColumns = columnsOf<typeof managersApi.list>()({
  name: text('姓名', 'nickname', { sort: 'nickname', fixed: true }),
  post: code('岗位', 'post', principalPost),
  bc: text('分公司', 'bc_name'),
  sites: number('在管工地数', 'sites', { sort: 'sites' }),
  open: number('手上整改', 'open'),
  late: number('超期', 'late'),
  onTime: percent('整改及时率', 'onTime', { sort: 'onTime' }),
  corrections: number('计入条数', 'corrections'),
  phone: text('电话', 'phone'),
})
