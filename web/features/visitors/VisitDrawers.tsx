import { useQuery } from '@tanstack/react-query'
import { consentHow } from '@zhuguan/contract/features/consents/consents.record.ts'
import { visitActions } from '@zhuguan/contract/features/visitors/visitors.actions.ts'
import { visitorsApi } from '@zhuguan/contract/features/visitors/visitors.api.ts'
import {
  visitIdentity,
  type VisitRow,
  visitState,
} from '@zhuguan/contract/features/visitors/visitors.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import {
  FACE_SCOPE,
  faceState,
  type WorkerDetail,
  workerSex,
} from '@zhuguan/contract/features/workers/workers.record.ts'
import { useEffect } from 'react'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { ChoiceField, CodeField, SwitchField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { Picture } from '../../kit/Picture.tsx'
import { dayOf, full, nowSeconds } from '../../kit/time.ts'
import { WorkerField } from '../../parts/pickFields.tsx'
import { PictureField } from '../../parts/PictureFields.tsx'
import { useActor } from '../../parts/session.ts'
import { ToldField } from '../../parts/ToldField.tsx'
import { captionOf } from './visitTable.tsx'

export interface Opened {
  kind: 'enrol' | 'face' | 'mark'
  visit: VisitRow
}
type Props = DrawerProps & { visit: VisitRow; open: (what: Opened) => void }
const today = () => dayOf(nowSeconds())
const { worker } = visitIdentity.code

/** Loaded with the first drawer that is opened. */
export default function VisitDrawers({ kind, ...p }: Props & Opened) {
  if (kind === 'mark') return <MarkDrawer {...p} />
  return kind === 'enrol' ? <EnrolDrawer {...p} /> : <FaceDrawer {...p} />
}

const Seen = ({ visit: v }: { visit: VisitRow }) => (
  <div className="lead">
    {v.picture && <Picture picture={v.picture} caption={captionOf(v)} width="100%" size="medium" />}
    <p>
      <b>{v.siteName}</b>
      <br />
      <span className="quiet">
        {v.deviceSn && `${v.deviceSn} · `}
        {full(v.at)} · 停留 {v.minutes} 分钟
      </span>
    </p>
  </div>
)

/** Once a visit is somebody's, its picture may become their face: offered to who may take faces. */
function useFaceNext({ visit: v, open }: Props) {
  const actor = useActor()
  return (worker_id: string) => {
    const { marked } = visitState.code
    const visit = { ...v, version: v.version + 1, state: marked, identity: worker, worker_id }
    if (visitActions.refusal('face', visit, actor)) return undefined
    return { label: '采集人脸', run: () => open({ kind: 'face', visit }) }
  }
}

/** The person behind a stranger. */
function MarkDrawer(p: Props) {
  const { visit: v, open: _open, ...drawer } = p
  const next = useFaceNext(p)
  const start = { id: v.id, version: v.version, identity: null, worker_id: null, remark: '' }
  const form = useForm(visitorsApi.mark, start)
  const isWorker = form.values.identity === worker
  useEffect(() => {
    if (!isWorker) form.raw.preset('worker_id', null)
  }, [isWorker])
  return (
    <FormDrawer
      {...drawer}
      narrow
      form={form}
      title="标记身份"
      done={() => {
        const { worker_id } = form.values
        return { text: '已标记', action: worker_id ? next(worker_id) : undefined }
      }}
    >
      <Seen visit={v} />
      <ChoiceField of={form} name="identity" codes={visitIdentity} />
      {isWorker && (
        <WorkerField
          of={form}
          name="worker_id"
          site={v.site_id}
          hint="还不在工人列表里的可以不选，由分公司用“加入工人”登记"
        />
      )}
      <TextField of={form} name="remark" example="业主的父亲" />
    </FormDrawer>
  )
}

/** Somebody who works for us and is not among the workers yet. */
function EnrolDrawer(p: Props) {
  const { visit: v, open: _open, ...drawer } = p
  const next = useFaceNext(p)
  const form = useForm(visitorsApi.enrol, {
    id: v.id,
    version: v.version,
    w_id: '',
    w_name: '',
    w_type: null,
    w_sex: workerSex.code.male,
    w_contact: '',
    team: '',
    // Nobody is sent to a site long ago.
    day: v.at > nowSeconds() - 6 * 86_400 ? dayOf(v.at) : null,
    told: false,
  })
  return (
    <FormDrawer
      {...drawer}
      narrow
      form={form}
      title="加入工人"
      done={({ id, w_id }) => ({ text: `已新增 ${w_id} ${form.values.w_name}`, action: next(id) })}
    >
      <Seen visit={v} />
      <TextField of={form} name="w_name" />
      <div className="pair">
        <CodeField of={form} name="w_type" codes={workerType} />
        <ChoiceField of={form} name="w_sex" codes={workerSex} />
      </div>
      <TextField of={form} name="w_contact" inputMode="tel" example="13800138000" />
      <TextField of={form} name="team" />
      <TextField of={form} name="w_id" hint="不填会自动生成；考勤机用它认人，登记后不再改" />
      <ToldField of={form} notice="worker" />
      <DayField of={form} name="day" hint={`派往 ${v.siteName}，从那天起计入应到；空着就不派`} />
    </FormDrawer>
  )
}

const { agreed, kept } = faceState.code
function FaceDrawer(p: Props) {
  const id = p.visit.worker_id!
  const { data } = useQuery({
    queryKey: [workersApi.details.path, id],
    queryFn: ({ signal }) => call(workersApi.details, { query: { id } }, signal),
  })
  return data ? <TakeFace {...p} worker={data} /> : null
}

/** The visit's picture as a worker's face, with their consent where none is in force. */
function TakeFace({ visit: v, open: _open, worker: w, ...p }: Props & { worker: WorkerDetail }) {
  const isGiven = w.face === agreed || w.face === kept
  const form = useForm(
    visitorsApi.face,
    {
      id: v.id,
      version: v.version,
      worker_version: w.version,
      replace: false,
      how: null,
      answeredOn: isGiven ? null : today(),
      scope: isGiven ? null : FACE_SCOPE,
      proof: null,
      told: false,
    },
    { need: isGiven ? [] : ['how', 'answeredOn', 'scope'] },
  )
  return (
    <FormDrawer
      {...p}
      narrow
      form={form}
      title={`采集人脸：${w.w_name}`}
      may={!w.w_face || !!form.values.replace}
      done="已采集"
    >
      <Seen visit={v} />
      <p className="quiet lead">
        {isGiven
          ? '本人已经同意。请看清抓拍里只有本人、正面清楚；它会复制一份作为人脸，只用于本人同意的用途；来访记录里的抓拍不变。'
          : '人脸是敏感个人信息，要本人自己同意；不同意的用补卡或管家代打，不得劝说，也不影响派工。' +
            '请看清抓拍里只有本人、正面清楚；它会复制一份作为人脸，来访记录里的抓拍不变。'}
      </p>
      {w.w_face && (
        <div className="lead">
          <Picture picture={w.w_face} caption={`${w.w_name} 现在的人脸`} width={112} height={84} />
        </div>
      )}
      {w.w_face && (
        <SwitchField
          of={form}
          name="replace"
          words={['更换', '不换']}
          hint={`${w.w_name} 已经有人脸；更换后，现在的照片永久删除`}
        />
      )}
      {!isGiven && (
        <>
          <ChoiceField of={form} name="how" label="本人同意的方式" codes={consentHow} />
          <DayField of={form} name="answeredOn" to={today()} />
          <TextField of={form} name="scope" rows={2} />
          <ToldField of={form} notice="face" />
          <PictureField
            of={form}
            name="proof"
            caption={`${w.w_name} 的同意凭证`}
            hint="书面同意必须有签字的照片；看的人会在照片上留下自己的名字"
          />
        </>
      )}
    </FormDrawer>
  )
}
