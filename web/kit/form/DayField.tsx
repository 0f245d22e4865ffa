import { DatePicker, TimePicker } from 'antd'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn.js'

import { Field, type Look } from './Field.tsx'
import type { Fields, TextName } from './useForm.ts'

interface Props<B> extends Look {
  of: Fields<B>
  name: TextName<B>
}
const DAY = 'YYYY-MM-DD'
const CLOCK = 'HH:mm'
const dayIn = (value: unknown) => (value ? dayjs(value as string, DAY) : null)

/** A day as YYYY-MM-DD. */
export function DayField<B>({
  of: { raw },
  name,
  from,
  to,
  ...look
}: Props<B> & { from?: string | null | undefined; to?: string | null | undefined }) {
  return (
    <Field of={raw} name={name} {...look}>
      {({ 'aria-labelledby': _label, ...control }) => (
        <DatePicker
          {...control}
          className="wide"
          format={DAY}
          placeholder="选择日期"
          value={dayIn(raw.get(name))}
          minDate={dayIn(from) ?? undefined}
          maxDate={dayIn(to) ?? undefined}
          onChange={(day) => raw.put(name, day?.format(DAY) ?? '')}
        />
      )}
    </Field>
  )
}
/** A time of the day as 07:30. */
export function TimeField<B>({ of: { raw }, name, ...look }: Props<B>) {
  const value = raw.get(name) as string | null | undefined
  return (
    <Field of={raw} name={name} {...look}>
      {({ 'aria-labelledby': _label, ...control }) => (
        <TimePicker
          {...control}
          className="wide"
          format={CLOCK}
          needConfirm={false}
          placeholder="选择时间"
          value={value ? dayjs(`2000-01-01T${value}`) : null}
          onChange={(time) => raw.put(name, time?.format(CLOCK) ?? '')}
        />
      )}
    </Field>
  )
}
