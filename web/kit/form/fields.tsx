import { Input, InputNumber, Radio, Select, Switch } from 'antd'
import { type ReactNode, useEffect, useRef, useState } from 'react'

import { Field, type Look } from './Field.tsx'
import type { Draft, Fields, NamesOf, Raw, TextName } from './useForm.ts'

/** Text from this length on is written in several lines. */
const LONG = 100

interface Of<B, K> extends Look {
  of: Fields<B>
  name: K
}
/** One line of text; longer texts get several. */
export function TextField<B>({
  of: { raw },
  name,
  example,
  upper,
  rows,
  focus,
  inputMode,
  autoComplete,
  ...look
}: Of<B, TextName<B>> & {
  example?: string
  /** Small letters become capitals. */
  upper?: boolean
  /** Several lines, so many of them. */
  rows?: number
  focus?: boolean
  inputMode?: 'tel' | 'numeric'
  autoComplete?: string
}) {
  const { max, text } = raw.asked(name)
  const common = {
    value: (raw.get(name) as string | null | undefined) ?? '',
    autoFocus: focus,
    placeholder: example && `例如 ${example}`,
    ...(text && max ? { maxLength: max.at } : {}),
  }
  const put = (typed: string) => raw.put(name, upper ? typed.toUpperCase() : typed)
  return (
    <Field of={raw} name={name} {...look}>
      {({ 'aria-labelledby': _label, ...control }) =>
        rows ? (
          <Input.TextArea
            {...control}
            {...common}
            rows={rows}
            showCount={!!max && max.at >= LONG}
            onChange={(e) => put(e.target.value)}
          />
        ) : (
          <Input
            {...control}
            {...common}
            inputMode={inputMode}
            autoComplete={autoComplete ?? 'off'}
            onChange={(e) => put(e.target.value)}
          />
        )
      }
    </Field>
  )
}
/** The reason why something is done: three lines, and an example of what to write. */
export const ReasonField = <B,>({ example, ...p }: Of<B, TextName<B>> & { example: string }) => (
  <TextField {...p} rows={3} example={example} />
)

export function NumberField<B>({
  of: { raw },
  name,
  unit,
  example,
  ...look
}: Of<B, NamesOf<B, number>> & { unit?: string; example?: string }) {
  return (
    <Field of={raw} name={name} {...look}>
      {({ 'aria-labelledby': _label, ...control }) => (
        <InputNumber
          {...control}
          className="wide"
          controls={false}
          value={(raw.get(name) as number | null | undefined) ?? null}
          placeholder={example && `例如 ${example}`}
          suffix={unit}
          onChange={(value) => raw.put(name, value)}
        />
      )}
    </Field>
  )
}

export interface Option<V = string> {
  value: V
  label: string
  disabled?: boolean
  title?: string
}
interface Codes<V> {
  options: readonly Option<V>[]
}
const labelIn = (options: readonly Option<unknown>[]) => (value: unknown) =>
  options.find((o) => o.value === value)?.label ?? String(value)

interface Choosing {
  /** It may be taken back. */
  clear?: boolean
  placeholder?: string
  loading?: boolean
  /** What is said where there is nothing to choose. */
  nothing?: string
}
function OneOf({
  of,
  name,
  options,
  clear,
  placeholder,
  loading,
  nothing,
  after,
  ...look
}: Look &
  Choosing & {
    of: Raw
    name: string
    options: readonly Option<unknown>[]
    after?: ((value: unknown) => void) | undefined
  }) {
  return (
    <Field of={of} name={name} words={labelIn(options)} {...look}>
      {({ 'aria-labelledby': _label, ...control }) => (
        <Select
          {...control}
          className="wide"
          virtual={false}
          allowClear={clear}
          loading={loading}
          placeholder={placeholder ?? '请选择'}
          notFoundContent={nothing}
          showSearch={options.length > 8 ? { optionFilterProp: 'label' } : false}
          value={of.get(name) || undefined}
          options={[...options]}
          onChange={(value) => {
            of.put(name, value ?? null)
            after?.(value)
          }}
        />
      )}
    </Field>
  )
}
/** One of a closed list. */
export const CodeField = <B, K extends NamesOf<B, string | number>>({
  of,
  codes,
  also,
  ...p
}: Of<B, K> &
  Choosing & {
    codes: Codes<NonNullable<B[K & keyof B]>>
    /** The other fields that change with the choice. */
    also?: (code: NonNullable<B[K & keyof B]>) => Draft<B>
  }) => (
  <OneOf
    {...p}
    of={of.raw}
    options={codes.options}
    after={also && ((code) => of.set(also(code as NonNullable<B[K & keyof B]>)))}
  />
)
/** One of what the server has: a branch, a device. */
export const OneField = <B,>({
  of,
  also,
  ...p
}: Of<B, TextName<B>> &
  Choosing & {
    options: readonly Option[]
    /** The other fields that change with the choice. */
    also?: (id: string) => Draft<B>
  }) => <OneOf {...p} of={of.raw} after={also && ((id) => of.set(also(id as string)))} />
