import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { type AlarmRow, alarmType, cancelReason } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { Input, Radio } from 'antd'
import { useState } from 'react'

import { call, upload } from '../../kit/api.ts'
import { AskDrawer, Field } from '../../kit/AskDrawer.tsx'
import { message } from '../../kit/notices.ts'
import { Picture } from '../../kit/Picture.tsx'
import { PersonPicker } from '../../parts/pickers.tsx'

interface Props {
  onClose: () => void
  onDone: () => void
}
const keys = (alarms: AlarmRow[]) => alarms.map(({ id, version }) => ({ id, version }))
const subject = (alarms: AlarmRow[]) =>
  alarms.length === 1
    ? `${alarms[0]!.siteName} · ${alarmType.label(alarms[0]!.type)}`
    : `${alarms.length} 条报警`

/** A batch does what it can and names the rest. */
async function batch(done: Promise<{ done: number; skipped: { why: string }[] }>): Promise<void> {
  const { skipped } = await done
  if (skipped.length)
    message.info(`${skipped.length} 条没有处理：${[...new Set(skipped.map((s) => s.why))].join('；')}`)
}

/** Comes when the first drawer is opened. */
export default function AlarmDrawers({
  kind,
  alarms,
  ...p
}: Props & { kind: 'assign' | 'cancel' | 'submit'; alarms: AlarmRow[] }) {
  if (kind === 'assign') return <AssignDrawer {...p} alarms={alarms} />
  if (kind === 'cancel') return <CancelDrawer {...p} alarms={alarms} />
  return <SubmitDrawer {...p} alarm={alarms[0]!} />
}

function AssignDrawer({ alarms, ...p }: Props & { alarms: AlarmRow[] }) {
  const [person, setPerson] = useState<string | null>(null)
  const send = () =>
    alarms.length === 1
      ? call(alarmsApi.assign, { body: { ...keys(alarms)[0]!, assignee_id: person! } })
      : batch(call(alarmsApi.assignMany, { body: { alarms: keys(alarms), assignee_id: person! } }))
  return (
    <AskDrawer {...p} title="指派整改" done="已指派，责任人会收到通知" ready={!!person} send={send}>
      {(errors) => (
        <>
          <p className="quiet">{subject(alarms)}</p>
          <Field label="责任人" error={errors.assignee_id}>
            <PersonPicker label="责任人" site={alarms[0]!.site_id} value={person} onChange={setPerson} />
          </Field>
        </>
      )}
    </AskDrawer>
  )
}

function CancelDrawer({ alarms, ...p }: Props & { alarms: AlarmRow[] }) {
  const [cause, setCause] = useState<'wrong' | 'repeated' | 'stopped'>('wrong')
  const [reason, setReason] = useState('')
  const send = () =>
    alarms.length === 1
      ? call(alarmsApi.cancel, { body: { ...keys(alarms)[0]!, cause, reason } })
      : batch(call(alarmsApi.cancelMany, { body: { alarms: keys(alarms), cause, reason } }))
  return (
    <AskDrawer {...p} title="取消报警" done="已取消" ready={reason.trim().length >= 2} send={send}>
      {(errors) => (
        <>
          <p className="quiet">{subject(alarms)}</p>
          <Field label="原因" error={errors.cause}>
            <Radio.Group
              value={cause}
              onChange={(e) => setCause(e.target.value)}
              options={cancelReason.options.map((o) => ({ ...o }))}
            />
          </Field>
          <Field label="说明" error={errors.reason}>
            <Input.TextArea
              rows={3}
              maxLength={200}
              showCount
              value={reason}
              placeholder="至少 2 个字，例如：画面里没有人"
              onChange={(e) => setReason(e.target.value)}
            />
          </Field>
          <p className="quiet">误报会计入这台摄像头的误报率，不影响工人记录。</p>
        </>
      )}
    </AskDrawer>
  )
}

function SubmitDrawer({ alarm, ...p }: Props & { alarm: AlarmRow }) {
  const [pictures, setPictures] = useState<string[]>([])
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  async function add(files: FileList | null) {
    setBusy(true)
    try {
      for (const file of files ?? []) {
        const { key } = await upload<{ key: string }>(filesApi.upload, file)
        setPictures((old) => [...old, key].slice(0, 9))
      }
    } catch (error) {
      message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <AskDrawer
      {...p}
      title="提交整改照片"
      done="已提交，等待他人复核"
      ready={pictures.length > 0 && !busy}
      send={() => call(alarmsApi.submit, { body: { id: alarm.id, version: alarm.version, pictures, text } })}
    >
      {(errors) => (
        <>
          <p className="quiet">{subject([alarm])}</p>
          <Field label="整改照片（须在报警之后拍摄）" error={errors.pictures}>
            <input
              type="file"
              accept="image/jpeg,image/png,image/webp"
              multiple
              disabled={busy}
              onChange={(e) => void add(e.target.files)}
            />
          </Field>
          <p className="wrapping">
            {pictures.map((k) => (
              <Picture key={k} picture={k} caption="整改照片" width={108} height={72} />
            ))}
          </p>
          <Field label="说明" error={errors.text}>
            <Input.TextArea rows={3} maxLength={200} value={text} onChange={(e) => setText(e.target.value)} />
          </Field>
        </>
      )}
    </AskDrawer>
  )
}
