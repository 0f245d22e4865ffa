import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn.js'

import { dayOf, dayStart } from '../time.ts'

const DAY = 86_400
/** Days as people choose them; the last day is included. */
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
      style={{ width: 230 }}
      value={[day(from, false), day(to, true)]}
      onChange={(days) => {
        const [a, b] = (days ?? []).map((d) => d?.format('YYYY-MM-DD'))
        onChange(a && (seconds ? String(dayStart(a)) : a), b && (seconds ? String(dayStart(b) + DAY) : b))
      }}
    />
  )
}
