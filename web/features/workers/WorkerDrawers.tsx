import { useQuery } from '@tanstack/react-query'
import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import {
  faceConsent,
  type WorkerRow,
  workerSex,
  workerType,
} from '@zhuguan/contract/features/workers/workers.record.ts'
import { Input, Radio, Select } from 'antd'
import { useEffect, useState } from 'react'

import { call, upload } from '../../kit/api.ts'
import { AskDrawer, Field } from '../../kit/AskDrawer.tsx'
import { message } from '../../kit/notices.ts'
import { Picture } from '../../kit/Picture.tsx'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { SitePicker } from '../../parts/pickers.tsx'
import { useBranches } from '../../parts/places.tsx'

export interface Opened {
  kind: 'edit' | 'send' | 'recall' | 'face'
  worker: WorkerRow | null
}
interface Props {
  onClose: () => void
  onDone: () => void
}
const today = () => dayOf(nowSeconds())

/** Comes when the first drawer is opened. */
export default function WorkerDrawers({ kind, worker, ...p }: Props & Opened) {
  if (kind === 'edit') return <FactsDrawer {...p} worker={worker} />
  if (kind === 'send') return <SendDrawer {...p} worker={worker!} />
  return kind === 'recall' ? <RecallDrawer {...p} worker={worker!} /> : <FaceDrawer {...p} worker={worker!} />
}

function FactsDrawer({ worker, ...p }: Props & { worker: WorkerRow | null }) {
  const branches = useBranches()
  const [facts, setFacts] = useState({
    w_id: '',
    w_name: worker?.w_name ?? '',
    bc_id: worker?.bc_id ?? '',
    w_type: worker?.w_type,
    w_sex: worker?.w_sex ?? 1,
    w_contact: worker?.w_contact ?? '',
    team: worker?.team ?? '',
  })
  useEffect(() => {
    if (!facts.bc_id && branches.length === 1) setFacts((f) => ({ ...f, bc_id: branches[0]!.bc_id }))
  }, [branches, facts.bc_id])
  const set = (change: Partial<typeof facts>) => setFacts({ ...facts, ...change })
  const { w_id, w_contact, ...rest } = facts
  // A hidden phone that was not touched is not sent: it would overwrite the real one.
  const send = () =>
    worker
      ? call(workersApi.edit, {
          body: {
            ...rest,
            id: worker.id,
            version: worker.version,
            ...(w_contact === worker.w_contact ? {} : { w_contact }),
          },
        })
      : call(workersApi.add, { body: { ...rest, w_id, w_contact } })
  return (
    <AskDrawer
      {...p}
      title={worker ? `编辑 ${worker.w_name}` : '新增工人'}
      done="已保存"
      ready={facts.w_name.trim().length > 1 && !!facts.bc_id && !!facts.w_type}
      send={send}
    >
      {(errors) => (
        <>
          {!worker && (
            <Field label="工号（不填会自动生成）" error={errors.w_id}>
              <Input
                value={w_id}
                maxLength={20}
                placeholder="考勤机用它认人，登记后不再改"
                onChange={(e) => set({ w_id: e.target.value })}
              />
            </Field>
          )}
          <Field label="姓名" error={errors.w_name}>
            <Input
              autoFocus
              value={facts.w_name}
              maxLength={20}
              onChange={(e) => set({ w_name: e.target.value })}
            />
          </Field>
          <Field label="分公司" error={errors.bc_id}>
            <Select
              style={{ width: '100%' }}
              aria-label="分公司"
              value={facts.bc_id || undefined}
              options={branches.map((b) => ({ value: b.bc_id, label: b.bc_name }))}
              onChange={(v) => set({ bc_id: v })}
            />
          </Field>
          <Field label="工种" error={errors.w_type}>
            <Select
              style={{ width: '100%' }}
              aria-label="工种"
              value={facts.w_type}
              options={workerType.options}
              onChange={(v) => set({ w_type: v })}
            />
          </Field>
          <Field label="性别" error={errors.w_sex}>
            <Radio.Group
              value={facts.w_sex}
              options={workerSex.options.map((o) => ({ ...o }))}
              onChange={(e) => set({ w_sex: e.target.value })}
            />
          </Field>
          <Field label="联系方式" error={errors.w_contact}>
            <Input
              value={w_contact}
              maxLength={20}
              inputMode="tel"
              placeholder="手机号"
              onChange={(e) => set({ w_contact: e.target.value })}
            />
          </Field>
          <Field label="班组" error={errors.team}>
            <Input value={facts.team} maxLength={30} onChange={(e) => set({ team: e.target.value })} />
          </Field>
        </>
      )}
    </AskDrawer>
  )
}