/** One of a few that are all in sight. */
export function ChoiceField<B, K extends NamesOf<B, string | number>>({
  of: { raw },
  name,
  codes: { options },
  ...look
}: Of<B, K> & { codes: Codes<NonNullable<B[K & keyof B]>> }) {
  return (
    <Field of={raw} name={name} words={labelIn(options)} {...look}>
      {({ disabled, 'aria-labelledby': labelledBy }) => (
        <Radio.Group
          aria-labelledby={labelledBy}
          className="choices"
          disabled={disabled}
          value={raw.get(name)}
          options={[...options]}
          onChange={(e) => raw.put(name, e.target.value)}
        />
      )}
    </Field>
  )
}
/** Several of a list. */
export function ManyField<B>({
  of: { raw },
  name,
  options,
  placeholder,
  ...look
}: Of<B, NamesOf<B, readonly string[]>> & { options: readonly Option[]; placeholder?: string }) {
  const label = labelIn(options)
  const words = (value: unknown) => (value as readonly string[]).map(label).join('、')
  return (
    <Field of={raw} name={name} words={words} {...look}>
      {({ 'aria-labelledby': _label, ...control }) => (
        <Select
          {...control}
          mode="multiple"
          className="wide"
          virtual={false}
          placeholder={placeholder ?? '可以选多个'}
          showSearch={{ optionFilterProp: 'label' }}
          value={(raw.get(name) as string[] | null | undefined) ?? []}
          options={[...options]}
          onChange={(value) => raw.put(name, value)}
        />
      )}
    </Field>
  )
}
export function SwitchField<B>({
  of: { raw },
  name,
  words: [yes, no],
  ...look
}: Of<B, NamesOf<B, boolean>> & { words: readonly [yes: string, no: string] }) {
  return (
    <Field of={raw} name={name} words={(value) => (value ? yes : no)} {...look}>
      {({ id, disabled, 'aria-labelledby': labelledBy }) => (
        <Switch
          id={id}
          aria-labelledby={labelledBy}
          disabled={disabled}
          checked={!!raw.get(name)}
          checkedChildren={yes}
          unCheckedChildren={no}
          onChange={(on) => raw.put(name, on)}
        />
      )}
    </Field>
  )
}

