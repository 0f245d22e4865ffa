import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn.js'

import { dayOf, dayStart, nowSeconds } from '../time.ts'

const DAY = 86_400
type Days = [dayjs.Dayjs, dayjs.Dayjs]
const today = () => dayjs(dayOf(nowSeconds()))
const back = (days: number) => today().subtract(days, 'day')
const PRESETS: { label: string; value: () => Days }[] = [
  { label: '今天', value: () => [today(), today()] },
  { label: '昨天', value: () => [back(1), back(1)] },
  { label: '本周', value: () => [today().locale('zh-cn').startOf('week'), today()] },
  { label: '近 7 天', value: () => [back(6), today()] },
  { label: '本月', value: () => [today().startOf('month'), today()] },
  { label: '近 30 天', value: () => [back(29), today()] },
]
/** Days as people choose them; the last day is included. What is looked for lies behind us. */
export default function DayRange({
  label,
  open,
  from,
  to,
  seconds,
  onChange,
}: {
  label: string
  open: boolean
  from: string | undefined
  to: string | undefined
  seconds: boolean
  onChange: (from?: string, to?: string) => void
}) {
  const day = (v: string | undefined, end: boolean) =>
    v ? dayjs(seconds ? dayOf(Number(v) - (end ? 1 : 0)) : v) : null
  return (
    <DatePicker.RangePicker
      aria-label={label}
      defaultOpen={open}
      presets={PRESETS}
      maxDate={today()}
      className="day-range"
      value={[day(from, false), day(to, true)]}
      onChange={(days) => {
        const [a, b] = (days ?? []).map((d) => d?.format('YYYY-MM-DD'))
        onChange(a && (seconds ? String(dayStart(a)) : a), b && (seconds ? String(dayStart(b) + DAY) : b))
      }}
    />
  )
}
