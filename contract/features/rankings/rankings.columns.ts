import { code, columnsOf, drawn, number, text, time } from '../../kit/columns.ts'
import { siteStage } from '../sites/sites.record.ts'
import type { rankingsApi } from './rankings.api.ts'

export const rankColumns = columnsOf<typeof rankingsApi.list>()({
  rank: number('名次', 'rank', { sort: 'rank' }),
  name: text('工地', 'siteName', { fixed: true }),
  bc: text('分公司', 'bc_name'),
  reasons: drawn('为什么'),
  stage: code('阶段', 'stage', siteStage, { wide: true }),
  manager: text('项目经理', 'managerName', { wide: true }),
  status: drawn('今天'),
  lastAt: time('上次巡检', 'lastAt', { wide: true }),
})
