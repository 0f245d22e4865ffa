import { consentAnswer, consentHow } from '@zhuguan/contract/features/consents/consents.record.ts'
import { grantsApi } from '@zhuguan/contract/features/owners/grants.api.ts'
import {
  type ContactVideo,
  VIDEO_SCOPE,
  VIDEO_WORDING,
  VIDEO_WORDS,
} from '@zhuguan/contract/features/owners/grants.record.ts'

import { DayField } from '../../kit/form/DayField.tsx'
import { ChoiceField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { PictureField } from '../../parts/PictureFields.tsx'

/** Written down for somebody who does not answer on their own page, with what proves it. */
export default function AnswerDrawer({ of, ...p }: DrawerProps & { of: ContactVideo }) {
  const today = dayOf(nowSeconds())
  // Nobody's answer is chosen for them.
  const form = useForm(grantsApi.answer, {
    contact_id: of.contact_id,
    answer: null,
    how: null,
    answeredOn: today,
    proof: null,
  })
  return (
    <FormDrawer {...p} narrow form={form} title={`登记答复：${of.name}`} done="已登记">
      <p className="quiet lead">
        {VIDEO_SCOPE}（说明版本 {VIDEO_WORDING}）。请把下面的话读给本人听：
      </p>
      <ol className="quiet">
        {VIDEO_WORDS.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
      <ChoiceField of={form} name="answer" codes={consentAnswer} />
      <ChoiceField
        of={form}
        name="how"
        codes={{ options: consentHow.options.filter((o) => o.value !== consentHow.code.electronic) }}
      />
      <DayField of={form} name="answeredOn" to={today} />
      <PictureField of={form} name="proof" caption={`${of.name} 的答复凭证`} />
    </FormDrawer>
  )
}
