import { code, columnsOf, number, text, time } from '../../kit/columns.ts'
import { viewPurpose } from '../video/purposes.record.ts'
import type { looksApi } from './looks.api.ts'

export const lookColumns = columnsOf<typeof looksApi.looks>()({
  at: time('时间', 'at', { sort: 'at', fixed: true }),
  person: text('联系人', 'person'),
  camera: text('摄像头', 'cameraSn'),
  to: time('到', 'to'),
  seconds: number('时长(秒)', 'seconds', { sort: 'seconds' }),
  device: text('终端', 'device'),
  ended: text('怎样结束', 'ended'),
})
export const homeViewColumns = columnsOf<typeof looksApi.views>()({
  at: time('时间', 'at', { sort: 'at', fixed: true }),
  person: text('查看人', 'userName'),
  post: text('岗位', 'post'),
  camera: text('摄像头', 'cameraSn'),
  what: text('看的是', 'what'),
  from: time('画面从', 'from'),
  to: time('画面到', 'to'),
  seconds: number('时长(秒)', 'seconds', { sort: 'seconds' }),
  purpose: code('目的', 'purpose', viewPurpose),
  words: text('说明', 'words'),
})
