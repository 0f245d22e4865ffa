import { DatePicker, TimePicker } from 'antd'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn.js'
import type { FormEvent } from 'react'

import { Field, type Look } from './Field.tsx'
import type { Fields, TextName } from './useForm.ts'

interface Props<B> extends Look {
  of: Fields<B>
  name: TextName<B>
}
const DAY = 'YYYY-MM-DD'
const CLOCK = 'HH:mm'
const dayIn = (value: unknown) => (value ? dayjs(value as string, DAY) : null)
const DAY_TEXT = /^\d{4}-\d\d-\d\d$/
const CLOCK_TEXT = /^([01]\d|2[0-3]):[0-5]\d$/
/** The typed value counts at once: the calendar hands it on later than the click that sends the form. */
const typed = (whole: RegExp, put: (text: string) => void) => (e: FormEvent<HTMLElement>) => {
  const text = (e.target as HTMLInputElement).value.trim()
  if (whole.test(text) || text === '') put(text)
}

/** A day as YYYY-MM-DD, chosen or typed. */
export function DayField<B>({
  of: { raw },
  name,
  from,
  to,
  ...look
}: Props<B> & { from?: string | null | undefined; to?: string | null | undefined }) {
  const put = (text: string) => raw.put(name, text)
  return (
    <Field of={raw} name={name} {...look}>
      {({ 'aria-labelledby': _label, ...control }) => (
        <div onInput={typed(DAY_TEXT, put)}>
          <DatePicker
            {...control}
            className="wide"
            format={DAY}
            placeholder="选择日期"
            value={dayIn(raw.get(name))}
            minDate={dayIn(from) ?? undefined}
            maxDate={dayIn(to) ?? undefined}
            onChange={(day) => put(day?.format(DAY) ?? '')}
          />
        </div>
      )}
    </Field>
  )
}
/** A time of the day as 07:30. */
export function TimeField<B>({ of: { raw }, name, ...look }: Props<B>) {
  const value = raw.get(name) as string | null | undefined
  const put = (text: string) => raw.put(name, text)
  return (
    <Field of={raw} name={name} {...look}>
      {({ 'aria-labelledby': _label, ...control }) => (
        <div onInput={typed(CLOCK_TEXT, put)}>
          <TimePicker
            {...control}
            className="wide"
            format={CLOCK}
            needConfirm={false}
            placeholder="选择时间"
            value={value ? dayjs(`2000-01-01T${value}`) : null}
            onChange={(time) => put(time?.format(CLOCK) ?? '')}
          />
        </div>
      )}
    </Field>
  )
}
