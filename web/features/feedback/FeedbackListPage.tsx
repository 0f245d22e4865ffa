import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'

import { rowsBy } from '../../kit/ahead.ts'
import { useList } from '../../kit/list/useList.ts'
import { Feedbacks } from './Feedbacks.tsx'

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(feedbackApi.list)

export default function FeedbackListPage() {
  return (
    <Feedbacks
      list={useList(feedbackApi.list)}
      empty="还没有反馈。业主打来电话、到店或在现场说的，点“登记”写下来。"
    />
  )
}
