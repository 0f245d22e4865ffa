import { code, codes, columnsOf, day, drawn, number, text, time } from '../../kit/columns.ts'
import type { casesApi } from './cases.api.ts'
import { caseScope, caseState, caseWhere } from './cases.record.ts'

export const caseColumns = columnsOf<typeof casesApi.list>()({
  cover: drawn('封面'),
  title: text('标题', 'title', { fixed: true, sort: 'title' }),
  site: text('工地', 'siteName'),
  status: code('状态', 'state', caseState),
  missing: text('还差什么', 'missing'),
  bc: text('分公司', 'bc_name', { wide: true }),
  style: text('风格', 'style'),
  layout: text('户型', 'layout'),
  area: text('面积', 'area'),
  price: text('造价', 'priceRange'),
  until: day('授权到期', 'until', { sort: 'until' }),
  openings: number('浏览', 'openings', { sort: 'openings' }),
  released: number('已放行照片', 'released', { only: 'file' }),
  scope: codes('公开内容', 'scope', caseScope, { only: 'file' }),
  places: codes('公开场合', 'places', caseWhere, { only: 'file' }),
  changed: time('更新时间', 'changedAt', { sort: 'changedAt', wide: true }),
})
