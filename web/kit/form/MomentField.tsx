import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn.js'

import { full } from '../time.ts'
import { Field, type Look } from './Field.tsx'
import type { Fields, NamesOf } from './useForm.ts'

const FORMAT = 'YYYY-MM-DD HH:mm'
/** The clock on the wall in Shanghai, whatever the browser's own is. */
const wallOf = (seconds: number | null | undefined) => (seconds ? dayjs(full(seconds)) : null)
const secondsOf = (text: string) => Date.parse(`${text.replace(' ', 'T')}:00+08:00`) / 1000

/** A day and its minute, in whole seconds since 1970. */
export function MomentPicker({
  value,
  onChange,
  ...control
}: {
  value: number | null | undefined
  onChange: (seconds: number | null) => void
  id?: string
  disabled?: boolean
  'aria-label'?: string
}) {
  return (
    <DatePicker
      {...control}
      className="wide"
      showTime={{ format: 'HH:mm', minuteStep: 5 }}
      format={FORMAT}
      placeholder="选择日期和时间"
      value={wallOf(value)}
      onChange={(at) => onChange(at ? secondsOf(at.format(FORMAT)) : null)}
    />
  )
}
export function MomentField<B>({
  of: { raw },
  name,
  ...look
}: Look & { of: Fields<B>; name: NamesOf<B, number> }) {
  return (
    <Field of={raw} name={name} {...look}>
      {({ 'aria-labelledby': _label, 'aria-required': _needed, ...control }) => (
        <MomentPicker
          {...control}
          value={raw.get(name) as number | null | undefined}
          onChange={(at) => raw.put(name, at)}
        />
      )}
    </Field>
  )
}
