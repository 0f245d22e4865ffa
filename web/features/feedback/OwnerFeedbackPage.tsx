import { useQuery } from '@tanstack/react-query'
import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'

import { call } from '../../kit/api.ts'
import { useList } from '../../kit/list/useList.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { Feedbacks } from './Feedbacks.tsx'

/** The feedback of the owner of one home. */
export default function OwnerFeedbackPage() {
  const list = useList(feedbackApi.list, { about: 'site_id' })
  const { site_id } = list.address.filters
  const { data: site } = useQuery({
    queryKey: [sitesApi.details.path, site_id],
    enabled: !!site_id,
    queryFn: ({ signal }) => call(sitesApi.details, { query: { id: site_id! } }, signal),
  })
  if (!site_id) return <NoSubject what="业主" from="反馈与投诉" />
  return (
    <Feedbacks
      list={list}
      site_id={site_id}
      about={<b className="about">{site?.ws_name}</b>}
      empty="这一家没有反馈。"
    />
  )
}
