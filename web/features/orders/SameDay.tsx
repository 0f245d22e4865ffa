import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn.js'
import { useId } from 'react'

const DAY = 'YYYY-MM-DD'
/** One day for all rows below; empty where they differ. */
export function SameDay({
  label,
  day,
  from,
  to,
  onPick,
}: {
  label: string
  day: string | null | undefined
  from: string
  to: string
  onPick: (day: string) => void
}) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <DatePicker
        id={id}
        className="wide"
        format={DAY}
        allowClear={false}
        placeholder="各行不同；选一个日期全部改成它"
        value={day ? dayjs(day, DAY) : null}
        minDate={dayjs(from, DAY)}
        maxDate={dayjs(to, DAY)}
        onChange={(picked) => picked && onPick(picked.format(DAY))}
      />
    </div>
  )
}