export interface Finding {
  find: (text: string) => Promise<Option[]>
  /** The name of an id that was chosen before. */
  nameOf: (id: string) => Promise<Option | undefined>
}
const PAUSE_MS = 250
/** A record looked up on the server while typing: a person, a site, a worker. */
export function PickField<B>({ of: { raw }, name, find, nameOf, ...look }: Of<B, TextName<B>> & Finding) {
  const [found, setFound] = useState<readonly Option[] | null>(null)
  const [known, setKnown] = useState<readonly Option[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const value = raw.get(name) as string | null | undefined
  const options = [...(found ?? []), ...known.filter((k) => !found?.some((o) => o.value === k.value))]
  const search = (text: string) => void find(text).then(setFound, () => setFound([]))
  useEffect(() => search(''), [])
  useEffect(() => {
    if (value && found && !options.some((o) => o.value === value))
      void nameOf(value).then(
        (one) => setKnown((old) => [...old, one ?? { value, label: '看不到的记录' }]),
        () => {},
      )
  }, [value, found])
  const label = look.label ?? raw.asked(name).title
  return (
    <Field of={raw} name={name} words={labelIn(options)} {...look}>
      {({ 'aria-labelledby': _label, ...control }) => (
        <Select
          {...control}
          className="wide"
          virtual={false}
          allowClear
          placeholder={`输入名称查找${label}`}
          notFoundContent={found ? '没有找到' : '正在查找…'}
          showSearch={{
            filterOption: false,
            onSearch: (text) => {
              clearTimeout(timer.current)
              timer.current = setTimeout(() => search(text), PAUSE_MS)
            },
          }}
          value={options.some((o) => o.value === value) ? value : undefined}
          options={options}
          onChange={(id?: string) => raw.put(name, id ?? null)}
        />
      )}
    </Field>
  )
}
/** Several records looked up on the server while typing. */
export function PickManyField<B>({
  of: { raw },
  name,
  find,
  nameOf,
  placeholder,
  ...look
}: Of<B, NamesOf<B, readonly string[]>> & Finding & { placeholder?: string }) {
  const [found, setFound] = useState<readonly Option[] | null>(null)
  const [known, setKnown] = useState<readonly Option[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const chosen = (raw.get(name) as readonly string[] | null | undefined) ?? []
  const options = [...known, ...(found ?? []).filter((o) => !known.some((k) => k.value === o.value))]
  const search = (text: string) => void find(text).then(setFound, () => setFound([]))
  useEffect(() => search(''), [])
  useEffect(() => {
    const nameless = found ? chosen.filter((id) => !options.some((o) => o.value === id)) : []
    if (nameless.length === 0) return
    void Promise.all(
      nameless.map((id) => nameOf(id).then((o) => o ?? { value: id, label: '看不到的记录' })),
    ).then((ones) => setKnown((old) => [...old, ...ones]))
  }, [chosen.join(), found])
  const label = labelIn(options)
  const words = (value: unknown) => (value as readonly string[]).map(label).join('、')
  return (
    <Field of={raw} name={name} words={words} {...look}>
      {({ 'aria-labelledby': _label, ...control }) => (
        <Select
          {...control}
          mode="multiple"
          className="wide"
          virtual={false}
          placeholder={placeholder ?? '可以选多个'}
          notFoundContent={found ? '没有找到' : '正在查找…'}
          showSearch={{
            filterOption: false,
            onSearch: (text) => {
              clearTimeout(timer.current)
              timer.current = setTimeout(() => search(text), PAUSE_MS)
            },
          }}
          value={chosen.filter((id) => options.some((o) => o.value === id))}
          options={options}
          onChange={(ids: string[]) => {
            // What was chosen keeps its name when the next search does not find it.
            setKnown(options.filter((o) => ids.includes(o.value)))
            raw.put(name, ids)
          }}
        />
      )}
    </Field>
  )
}
/** A field with a control of its own: the field around it, the value given to it. */
export function OwnField<B, K extends keyof B & string>({
  of: { raw },
  name,
  children,
  ...look
}: Of<B, K> & {
  children: (value: B[K] | null | undefined, put: (value: B[K] | null) => void) => ReactNode
}) {
  return (
    <Field of={raw} name={name} {...look}>
      {({ 'aria-labelledby': labelledBy }) => (
        <div role="group" aria-labelledby={labelledBy}>
          {children(raw.get(name) as B[K] | null | undefined, (value) => raw.put(name, value))}
        </div>
      )}
    </Field>
  )
}
const serials = (text: string) => text.split(/[\s,，;；]+/).filter(Boolean)
/** Many short texts at once, one a line, as they are pasted from a table. */
export function PastedField<B>({
  of: { raw },
  name,
  example,
  ...look
}: Of<B, NamesOf<B, readonly string[]>> & { example: string }) {
  const [text, setText] = useState('')
  const count = new Set(serials(text)).size
  return (
    <Field of={raw} name={name} {...look} hint={count ? `共 ${count} 个` : look.hint}>
      {({ 'aria-labelledby': _label, ...control }) => (
        <Input.TextArea
          {...control}
          rows={10}
          value={text}
          placeholder={example}
          onChange={(e) => {
            setText(e.target.value)
            raw.put(name, serials(e.target.value))
          }}
        />
      )}
    </Field>
  )
}
