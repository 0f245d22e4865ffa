import {
  feedbackAbout,
  feedbackKind,
  feedbackLevel,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { promiseSubject } from '@zhuguan/contract/features/promises/promises.record.ts'

import type { EnterObjection } from '../promises/promises.service.ts'
import { enterFeedback } from './entering.service.ts'

/** An owner to whom a promise was not kept complains: a supervisor judges the promise, the feedback has its clocks. */
export const enterObjection: EnterObjection = async (
  tx,
  call,
  { content, keptAt, site_id, subject, reason, channel },
) => {
  const { goods, work } = feedbackAbout.code
  const { id } = await enterFeedback(tx, call, {
    site_id,
    kind: feedbackKind.code.complaint,
    level: feedbackLevel.code.normal,
    about: subject === promiseSubject.code.goods ? goods : work,
    about_id: undefined,
    channel,
    words: `对承诺“${content}”的兑现有异议：${reason}`,
    pictures: [],
    of_id: undefined,
    // It is theirs to whom it was kept, who may have sold the home since.
    said_at: keptAt ?? undefined,
  })
  return id
}
