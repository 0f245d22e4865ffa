import { useQuery } from '@tanstack/react-query'
import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { type AlarmRow, cancelReason } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { alarmActions } from '@zhuguan/contract/features/corrections/corrections.actions.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { useEffect } from 'react'

import { call } from '../../kit/api.ts'
import { ChoiceField, ReasonField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { Picture } from '../../kit/Picture.tsx'
import { full, short } from '../../kit/time.ts'
import { PersonField } from '../../parts/pickFields.tsx'
import { PicturesField } from '../../parts/PictureFields.tsx'
import { useActor } from '../../parts/session.ts'
import { detailsOf } from './details.ts'
import { nameOf } from './nameOf.ts'

export type Batch = DataOf<typeof alarmsApi.assignMany>
type Props = Omit<DrawerProps, 'onDone'> & {
  onDone: () => void
  /** A batch did what it could: what it did, and what it left for which reason. */
  onBatch: (what: string, batch: Batch) => void
}

/** A moment to the minute: the seconds would change while the drawer is open. */
const MINUTES = '2026-01-31 12:00'.length

const keys = (alarms: AlarmRow[]) => alarms.map(({ id, version }) => ({ id, version }))
const only = (alarms: AlarmRow[]) => (alarms.length === 1 ? keys(alarms)[0] : undefined)
/** The subject, with its picture; of several the title says how many. */
const Subject = ({ alarms }: { alarms: AlarmRow[] }) => {
  const [alarm] = alarms
  if (!alarm || alarms.length > 1) return null
  return (
    <div className="alarm-subject lead">
      <Picture
        picture={alarm.picture}
        caption={`${alarm.deviceSn} ${full(alarm.at)}`}
        width={144}
        height={81}
      />
      <div>
        <b>{nameOf(alarm)}</b>
        <p>{alarm.siteName}</p>
        <small>
          {alarm.deviceSn} · {full(alarm.at)}
        </small>
      </div>
    </div>
  )
}

interface Left {
  alarm: AlarmRow
  why: string
}
/** Those to which it cannot be done. */
function useLeft(alarms: AlarmRow[], action: 'assign' | 'cancel'): Left[] {
  const actor = useActor()
  return alarms.flatMap((alarm) => {
    const why = alarmActions.refusal(action, alarm, actor)
    return why ? [{ alarm, why }] : []
  })
}
/** The number of several that it can be done to, and the reason why not to the others. */
function Qualify({ alarms, left, label }: { alarms: AlarmRow[]; left: Left[]; label: string }) {
  if (alarms.length < 2) return null
  return (
    <div className="lead">
      <p>
        所选 {alarms.length} 条中 {alarms.length - left.length} 条可以{label}
        {left.length > 0 && `，${left.length} 条不会处理：`}
      </p>
      {left.length > 0 && (
        <ul className="batch-left">
          {left.map(({ alarm, why }) => (
            <li key={alarm.id}>
              {nameOf(alarm)} · {alarm.siteName} · {short(alarm.at)}
              <p className="quiet">{why}</p>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Somebody was faster: the drawer gives way to the alarm as it is now, and says who it was. */
const givingWay = (alarms: AlarmRow[], { onDone, onClose }: Pick<Props, 'onDone' | 'onClose'>) => ({
  latest: async () => {
    const { log } = await call(alarmsApi.details, { query: { id: alarms[0]!.id } })
    const last = log.at(-1)
    onDone()
    onClose()
    throw new Error(
      last ? `${last.actor} 已于 ${short(last.at)} ${last.action}，已换成最新的内容` : '已换成最新的内容',
    )
  },
})
/** One is said here, a batch by the page. */
function saying(onBatch: Props['onBatch'], done: string, one: string) {
  return (batch: Batch | null) => {
    if (!batch) return { text: one }
    onBatch(done, batch)
    return undefined
  }
}

/** Loaded with the first drawer that is opened. */
export default function AlarmDrawers({
  kind,
  alarms,
  ...p
}: Props & { kind: 'assign' | 'cancel' | 'submit'; alarms: AlarmRow[] }) {
  if (kind === 'assign') return <AssignDrawer {...p} alarms={alarms} />
  if (kind === 'cancel') return <CancelDrawer {...p} alarms={alarms} />
  return <SubmitDrawer onClose={p.onClose} onDone={p.onDone} alarm={alarms[0]!} />
}

function AssignDrawer({ alarms, onBatch, ...p }: Props & { alarms: AlarmRow[] }) {
  const one = only(alarms)
  const first = alarms[0]!
  const form = useForm(
    one ? alarmsApi.assign : alarmsApi.assignMany,
    one ? { ...one, assignee_id: null } : { alarms: keys(alarms), assignee_id: null },
    one ? givingWay(alarms, p) : {},
  )
  const left = useLeft(alarms, 'assign')
  const { data } = useQuery(detailsOf(first.id))
  const sameSite = alarms.every((a) => a.site_id === first.site_id)
  const steward = sameSite ? data?.assign?.steward?.id : undefined
  useEffect(() => {
    if (steward && steward !== first.assignee_id && !form.values.assignee_id)
      form.raw.preset('assignee_id', steward)
  }, [steward])
  const due = one ? data?.assign?.dueAt : undefined
  return (
    <FormDrawer
      {...p}
      narrow
      may={left.length < alarms.length}
      form={form}
      title={one ? '指派整改' : `指派 ${alarms.length} 条报警`}
      done={saying(onBatch, '已指派', '已指派，责任人会收到通知')}
    >
      <Subject alarms={alarms} />
      <Qualify alarms={alarms} left={left} label="指派" />
      <PersonField of={form} name="assignee_id" site={first.site_id} />
      <p className="quiet">
        {one
          ? `截止时间：${due ? full(due).slice(0, MINUTES) : '…'}${first.assigneeName ? '（改派不重新计时）' : ''}`
          : '截止时间按各类报警的整改时限，从指派时算起；改派不重新计时。'}
      </p>
    </FormDrawer>
  )
}

function CancelDrawer({ alarms, onBatch, ...p }: Props & { alarms: AlarmRow[] }) {
  const one = only(alarms)
  const left = useLeft(alarms, 'cancel')
  const why = { cause: null, reason: '' }
  const form = useForm(
    one ? alarmsApi.cancel : alarmsApi.cancelMany,
    one ? { ...one, ...why } : { alarms: keys(alarms), ...why },
    one ? givingWay(alarms, p) : {},
  )
  return (
    <FormDrawer
      {...p}
      narrow
      danger
      may={left.length < alarms.length}
      form={form}
      title={one ? `取消报警：${nameOf(alarms[0]!)}` : `取消 ${alarms.length} 条报警`}
      ok="取消报警"
      back="返回"
      done={saying(onBatch, '已取消', '已取消')}
    >
      <Subject alarms={alarms} />
      <Qualify alarms={alarms} left={left} label="取消" />
      <ChoiceField of={form} name="cause" label="原因" codes={cancelReason} />
      <ReasonField
        of={form}
        name="reason"
        label="说明"
        example="画面里没有人"
        hint={
          form.values.cause === cancelReason.code.wrong
            ? '误报会计入这台摄像头的误报率，不影响工人记录。'
            : undefined
        }
      />
    </FormDrawer>
  )
}

function SubmitDrawer({ alarm, ...p }: Omit<Props, 'onBatch'> & { alarm: AlarmRow }) {
  const { id, version } = alarm
  const form = useForm(alarmsApi.submit, { id, version, pictures: [], text: '' }, givingWay([alarm], p))
  return (
    <FormDrawer {...p} narrow form={form} title="提交整改照片" done="已提交，等待他人复核">
      <Subject alarms={[alarm]} />
      <PicturesField of={form} name="pictures" label="整改照片（须在报警之后拍摄）" caption="整改照片" />
      <TextField of={form} name="text" rows={3} />
    </FormDrawer>
  )
}
