import { allCalls, askedOf, faultOf } from '../form/asked.ts'
import { plainDigits, type Refused } from './column.ts'

type Rule = readonly [holds: (text: string) => boolean, more?: { error?: string }]

/** The value that the contract's field makes of what is typed into a cell, or its sentence why not. */
export function checked(schema: unknown, empty = ''): (text: string) => { value: string } | Refused {
  const asked = askedOf(schema)
  const calls = allCalls(schema)
  const rules = (calls.refine ?? []) as readonly Rule[]
  const [write] = (calls.transform ?? []) as readonly ((text: string) => string)[]
  return (typed) => {
    const text = asked.pattern ? plainDigits(typed) : typed.trim()
    if (text === '' && empty !== '') return { value: empty }
    const fault =
      faultOf(asked, asked.needed, text) ?? rules.find(([holds]) => text !== '' && !holds(text))?.[1]?.error
    if (fault !== undefined) return { refused: fault }
    return { value: text === '' || !write ? text : write(text) }
  }
}
