import type { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'
import {
  type SettingKey,
  type SettingRow,
  SETTINGS,
  WEEKDAYS,
} from '@zhuguan/contract/features/settings/settings.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import type { DatedDay } from '@zhuguan/contract/kit/calendar.ts'
import { Checkbox, Input, Select, Switch } from 'antd'
import type { ReactNode } from 'react'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { typedNumber } from './typed.ts'

const SettingPerson = lazyPart(() => import('./SettingPerson.tsx'))
const CalendarField = lazyPart(() => import('./CalendarField.tsx'))

const FROM: Record<SettingRow['from'] | 'unsaved', readonly [Tone, string]> = {
  unsaved: ['wait', '未保存'],
  branch: ['grey', '本分公司'],
  group: ['grey', '集团'],
  product: ['grey', '系统默认'],
}

/** A week begins with Monday; the numbers are those of the calendar, Sunday being 0. */
const inWeek = (days: readonly number[]) => [...days].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7))
const WEEK = inWeek(WEEKDAYS.map((_, day) => day))

/** A setting's value in words. */
export function words(key: SettingKey, value: unknown, people: SettingPeople): string {
  const about = SETTINGS[key]
  if (about.input === 'switch') return value ? '开' : '关'
  if (about.input === 'days')
    return (
      inWeek(value as number[])
        .map((d) => WEEKDAYS[d])
        .join('、') || '无'
    )
  if (about.input === 'calendar') return `${(value as DatedDay[]).length} 天`
  if (about.input === 'person')
    return people.find((p) => p.id === value)?.nickname ?? (value ? '集团指定的人' : '不指定')
  if (about.input === 'times') return (value as string[]).join('、') || '不要求'
  if (about.input === 'names') return (value as string[]).join('、')
  return 'unit' in about ? `${String(value)} ${about.unit}` : String(value)
}

export type SettingPeople = DataOf<(typeof settingsApi)['selectByBcId']>['people']
interface Props {
  setting: SettingRow
  /** What was chosen and is not saved: a value, null to follow again, undefined when nothing was. */
  draft: unknown
  /** A branch's page; otherwise the group's. */
  branch: boolean
  editable: boolean
  error: string | undefined
  /** The week and the dated days that count, for the year that is shown. */
  calendar: { restDays: readonly number[]; inherited: readonly DatedDay[] }
  /** The branch, empty for the group, and people whom settings name. */
  bc: string
  people: SettingPeople
  /** What the value does, told of now. */
  example: ReactNode
  onChange: (value: unknown) => void
}

/** The button that gives a setting back to what is inherited. */
export const backWord = (branch: boolean): string => (branch ? '恢复跟随' : '恢复默认')
/** The value that counts when the draft is saved. */
export const chosen = (s: SettingRow, draft: unknown): unknown =>
  draft === undefined ? s.value : (draft ?? s.inherited)
/** The dated days of this page itself: those that it inherits stand beside it and count where it says nothing. */
const ownDays = (s: SettingRow, draft: unknown, branch: boolean): unknown => {
  if (draft !== undefined) return draft ?? []
  return s.from === (branch ? 'branch' : 'group') ? s.value : []
}

/** The person who decides the value that is shown. */
function decidedBy({ setting: s, draft, branch }: Props): { own: boolean; from: keyof typeof FROM } {
  const here = branch ? 'branch' : 'group'
  if (draft !== undefined && draft !== null) return { own: true, from: 'unsaved' }
  if (draft === undefined && s.from === here) return { own: true, from: here }
  return { own: false, from: branch && s.from === 'group' ? 'group' : 'product' }
}

/** One setting: what it steers, its value, who decides it, and the way back to what is inherited. */
export function SettingLine(p: Props) {
  const { setting: s, draft, branch, editable, error, example, onChange } = p
  const about = SETTINGS[s.key]
  const { own, from } = decidedBy(p)
  const [tone, label] = FROM[from]
  return (
    <div
      className={`setting-line${draft === undefined ? '' : ' changed'}${about.input === 'calendar' ? ' wide' : ''}`}
    >
      <label htmlFor={`set-${s.key}`}>
        <b>{about.title}</b>
        <small>{about.what}</small>
      </label>
      <span className="setting-value">
        <SettingInput
          {...p}
          value={about.input === 'calendar' ? ownDays(s, draft, branch) : chosen(s, draft)}
        />
        {error && <em role="alert">{error}</em>}
        {!error && example && <small>{example}</small>}
      </span>
      <span className="setting-from">
        <State tone={tone}>{label}</State>
        {own && editable && (
          <button
            className="text-button"
            title={`改回 ${words(s.key, s.inherited, p.people)}`}
            onClick={() => onChange(null)}
          >
            {backWord(branch)}
          </button>
        )}
      </span>
    </div>
  )
}

function SettingInput({
  setting: { key },
  value,
  editable,
  error,
  calendar,
  branch,
  bc,
  people,
  onChange,
}: Props & { value: unknown }) {
  const about = SETTINGS[key]
  const common = { id: `set-${key}`, disabled: !editable }
  const status = error ? 'error' : ''
  if (about.input === 'number')
    return (
      <Input
        {...common}
        inputMode="numeric"
        maxLength={20}
        autoComplete="off"
        status={status}
        value={String(value)}
        suffix={'unit' in about ? about.unit : undefined}
        className="setting-input"
        onChange={(e) => onChange(typedNumber(e.target.value))}
      />
    )
  if (about.input === 'switch')
    return (
      <Switch
        {...common}
        checked={value as boolean}
        checkedChildren="开"
        unCheckedChildren="关"
        onChange={onChange}
      />
    )
  if (about.input === 'calendar')
    return (
      <CalendarField
        {...common}
        {...calendar}
        status={status}
        branch={branch}
        value={value as DatedDay[] | string}
        onChange={onChange}
      />
    )
  if (about.input === 'time')
    return (
      <Input
        {...common}
        maxLength={5}
        placeholder="08:00"
        status={status}
        value={value as string}
        className="setting-input"
        onChange={(e) => onChange(e.target.value)}
      />
    )
  if (about.input === 'person')
    return (
      <SettingPerson
        {...common}
        status={status}
        bc={bc}
        people={people}
        value={value as string}
        onChange={onChange}
      />
    )
  if (about.input === 'times')
    return (
      <Select
        {...common}
        mode="tags"
        open={false}
        suffixIcon={null}
        tokenSeparators={['、', '，', ',', ' ']}
        placeholder="09:00，回车再加一个"
        status={status}
        value={value as string[]}
        className="setting-times"
        onChange={(all: string[]) =>
          onChange(all.map((t) => t.trim().replace('：', ':').padStart(5, '0')).sort())
        }
      />
    )
  if (about.input === 'names')
    return (
      <Select
        {...common}
        mode="tags"
        open={false}
        suffixIcon={null}
        tokenSeparators={['、', '，', ',', '\n']}
        placeholder="写一个，回车再加一个"
        status={status}
        value={value as string[]}
        className="setting-names"
        onChange={(all: string[]) => onChange(all.map((name) => name.trim()).filter(Boolean))}
      />
    )
  return (
    <Checkbox.Group
      disabled={!editable}
      value={value as number[]}
      options={WEEK.map((v) => ({ value: v, label: WEEKDAYS[v]! }))}
      onChange={(v) => onChange([...v].sort((a, b) => a - b))}
    />
  )
}
