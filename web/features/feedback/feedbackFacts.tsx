import type { FeedbackDetail, FeedbackRow } from '@zhuguan/contract/features/feedback/feedback.record.ts'

import { Fact } from '../../kit/Facts.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { ContactPhone } from '../../parts/ContactPhone.tsx'
import { OwnerOf } from './feedbackTable.tsx'

/** The owner whose words they are; one of before reads no page and is called. */
export const OwnerFact = ({ of: f, detail }: { of: FeedbackRow; detail: FeedbackDetail | undefined }) => (
  <Fact name="业主">
    <OwnerOf of={f} />{' '}
    {detail?.contact_id && detail.ownerPhone && (
      <ContactPhone of={{ id: detail.contact_id, name: f.ownerName, phone: detail.ownerPhone }} />
    )}
  </Fact>
)

/** The promise that it objects to, where the objection is judged. */
export const ObjectedOf = ({ of: f }: { of: FeedbackRow }) =>
  f.promise_id && (
    <Fact name="承诺">
      <LinkTo page="PromiseList" query={{ id: f.promise_id }}>
        对承诺的异议
      </LinkTo>
      {f.unjudged && <small className="quiet"> 等待主管裁定</small>}
    </Fact>
  )
