import { useQuery } from '@tanstack/react-query'
import { cancelReason } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { correctionsApi } from '@zhuguan/contract/features/corrections/corrections.api.ts'
import type { CorrectionRow } from '@zhuguan/contract/features/corrections/corrections.record.ts'
import { useEffect } from 'react'

import { call } from '../../kit/api.ts'
import { ChoiceField, ReasonField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { Picture } from '../../kit/Picture.tsx'
import { full, short } from '../../kit/time.ts'
import { PersonField } from '../../parts/pickFields.tsx'
import { PicturesField } from '../../parts/PictureFields.tsx'
import { correctionOf } from './correctionOf.ts'
import type { Asking } from './useCorrectionActions.ts'

type Props = Omit<DrawerProps, 'onDone'> & { onDone: () => void; correction: CorrectionRow }

/** A moment to the minute: the seconds would change while the drawer is open. */
const MINUTES = '2026-01-31 12:00'.length

const Subject = ({ correction: c }: { correction: CorrectionRow }) => (
  <div className="correction-subject lead">
    {c.picture && (
      <Picture picture={c.picture} caption={`${c.siteName} ${full(c.at)}`} width={144} height={81} />
    )}
    <div>
      <b>{c.problem}</b>
      <p>{c.siteName}</p>
      <small>
        {c.no} · {full(c.at)}
      </small>
    </div>
  </div>
)

/** Somebody was faster: the drawer gives way to the correction as it is now, and says who it was. */
const givingWay = ({ correction, onDone, onClose }: Props) => ({
  latest: async () => {
    const { log } = await call(correctionsApi.details, { query: { id: correction.id } })
    const last = log.at(-1)
    onDone()
    onClose()
    throw new Error(
      last ? `${last.actor} 已于 ${short(last.at)} ${last.action}，已换成最新的内容` : '已换成最新的内容',
    )
  },
})

/** Loaded with the first drawer that is opened. */
export default function CorrectionDrawers({ kind, ...p }: Props & Pick<Asking, 'kind'>) {
  if (kind === 'assign') return <AssignDrawer {...p} />
  if (kind === 'cancel') return <CancelDrawer {...p} />
  return <SubmitDrawer {...p} />
}

function AssignDrawer(p: Props) {
  const c = p.correction
  const form = useForm(
    correctionsApi.assign,
    { id: c.id, version: c.version, assignee_id: null },
    givingWay(p),
  )
  const { data } = useQuery(correctionOf(c.id))
  const first = data?.assign?.first?.id
  useEffect(() => {
    if (first && first !== c.assignee_id && !form.values.assignee_id) form.raw.preset('assignee_id', first)
  }, [first])
  const due = data?.assign?.dueAt
  return (
    <FormDrawer {...p} narrow form={form} title="指派整改" done="已指派，责任人会收到通知">
      <Subject correction={c} />
      <PersonField
        of={form}
        name="assignee_id"
        site={c.site_id}
        correct={c.source === 'alarm' ? 'alarm' : 'correction'}
      />
      <p className="quiet">
        截止时间：{due ? full(due).slice(0, MINUTES) : '…'}
        {c.assigneeName ? '（改派不重新计时）' : ''}
      </p>
    </FormDrawer>
  )
}

function CancelDrawer(p: Props) {
  const { id, version, problem } = p.correction
  const form = useForm(correctionsApi.cancel, { id, version, cause: null, reason: '' }, givingWay(p))
  return (
    <FormDrawer
      {...p}
      narrow
      danger
      form={form}
      title={`取消整改：${problem}`}
      ok="取消整改"
      back="返回"
      done="已取消"
    >
      <Subject correction={p.correction} />
      <ChoiceField of={form} name="cause" label="原因" codes={cancelReason} />
      <ReasonField of={form} name="reason" label="说明" example="复查后不是问题" />
    </FormDrawer>
  )
}

function SubmitDrawer(p: Props) {
  const { id, version } = p.correction
  const form = useForm(correctionsApi.submit, { id, version, pictures: [], text: '' }, givingWay(p))
  return (
    <FormDrawer {...p} narrow form={form} title="提交整改照片" done="已提交，等待他人复核">
      <Subject correction={p.correction} />
      <PicturesField of={form} name="pictures" label="整改照片（须在发现问题之后拍摄）" caption="整改照片" />
      <TextField of={form} name="text" rows={3} />
    </FormDrawer>
  )
}
