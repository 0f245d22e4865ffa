import { receptionsApi } from '@zhuguan/contract/features/receptions/receptions.api.ts'
import {
  receptionPurpose,
  type ReceptionRow,
} from '@zhuguan/contract/features/receptions/receptions.record.ts'
import { scores } from '@zhuguan/contract/kit/score.ts'

import { ChoiceField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { full } from '../../kit/time.ts'
import { PersonField } from '../../parts/pickFields.tsx'

type Props = DrawerProps & { reception: ReceptionRow }
const seenOf = (r: ReceptionRow) => ({ id: r.id, version: r.version })

const Subject = ({ of: r }: { of: ReceptionRow }) => (
  <p className="lead">
    <b>
      {full(r.at)} {receptionPurpose.label(r.purpose)}
    </b>
    <br />
    <small>
      {r.hostName || '没有人'} 接待{r.scoreWords && ` · 业主说：${r.scoreWords}`}
    </small>
  </p>
)

function ScoreDrawer({ reception, ...p }: Props) {
  const form = useForm(receptionsApi.score, { ...seenOf(reception), score: null, words: '' })
  return (
    <FormDrawer {...p} narrow form={form} title="代填满意度" done="已记下">
      <Subject of={reception} />
      <ChoiceField of={form} name="score" codes={scores} hint="业主口头说的分；标为代填，不计入满意率" />
      <TextField of={form} name="words" rows={3} />
    </FormDrawer>
  )
}

function CallbackDrawer({ reception, ...p }: Props) {
  const form = useForm(receptionsApi.callback, { ...seenOf(reception), words: '' })
  return (
    <FormDrawer {...p} narrow form={form} title="回访" done="已记下">
      <Subject of={reception} />
      <TextField of={form} name="words" rows={4} example="业主为什么不满意，答应了什么" />
    </FormDrawer>
  )
}

function HostDrawer({ reception, ...p }: Props) {
  const form = useForm(receptionsApi.host, { ...seenOf(reception), host_id: null })
  return (
    <FormDrawer {...p} narrow form={form} title="改接待人" done="已改">
      <Subject of={reception} />
      <PersonField of={form} name="host_id" site={reception.site_id} />
    </FormDrawer>
  )
}

const DRAWERS = { host: HostDrawer, score: ScoreDrawer, callback: CallbackDrawer }
/** The host; and of a visit that is over its score by word of mouth, and a call to who was not content. */
export default function ReceptionDrawers({ kind, ...p }: Props & { kind: keyof typeof DRAWERS }) {
  const Drawer = DRAWERS[kind]
  return <Drawer {...p} />
}
