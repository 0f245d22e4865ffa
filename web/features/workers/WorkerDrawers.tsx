import { useQuery } from '@tanstack/react-query'
import { consentAnswer, consentHow } from '@zhuguan/contract/features/consents/consents.record.ts'
import { facesApi } from '@zhuguan/contract/features/workers/faces.api.ts'
import { stayScore } from '@zhuguan/contract/features/workers/stays.record.ts'
import { leadsSites, workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import {
  FACE_SCOPE,
  type WorkerDetail,
  type WorkerRow,
  workerSex,
} from '@zhuguan/contract/features/workers/workers.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { useEffect } from 'react'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { ChoiceField, CodeField, OneField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { type Fields, useForm } from '../../kit/form/useForm.ts'
import { usePage } from '../../kit/page.tsx'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { BranchField, PersonField, SiteField } from '../../parts/pickFields.tsx'
import { FaceField, PictureField } from '../../parts/PictureFields.tsx'
import { ToldField } from '../../parts/ToldField.tsx'

export interface Opened {
  kind: 'edit' | 'send' | 'recall' | 'face' | 'consent'
  worker: WorkerRow | null
}
type Props = DrawerProps & { worker: WorkerRow }
const today = () => dayOf(nowSeconds())

/** Loaded with the first drawer that is opened. */
export default function WorkerDrawers({ kind, worker, ...p }: DrawerProps & Opened) {
  if (!worker) return <AddDrawer {...p} />
  if (kind === 'edit') return <EditDrawer {...p} worker={worker} />
  if (kind === 'send') return <SendDrawer {...p} worker={worker} />
  if (kind === 'consent') return <ConsentDrawer {...p} worker={worker} />
  return kind === 'recall' ? <RecallDrawer {...p} worker={worker} /> : <FaceDrawer {...p} worker={worker} />
}

function WorkerFacts({ of }: { of: Fields<BodyOf<typeof workersApi.add | typeof workersApi.edit>> }) {
  return (
    <>
      <TextField of={of} name="w_name" />
      <BranchField of={of} name="bc_id" />
      <div className="pair">
        <CodeField of={of} name="w_type" codes={workerType} />
        <ChoiceField of={of} name="w_sex" codes={workerSex} />
      </div>
      <TextField of={of} name="w_contact" inputMode="tel" example="13800138000" />
      <TextField of={of} name="team" />
    </>
  )
}
function AddDrawer(p: DrawerProps) {
  const page = usePage()
  const form = useForm(workersApi.add, {
    w_id: '',
    w_name: '',
    bc_id: null,
    w_type: null,
    w_sex: workerSex.code.male,
    w_contact: '',
    team: '',
    told: false,
  })
  const open = (id: string) => ({ label: '打开', run: () => page.go(linkTo('WorkerInfo', { id })) })
  return (
    <FormDrawer
      {...p}
      form={form}
      title="新增工人"
      done={({ id, w_id }) => ({ text: `已新增 ${w_id} ${form.values.w_name}`, action: open(id) })}
    >
      <TextField of={form} name="w_id" hint="不填会自动生成；考勤机用它认人，登记后不再改" />
      <WorkerFacts of={form} />
      <ToldField of={form} notice="worker" />
    </FormDrawer>
  )
}
const factsOf = ({ id, version, w_name, bc_id, w_type, w_sex, w_contact, team }: WorkerRow) => ({
  id,
  version,
  w_name,
  bc_id,
  w_type,
  w_sex,
  w_contact,
  team,
})
const wholeOf = (worker: WorkerDetail) => ({ ...factsOf(worker), user_id: worker.account?.id ?? null })
function EditDrawer({ worker, ...p }: Props) {
  const latest = () => call(workersApi.details, { query: { id: worker.id } }).then(wholeOf)
  // A list does not say whose account it is.
  const form = useForm(
    workersApi.edit,
    'account' in worker ? wholeOf(worker as WorkerDetail) : factsOf(worker),
    {
      latest,
      // Who may not read the phone sees it hidden: sent back, that would overwrite the real one.
      unlessChanged: ['w_contact'],
    },
  )
  return (
    <FormDrawer {...p} form={form} title={`编辑 ${worker.w_name}`} done={`${worker.w_name} 已保存`}>
      <WorkerFacts of={form} />
      {leadsSites({ w_type: form.values.w_type ?? 0 }) && (
        <PersonField
          of={form}
          name="user_id"
          bc={form.values.bc_id ?? undefined}
          hint="同一个人登录系统用的账号；他的巡检显示在这里"
        />
      )}
    </FormDrawer>
  )
}

function SendDrawer({ worker, ...p }: Props) {
  const form = useForm(workersApi.send, { id: worker.id, site_id: null, day: today() })
  return (
    <FormDrawer
      {...p}
      narrow
      form={form}
      title={`派往工地：${worker.w_name}`}
      done="已派往工地，从进场那天起计入应到"
    >
      <p className="quiet lead">
        {workerType.label(worker.w_type)} · {worker.ws_names ? `现在在 ${worker.ws_names}` : '现在不在工地'}
      </p>
      <SiteField of={form} name="site_id" hint="与工人同一分公司的工地" />
      <DayField of={form} name="day" />
    </FormDrawer>
  )
}

function RecallDrawer({ worker, ...p }: Props) {
  const { data } = useQuery({
    queryKey: [workersApi.details.path, worker.id],
    queryFn: ({ signal }) => call(workersApi.details, { query: { id: worker.id } }, signal),
  })
  const on = data?.sites.filter((s) => s.leftOn === null) ?? []
  const form = useForm(workersApi.recall, { id: worker.id, site_id: null, day: today(), score: null })
  const only = on.length === 1 ? on[0]!.site_id : null
  useEffect(() => form.raw.preset('site_id', only), [only])
  return (
    <FormDrawer {...p} narrow form={form} title={`撤离工地：${worker.w_name}`} done="已撤离">
      <OneField
        of={form}
        name="site_id"
        loading={!data}
        options={on.map((s) => ({ value: s.site_id, label: `${s.ws_name}（${s.enteredOn} 进场）` }))}
      />
      <DayField
        of={form}
        name="day"
        label="最后一天"
        to={today()}
        hint="第二天起不再计入应到；以前的考勤不变。"
      />
      <CodeField of={form} name="score" codes={stayScore} hint="他在这个工地干得怎样，可以不评" />
    </FormDrawer>
  )
}

function FaceDrawer({ worker, ...p }: Props) {
  const { id, version } = worker
  const start = { id, version, key: null }
  const form = useForm(workersApi.face, start, {
    latest: () =>
      call(workersApi.details, { query: { id } }).then((now) => ({ ...start, version: now.version })),
  })
  return (
    <FormDrawer
      {...p}
      narrow
      form={form}
      title={`${worker.w_face ? '更换人脸' : '采集人脸'}：${worker.w_name}`}
      done="已采集"
    >
      <p className="quiet lead">只用于本人同意的用途；本人随时可以撤回同意，照片同时删除。</p>
      <FaceField of={form} name="key" label="正面照片" caption={`${worker.w_name} 的人脸`} />
    </FormDrawer>
  )
}

function ConsentDrawer({ worker, ...p }: Props) {
  const { id, version } = worker
  // Nobody's answer is chosen for them.
  const start = {
    id,
    version,
    answer: null,
    how: null,
    answeredOn: today(),
    scope: FACE_SCOPE,
    proof: null,
    told: false,
  }
  const form = useForm(facesApi.answer, start, {
    latest: () =>
      call(workersApi.details, { query: { id } }).then((now) => ({ ...start, version: now.version })),
  })
  return (
    <FormDrawer {...p} narrow form={form} title={`登记同意：${worker.w_name}`} done="已登记">
      <p className="quiet lead">
        人脸是敏感个人信息，由本人自己决定：不同意的用补卡或管家代打登记考勤，不得劝说，也不影响派工。
        {worker.w_face && '本人不同意的，现有照片立即永久删除。'}
      </p>
      <ChoiceField of={form} name="answer" codes={consentAnswer} />
      <ChoiceField of={form} name="how" codes={consentHow} />
      <DayField of={form} name="answeredOn" to={today()} />
      <TextField of={form} name="scope" rows={2} />
      <ToldField of={form} notice="face" />
      <PictureField
        of={form}
        name="proof"
        caption={`${worker.w_name} 的同意凭证`}
        hint="书面同意必须有签字的照片；看的人会在照片上留下自己的名字"
      />
    </FormDrawer>
  )
}