function SendDrawer({ worker, ...p }: Props & { worker: WorkerRow }) {
  const [site, setSite] = useState<string | null>(null)
  const [day, setDay] = useState(today())
  return (
    <AskDrawer
      {...p}
      title={`派往工地：${worker.w_name}`}
      done="已派往工地，从进场那天起计入应到"
      ready={!!site && !!day}
      send={() => call(workersApi.send, { body: { id: worker.id, site_id: site!, day } })}
    >
      {(errors) => (
        <>
          <p className="quiet lead">
            {workerType.label(worker.w_type)} ·{' '}
            {worker.ws_names ? `现在在 ${worker.ws_names}` : '现在不在工地'}
          </p>
          <Field label="工地（与工人同一分公司）" error={errors.site_id}>
            <SitePicker label="工地" value={site} onChange={setSite} />
          </Field>
          <Field label="进场日期" error={errors.day}>
            <Input type="date" value={day} onChange={(e) => setDay(e.target.value)} />
          </Field>
        </>
      )}
    </AskDrawer>
  )
}

function RecallDrawer({ worker, ...p }: Props & { worker: WorkerRow }) {
  const { data } = useQuery({
    queryKey: [workersApi.details.path, worker.id],
    queryFn: ({ signal }) => call(workersApi.details, { query: { id: worker.id } }, signal),
  })
  const on = data?.sites.filter((s) => s.leftOn === null) ?? []
  const [chosen, setSite] = useState<string>()
  const [day, setDay] = useState(today())
  const site = chosen ?? (on.length === 1 ? on[0]!.site_id : undefined)
  return (
    <AskDrawer
      {...p}
      title={`撤离工地：${worker.w_name}`}
      done="已撤离"
      ready={!!site && !!day}
      send={() => call(workersApi.recall, { body: { id: worker.id, site_id: site!, day } })}
    >
      {(errors) => (
        <>
          <Field label="工地" error={errors.site_id}>
            <Select
              style={{ width: '100%' }}
              aria-label="工地"
              loading={!data}
              value={site}
              options={on.map((s) => ({ value: s.site_id, label: `${s.ws_name}（${s.enteredOn} 进场）` }))}
              onChange={setSite}
            />
          </Field>
          <Field label="最后一天" error={errors.day}>
            <Input type="date" max={today()} value={day} onChange={(e) => setDay(e.target.value)} />
          </Field>
          <p className="quiet">第二天起不再计入应到；以前的考勤不变。</p>
        </>
      )}
    </AskDrawer>
  )
}

function FaceDrawer({ worker, ...p }: Props & { worker: WorkerRow }) {
  const [key, setKey] = useState<string | null>(null)
  const [consent, setConsent] = useState<'paper' | 'phone'>()
  const [busy, setBusy] = useState(false)
  async function take(file: File | undefined) {
    if (!file) return
    setBusy(true)
    try {
      setKey((await upload<{ key: string }>(filesApi.upload, file)).key)
    } catch (error) {
      message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <AskDrawer
      {...p}
      title={`${worker.w_face ? '重录人脸' : '录入人脸'}：${worker.w_name}`}
      done="已录入"
      ready={!!key && !!consent && !busy}
      send={() =>
        call(workersApi.face, {
          body: { id: worker.id, version: worker.version, key: key!, consent: consent! },
        })
      }
    >
      {(errors) => (
        <>
          <p className="quiet lead">
            人脸是敏感个人信息：只在本人同意后录入，只用于工地考勤；本人随时可以要求删除，也可以不录人脸、改用补卡登记考勤。
          </p>
          <Field label="正面照片" error={errors.key}>
            <input
              type="file"
              accept="image/jpeg,image/png,image/webp"
              capture="user"
              disabled={busy}
              onChange={(e) => void take(e.target.files?.[0])}
            />
          </Field>
          {key && (
            <p>
              <Picture picture={key} caption={`${worker.w_name} 的人脸`} width={160} height={160} />
            </p>
          )}
          <Field label="本人怎样同意" error={errors.consent}>
            <Radio.Group
              value={consent}
              style={{ display: 'grid', gap: 6 }}
              options={faceConsent.options as { value: string; label: string }[]}
              onChange={(e) => setConsent(e.target.value as 'paper')}
            />
          </Field>
        </>
      )}
    </AskDrawer>
  )
}
