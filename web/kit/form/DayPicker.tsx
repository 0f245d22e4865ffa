import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn.js'

const DAY = 'YYYY-MM-DD'

/** A day outside of a form. */
export default function DayPicker({
  label,
  day,
  to,
  onPick,
}: {
  label: string
  day: string
  to: string
  onPick: (day: string) => void
}) {
  return (
    <DatePicker
      aria-label={label}
      allowClear={false}
      format={DAY}
      value={dayjs(day, DAY)}
      maxDate={dayjs(to, DAY)}
      onChange={(d) => d && onPick(d.format(DAY))}
    />
  )
}
