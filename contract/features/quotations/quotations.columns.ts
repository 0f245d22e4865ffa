import { code, columnsOf, day, money, number, price, text, time } from '../../kit/columns.ts'
import type { quotationsApi } from './quotations.api.ts'
import { quotationStatus } from './quotations.record.ts'

export const quotationColumns = columnsOf<typeof quotationsApi.list>()({
  code: text('编号', 'code', { sort: 'code', fixed: true }),
  customer: text('客户', 'customerName'),
  community: text('小区', 'community'),
  area: price('面积', 'area'),
  package: text('套餐', 'packageName'),
  total: money('总价', 'total', { sort: 'total' }),
  below: money('低于售价', 'below', { wide: true }),
  /** For who may read costs. */
  margin: price('毛利率 %', 'margin'),
  status: code('审核状态', 'status', quotationStatus),
  number: number('版本', 'number'),
  until: day('有效期至', 'validUntil', { sort: 'validUntil' }),
  quoter: text('报价员', 'quoterName'),
  at: time('修改时间', 'changedAt', { sort: 'changedAt', wide: true }),
  bc: text('分公司', 'bc_name', { wide: true }),
  store: text('门店', 'storeName', { wide: true }),
})
