import {
  type AlarmRow,
  correctionStatus,
  correctionStep,
} from '@zhuguan/contract/features/alarms/alarms.record.ts'
import type { correctionDetail } from '@zhuguan/contract/features/corrections/corrections.record.ts'
import type { ReactNode } from 'react'
import type { z } from 'zod'

import type { Addressed } from '../kit/list/address.ts'
import { NOTHING } from '../kit/list/columnsOf.tsx'
import { CodeFilter } from '../kit/list/filters.tsx'
import { Picture } from '../kit/Picture.tsx'
import { State, type Tone } from '../kit/State.tsx'
import { full, leftUntil, nowSeconds, short } from '../kit/time.ts'

/** The parts that an alarm and a correction have in common. */
type Correcting = Pick<AlarmRow, 'correctionStatus' | 'step' | 'disputed' | 'dueAt' | 'closedAt'>
type Detail = z.output<typeof correctionDetail>
const { open, correcting } = correctionStatus.code
const overdue = (a: Correcting) => a.dueAt !== null && a.closedAt === null && a.dueAt < nowSeconds()
const TONE: Record<number, Tone> = { 1: 'bad', 2: 'wait', 3: 'ok', 4: 'grey' }
export const StatusOf = ({ of: it }: { of: Correcting }) => (
  <State tone={overdue(it) ? 'bad' : (TONE[it.correctionStatus] ?? 'grey')}>
    {correctionStatus.label(it.correctionStatus) +
      (it.correctionStatus === correcting && it.step ? ` · ${correctionStep.label(it.step)}` : '') +
      (it.disputed ? ' · 申诉中' : '') +
      (overdue(it) ? ' · 超期' : '')}
  </State>
)

const LATE = [
  { value: 'true', label: '已超期' },
  { value: 'false', label: '未超期' },
]
/** Alarms and corrections past the end of their clock, or before it. */
export const OverdueFilter = ({ list }: { list: Addressed<'overdue'> }) => (
  <CodeFilter single list={list} field="overdue" label="是否超期" options={LATE} />
)

/** The step that the running clock asks for. */
function askedFor(a: Correcting): string {
  if (a.correctionStatus === open) return '指派'
  return a.step === correctionStep.code.submitted ? '复核' : '整改'
}
/** Until when something has to be done with it, and what; nothing where nothing has to be. */
export function dueOf(it: Correcting, long = false): ReactNode {
  if (it.dueAt === null || it.closedAt !== null) return NOTHING
  const left = leftUntil(it.dueAt)
  return (
    <span
      className={overdue(it) ? 'late' : undefined}
      title={`${full(it.dueAt)} 前应${askedFor(it)}，${left}`}
    >
      {short(it.dueAt)} 应{askedFor(it)}
      {long && `，${left}`}
    </span>
  )
}

/** When a handed-in picture was taken; the moment of its upload is never passed off as that. */
export function whenOf(photos: Detail['photos'], key: string): string {
  const photo = photos.find((p) => p.key === key)
  if (!photo) return '没有拍摄时间'
  return photo.takenAt === null
    ? `上传于 ${full(photo.uploadedAt)}，没有拍摄时间`
    : `拍摄于 ${full(photo.takenAt)}`
}

/** The line of the log whose words are a name. */
const ASSIGNED = '指派'
/** What was said and done about it, in the order of time. */
export const Thread = ({ detail }: { detail: Pick<Detail, 'log' | 'photos'> | undefined }) => (
  <>
    {detail && detail.log.length === 0 && <p className="quiet">还没有人处理。</p>}
    <ol className="log">
      {detail?.log.map((l, i) => (
        <li key={i}>
          {l.actor} <b>{l.action}</b>
          {l.action === ASSIGNED && l.text && (
            <>
              给 <b>{l.text}</b>
            </>
          )}{' '}
          <small>{short(l.at)}</small>
          {l.action !== ASSIGNED && l.text && <p>{l.text}</p>}
          {l.pictures.map((k) => (
            <Picture
              key={k}
              picture={k}
              caption={`${l.actor} ${whenOf(detail.photos, k)}`}
              width={96}
              height={60}
            />
          ))}
        </li>
      ))}
    </ol>
  </>
)
