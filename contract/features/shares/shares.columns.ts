import { code, columnsOf, flag, number, text, time } from '../../kit/columns.ts'
import { linkKind, linkState } from '../links/links.record.ts'
import type { sharesApi } from './shares.api.ts'

export const shareColumns = columnsOf<typeof sharesApi.list>()({
  title: text('标题', 'title', { fixed: true }),
  kind: code('对象', 'kind', linkKind),
  customer: text('客户', 'customerName'),
  bc: text('分公司', 'bc_name', { wide: true }),
  store: text('门店', 'storeName', { wide: true }),
  maker: text('创建人', 'makerName'),
  made: time('创建时间', 'madeAt', { sort: 'madeAt', wide: true }),
  expires: time('有效期至', 'expiresAt', { sort: 'expiresAt' }),
  openings: number('打开次数', 'openings', { sort: 'openings' }),
  opened: time('最近打开', 'lastOpenedAt'),
  status: code('状态', 'state', linkState),
  other: flag('另一台设备打开', 'otherDevice', { only: 'file' }),
  unfollowed: flag('打开未跟进', 'unfollowed', { only: 'file' }),
})
