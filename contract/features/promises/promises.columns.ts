import { code, columnsOf, day, number, text, time } from '../../kit/columns.ts'
import type { promisesApi } from './promises.api.ts'
import { promiseSource, promiseState, promiseSubject } from './promises.record.ts'

export const promiseColumns = columnsOf<typeof promisesApi.list>()({
  content: text('承诺内容', 'content', { fixed: true }),
  subject: code('事项', 'subject', promiseSubject, { wide: true }),
  owner: text('业主', 'ownerName'),
  site: text('工地', 'siteName'),
  bc: text('分公司', 'bc_name', { wide: true }),
  author: text('承诺人', 'authorName'),
  made: time('承诺日期', 'madeAt', { sort: 'madeAt' }),
  responsible: text('责任人', 'responsibleName', { wide: true }),
  due: day('到期', 'due', { sort: 'due' }),
  status: code('状态', 'state', promiseState, { sort: 'state' }),
  late: number('逾期天数', 'lateDays'),
  first: day('首次到期', 'firstDue', { only: 'file' }),
  extensions: number('延期次数', 'extensions', { only: 'file' }),
  source: code('来源', 'source', promiseSource, { only: 'file' }),
})
