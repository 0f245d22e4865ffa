import { type ReactNode, useId } from 'react'

import type { Raw } from './useForm.ts'

export interface Control {
  id: string
  disabled: boolean
  'aria-describedby': string | undefined
  'aria-invalid': boolean
  'aria-required': boolean
  /** The label of a control that is a group of others. */
  'aria-labelledby': string
}
export interface Look {
  /** Other words than the contract's. */
  label?: string
  hint?: ReactNode
  disabled?: boolean
}

/** A field as every form shows it: its name and a mark where it must be given, its control, what is wrong with it. */
export function Field({
  of,
  name,
  label,
  hint,
  disabled = false,
  words = String,
  children,
}: Look & {
  of: Raw
  name: string
  /** A value in words, where it is no text. */
  words?: (value: unknown) => ReactNode
  children: (control: Control) => ReactNode
}) {
  const id = useId()
  const fault = of.fault(name)
  const theirs = of.theirs(name)
  const needed = of.needs(name)
  const below = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div className="field" data-field={of.path(name)}>
      <label id={`${id}-label`} htmlFor={id} className={needed ? 'needed' : undefined}>
        {label ?? of.asked(name).title}
      </label>
      {children({
        id,
        disabled: disabled || of.frozen,
        'aria-describedby': below || undefined,
        'aria-invalid': !!fault,
        'aria-required': needed,
        'aria-labelledby': `${id}-label`,
      })}
      {fault && (
        <em id={`${id}-fault`} role="alert">
          {fault}
        </em>
      )}
      {theirs && (
        <p className="theirs" role="status">
          别人刚改成：{theirs.value === null || theirs.value === '' ? '（空）' : words(theirs.value)}
          {theirs.taken ? (
            '（已带入）'
          ) : (
            <button type="button" className="text-button" onClick={() => of.put(name, theirs.value)}>
              用这个
            </button>
          )}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  )
}
