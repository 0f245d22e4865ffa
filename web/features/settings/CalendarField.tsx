import { WEEKDAYS } from '@zhuguan/contract/features/settings/settings.record.ts'
import {
  badLine,
  CALENDAR_EXAMPLE,
  calendarOver,
  calendarText,
  type DatedDay,
  readCalendar,
} from '@zhuguan/contract/kit/calendar.ts'
import { Button, Input } from 'antd'
import { useState } from 'react'

import { dayOf, nowSeconds } from '../../kit/time.ts'

const HINT = `每行一天或一段，可以整年粘贴：\n${CALENDAR_EXAMPLE}\n2027-02-14 班 调休`
const WEEK = [1, 2, 3, 4, 5, 6, 0]
const isWeekend = (weekday: number) => weekday === 0 || weekday === 6

interface Props {
  id: string
  disabled: boolean
  status: '' | 'error'
  /** A branch's page: what the group has stands under its own days. */
  branch: boolean
  restDays: readonly number[]
  inherited: readonly DatedDay[]
  /** The page's own days, or the text that is being written. */
  value: readonly DatedDay[] | string
  onChange: (text: string) => void
}

/** Days off and working days by their date: as lines to write or paste, and as the year that they make. */
export default function CalendarField(p: Props) {
  const { value, inherited, branch } = p
  const text = typeof value === 'string' ? value : calendarText(value)
  const { days, bad } = readCalendar(text)
  const all = calendarOver(days, inherited)
  const [year, setYear] = useState(() => new Date(nowSeconds() * 1000).getFullYear())
  const own = new Set(days.map((d) => d.day))
  const [off, worked] = [true, false].map(
    (rest) => all.filter((d) => d.rest === rest && d.day.startsWith(`${year}-`)).length,
  )
  return (
    <div className="calendar-field">
      <div className="calendar-lines">
        <Input.TextArea
          id={p.id}
          disabled={p.disabled}
          status={p.status}
          value={text}
          rows={20}
          placeholder={HINT}
          onChange={(e) => p.onChange(e.target.value)}
        />
        {bad.length > 0 && <em role="alert">{bad.slice(0, 3).map(badLine).join('；')}</em>}
        {branch && <small>只写本分公司与集团不同的日期；集团的 {inherited.length} 天照常算在内</small>}
      </div>
      <div className="calendar-year">
        <div className="calendar-bar">
          <Button size="small" aria-label="上一年" onClick={() => setYear(year - 1)}>
            ‹
          </Button>
          <b>{year} 年</b>
          <Button size="small" aria-label="下一年" onClick={() => setYear(year + 1)}>
            ›
          </Button>
          <small>
            写明休息 {off} 天、上班 {worked} 天
          </small>
        </div>
        <div className="calendar-months">
          {Array.from({ length: 12 }, (_, month) => (
            <Month key={month} year={year} month={month} all={all} own={own} restDays={p.restDays} />
          ))}
        </div>
        <div className="calendar-legend">
          <i className="rest">休</i> 写明休息 <i className="work">班</i> 写明上班 <i className="week">周</i>{' '}
          每周休息日 <i className="today">今</i> 今天
        </div>
      </div>
    </div>
  )
}

interface MonthProps {
  year: number
  month: number
  all: readonly DatedDay[]
  own: ReadonlySet<string>
  restDays: readonly number[]
}
function Month({ year, month, all, own, restDays }: MonthProps) {
  const first = new Date(Date.UTC(year, month, 1))
  const count = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const dated = new Map(all.map((d) => [d.day, d]))
  const today = dayOf(nowSeconds())
  return (
    <div className="calendar-month">
      <b>{month + 1} 月</b>
      <div className="calendar-days">
        {WEEK.map((weekday) => (
          <small key={weekday} className={isWeekend(weekday) ? 'weekend' : ''} aria-label={WEEKDAYS[weekday]}>
            {WEEKDAYS[weekday]!.slice(1)}
          </small>
        ))}
        {Array.from({ length: WEEK.indexOf(first.getUTCDay()) }, (_, i) => (
          <span key={`before-${i}`} />
        ))}
        {Array.from({ length: count }, (_, i) => {
          const at = new Date(Date.UTC(year, month, i + 1))
          const day = at.toISOString().slice(0, 10)
          const weekday = at.getUTCDay()
          const { kind, why } = meaningOf(dated.get(day), restDays, weekday, own.has(day))
          const isToday = day === today
          const marks = [kind, isWeekend(weekday) && 'weekend', isToday && 'today']
          const said = [isToday && '今天', why].filter(Boolean).join('，')
          return (
            <span
              key={day}
              className={marks.filter(Boolean).join(' ')}
              aria-current={isToday ? 'date' : undefined}
              title={said && `${day} ${said}`}
            >
              {i + 1}
            </span>
          )
        })}
      </div>
    </div>
  )
}

/** The kind of a day, and the reason. */
function meaningOf(
  dated: DatedDay | undefined,
  restDays: readonly number[],
  weekday: number,
  own: boolean,
): { kind: string; why: string } {
  if (dated) {
    const what = dated.rest ? '休息' : '上班'
    return {
      kind: dated.rest ? 'rest' : 'work',
      why: `${what}${dated.why ? `：${dated.why}` : ''}${own ? '' : '（集团）'}`,
    }
  }
  return restDays.includes(weekday)
    ? { kind: 'week', why: `休息：${WEEKDAYS[weekday]}` }
    : { kind: '', why: '' }
}
