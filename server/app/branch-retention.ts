import type { SettingKey } from '@zhuguan/contract/features/settings/settings.record.ts'

import { punchPictures } from '../features/attendance/punch-pictures.service.ts'
import type { FileStore } from '../features/files/files.service.ts'
import { openingDays } from '../features/links/opening-days.service.ts'
import { recordingDays } from '../features/recordings/recording-days.service.ts'
import { daysOfBranches } from '../features/settings/settings.reads.ts'
import { threadDays } from '../features/threads/thread-days.service.ts'
import { viewDays } from '../features/video/view-days.service.ts'
import { visitPictures } from '../features/visitors/visit-pictures.service.ts'
import type { Due } from '../kit/due.ts'
import type { Job } from './jobs.ts'
import { unhurried } from './jobs.ts'
import { carefully, daysBefore, NIGHT } from './retention.ts'

interface Ruled {
  job: `retention.${string}`
  setting: SettingKey
  /** The rows that go, behind its number. */
  words: string
  due: Due
}
/** The rows that each branch keeps as long as its setting says, a line each. */
export const ruledByBranch = (files: FileStore): readonly Ruled[] => [
  { job: 'retention.recordings', setting: 'recordingDays', words: '段录像', due: recordingDays(files) },
  {
    job: 'retention.visit_pictures',
    setting: 'visitorPictureDays',
    words: '张陌生人照片',
    due: visitPictures(files),
  },
  {
    job: 'retention.punch_pictures',
    setting: 'facePictureDays',
    words: '张签到照片',
    due: punchPictures(files),
  },
  { job: 'retention.video_views', setting: 'lookDays', words: '条查看记录', due: viewDays },
  { job: 'retention.link_openings', setting: 'openingDays', words: '条链接浏览记录', due: openingDays },
  { job: 'retention.threads', setting: 'threadDays', words: '条业主留言', due: threadDays(files) },
]

const nightly = ({ job, setting, words, due }: Ruled): Job =>
  carefully({
    kind: job,
    at: NIGHT,
    async run({ db, tenant, now, stopped }) {
      let removed = 0
      const branches = await unhurried(db, (tx) => daysOfBranches(tx, tenant, setting))
      for (const { bc, days } of branches) {
        const of = { tenant, bc, before: daysBefore(now, days) }
        for (let more = true; more && !stopped();) {
          const piece = await unhurried(db, (tx) => due.forget(tx, of))
          removed += piece.removed
          more = piece.more
        }
      }
      return removed ? `删除 ${removed} ${words}` : ''
    },
  })
export const branchRetention = (files: FileStore): readonly Job[] => ruledByBranch(files).map(nightly)
