import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import {
  feedbackAbout,
  feedbackChannel,
  feedbackKind,
  feedbackLevel,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import { ChoiceField, TextField } from '../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../kit/form/FormDrawer.tsx'
import { useForm } from '../kit/form/useForm.ts'
import { PersonField, SiteField } from './pickFields.tsx'
import { PicturesField } from './PictureFields.tsx'

/** The ways in which staff hear it: what comes by the owner's link the owner sends. */
export const heard = {
  options: feedbackChannel.options.flatMap(({ label, value }) =>
    value === feedbackChannel.code.link ? [] : [{ label, value }],
  ),
}

/** Somebody writes down what an owner said; `after`: an earlier one of the home, too long ago to be opened again. */
export default function EnterDrawer({
  site_id,
  after,
  words = '',
  channel = null,
  saidAt,
  ...p
}: Omit<DrawerProps, 'onDone'> & {
  site_id?: string | undefined
  after?: { id: string; no: string } | undefined
  /** The home's words and their way, where it is made of that. */
  words?: string
  channel?: BodyOf<typeof feedbackApi.enter>['channel'] | null
  /** When the home said it: who had it then has said it. */
  saidAt?: number
  onDone: (made: { id: string }) => void
}) {
  const form = useForm(feedbackApi.enter, {
    site_id,
    kind: null,
    level: feedbackLevel.code.normal,
    about: null,
    about_id: null,
    channel,
    words,
    pictures: [],
    of_id: after?.id,
    said_at: saidAt,
  })
  const isPerson = form.values.about === feedbackAbout.code.person
  return (
    <FormDrawer {...p} form={form} title={after ? `登记反馈（接 ${after.no}）` : '登记反馈'} done="已登记">
      {!site_id && <SiteField of={form} name="site_id" hint="业主的家" />}
      <ChoiceField of={form} name="kind" codes={feedbackKind} />
      <ChoiceField of={form} name="level" codes={feedbackLevel} hint="紧急的夜里和休息日也计时" />
      <ChoiceField of={form} name="about" codes={feedbackAbout} />
      {isPerson && (
        <PersonField
          of={form}
          name="about_id"
          hint="说的是本人的，他不能受理、结案和取消；说的是这家的管家，对他回避"
        />
      )}
      <ChoiceField of={form} name="channel" codes={heard} />
      <TextField of={form} name="words" rows={4} example="业主的原话：卫生间的瓷砖空鼓，敲了三块" />
      <PicturesField of={form} name="pictures" caption="照片" hint="最多 9 张，没有用于别的记录" />
    </FormDrawer>
  )
}
