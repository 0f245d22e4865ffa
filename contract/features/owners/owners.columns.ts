import { code, columnsOf, number, text, time } from '../../kit/columns.ts'
import { siteStatus } from '../sites/sites.record.ts'
import { homeVideo } from './home-video-state.record.ts'
import type { ownersApi } from './owners.api.ts'

export const ownerColumns = columnsOf<typeof ownersApi.list>()({
  name: text('姓名', 'ownerName', { fixed: true, sort: 'ownerName' }),
  urgent: time('最急时限', 'urgentAt', { sort: 'urgentAt' }),
  phone: text('电话', 'phone'),
  site: text('工地', 'ws_name'),
  bc: text('分公司', 'bc_name', { wide: true }),
  steward: text('管家', 'stewardName'),
  waiting: time('未回复互动', 'waitingSince', { sort: 'waitingSince' }),
  complaints: number('未结投诉', 'openComplaints', { sort: 'complaints' }),
  promises: number('到期承诺', 'duePromises', { sort: 'promises' }),
  questions: number('待业主决定', 'openQuestions'),
  late: number('其中逾期', 'lateQuestions', { only: 'file' }),
  score: number('满意度', 'score', { sort: 'score' }),
  scores: number('评分次数', 'scores', { only: 'file' }),
  video: code('视频授权', 'video', homeVideo),
  looked: time('最近观看', 'lastLookAt', { wide: true }),
  status: code('工地状态', 'status', siteStatus, { wide: true }),
  contacts: number('其他联系人', 'contacts', { wide: true }),
  code: text('工地编号', 'code', { sort: 'code', wide: true }),
  since: time('登记时间', 'since', { sort: 'since', wide: true }),
})
