import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { type AlarmRow, alarmType, cancelReason } from '@zhuguan/contract/features/alarms/alarms.record.ts'

import { ChoiceField, ReasonField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { message } from '../../kit/notices.ts'
import { full } from '../../kit/time.ts'
import { PersonField } from '../../parts/pickFields.tsx'
import { PicturesField } from '../../parts/PictureFields.tsx'

const keys = (alarms: AlarmRow[]) => alarms.map(({ id, version }) => ({ id, version }))
const only = (alarms: AlarmRow[]) => (alarms.length === 1 ? keys(alarms)[0] : undefined)
const Subject = ({ alarms }: { alarms: AlarmRow[] }) => (
  <p className="quiet lead">
    {alarms.length === 1
      ? `${alarms[0]!.siteName} · ${alarmType.label(alarms[0]!.type)} · ${full(alarms[0]!.at)}`
      : `${alarms.length} 条报警`}
  </p>
)
type Batch = { done: number; skipped: { why: string }[] } | null
/** A batch does what it can and names the rest. */
function said(batch: Batch, done: string) {
  const whys = [...new Set(batch?.skipped.map((s) => s.why))]
  if (whys.length) message.error(`${batch!.skipped.length} 条没有处理：${whys.join('；')}`)
  return { text: batch ? `${done}（${batch.done} 条）` : done }
}

/** Comes when the first drawer is opened. */
export default function AlarmDrawers({
  kind,
  alarms,
  ...p
}: DrawerProps & { kind: 'assign' | 'cancel' | 'submit'; alarms: AlarmRow[] }) {
  if (kind === 'assign') return <AssignDrawer {...p} alarms={alarms} />
  if (kind === 'cancel') return <CancelDrawer {...p} alarms={alarms} />
  return <SubmitDrawer {...p} alarm={alarms[0]!} />
}

function AssignDrawer({ alarms, ...p }: DrawerProps & { alarms: AlarmRow[] }) {
  const one = only(alarms)
  const form = useForm(
    one ? alarmsApi.assign : alarmsApi.assignMany,
    one ? { ...one, assignee_id: null } : { alarms: keys(alarms), assignee_id: null },
  )
  return (
    <FormDrawer {...p} narrow form={form} title="指派整改" done={(d) => said(d, '已指派，责任人会收到通知')}>
      <Subject alarms={alarms} />
      <PersonField of={form} name="assignee_id" site={alarms[0]!.site_id} />
    </FormDrawer>
  )
}

function CancelDrawer({ alarms, ...p }: DrawerProps & { alarms: AlarmRow[] }) {
  const one = only(alarms)
  const why = { cause: cancelReason.code.wrong, reason: '' }
  const form = useForm(
    one ? alarmsApi.cancel : alarmsApi.cancelMany,
    one ? { ...one, ...why } : { alarms: keys(alarms), ...why },
  )
  return (
    <FormDrawer
      {...p}
      narrow
      danger
      form={form}
      title="取消报警"
      ok="取消报警"
      done={(d) => said(d, '已取消')}
    >
      <Subject alarms={alarms} />
      <ChoiceField of={form} name="cause" label="原因" codes={cancelReason} />
      <ReasonField
        of={form}
        name="reason"
        label="说明"
        example="画面里没有人"
        hint="误报会计入这台摄像头的误报率，不影响工人记录。"
      />
    </FormDrawer>
  )
}

function SubmitDrawer({ alarm, ...p }: DrawerProps & { alarm: AlarmRow }) {
  const { id, version } = alarm
  const form = useForm(alarmsApi.submit, { id, version, pictures: [], text: '' })
  return (
    <FormDrawer {...p} form={form} title="提交整改照片" done="已提交，等待他人复核">
      <Subject alarms={[alarm]} />
      <PicturesField of={form} name="pictures" label="整改照片（须在报警之后拍摄）" caption="整改照片" />
      <TextField of={form} name="text" rows={3} />
    </FormDrawer>
  )
}
