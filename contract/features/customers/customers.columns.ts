import { code, columnsOf, flag, money, text, time } from '../../kit/columns.ts'
import { signingProgress } from '../contracts/contracts.record.ts'
import type { customersApi } from './customers.api.ts'
import { customerHeld, customerSource, customerStep, lostReason } from './customers.record.ts'

export const customerColumns = columnsOf<typeof customersApi.list>()({
  name: text('姓名', 'name', { fixed: true }),
  phone: text('电话', 'phone'),
  source: code('来源', 'source', customerSource),
  community: text('小区', 'community'),
  area: text('面积', 'area'),
  budget: money('预算', 'budget', { sort: 'budget', wide: true }),
  style: text('风格', 'style', { wide: true }),
  store: text('门店', 'storeName'),
  consultant: text('顾问', 'consultantName'),
  progress: code('签约进度', 'signingProgress', signingProgress, { sort: 'step' }),
  followed: time('最近跟进', 'followedAt', { sort: 'followedAt' }),
  next: time('下次跟进', 'nextAt', { sort: 'nextAt' }),
  step: code('进展', 'step', customerStep, { only: 'file' }),
  held: code('归属', 'held', customerHeld, { only: 'file' }),
  lost: code('流失原因', 'lostReason', lostReason, { only: 'file' }),
  refuses: flag('拒绝联系', 'refuses', { only: 'file' }),
  introducer: text('介绍人', 'introducerName', { only: 'file' }),
  notice: text('告知版本', 'notice', { only: 'file' }),
  bc: text('分公司', 'bc_name', { only: 'file' }),
  entered: time('登记时间', 'createdAt', { sort: 'createdAt', wide: true }),
})
