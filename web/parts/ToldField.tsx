import { type NoticeKind, NOTICES } from '@zhuguan/contract/features/consents/notices.record.ts'

import { SwitchField } from '../kit/form/fields.tsx'
import type { Fields } from '../kit/form/useForm.ts'

/** Whether the notice was given, with its words, so that whoever answers knows what they have to say. */
export const ToldField = ({ of, notice }: { of: Fields<{ told: boolean }>; notice: NoticeKind }) => (
  <SwitchField
    of={of}
    name="told"
    words={['已告知', '还没有']}
    hint={`告知书 ${NOTICES[notice].version} 版：${NOTICES[notice].words}`}
  />
)
