import { code, columnsOf, text, time } from '../../kit/columns.ts'
import { threadChannel, threadSide } from './thread-page.record.ts'
import type { threadsApi } from './threads.api.ts'
import { threadKind } from './threads.record.ts'

export const threadColumns = columnsOf<typeof threadsApi.list>()({
  at: time('时间', 'at', { sort: 'at', fixed: true }),
  side: code('谁说的', 'side', threadSide),
  who: text('姓名', 'who'),
  kind: code('种类', 'kind', threadKind),
  words: text('留言', 'words'),
  channel: code('渠道', 'channel', threadChannel),
  enteredBy: text('代录人', 'enteredBy'),
  takenAt: time('撤回', 'takenAt'),
  seenAt: time('业主已读', 'seenAt'),
})
