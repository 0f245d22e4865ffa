import { code, columnsOf, day, number, price, text, time } from '../../kit/columns.ts'
import type { packagesApi } from './packages.api.ts'
import { packageStatus } from './packages.record.ts'

export const packageColumns = columnsOf<typeof packagesApi.list>()({
  name: text('套餐', 'name', { sort: 'name', fixed: true }),
  bc: text('分公司', 'bc_name'),
  price: price('每平米价', 'perSquareMetre', { sort: 'perSquareMetre' }),
  least: price('起装面积', 'leastArea'),
  items: number('商品数', 'items'),
  number: number('版本', 'number'),
  used: number('在用报价', 'quotations'),
  from: day('有效期从', 'from', { sort: 'from' }),
  to: day('有效期至', 'to'),
  status: code('状态', 'status', packageStatus),
  by: text('修改人', 'changedBy', { wide: true }),
  at: time('修改时间', 'changedAt', { wide: true }),
})
