import { z } from 'zod'

export interface Setting {
  group: string
  title: string
  /** The effect of a setting, in a sentence a manager understands. */
  what: string
  unit?: string
  /** Working hours that a clock runs for: what starts it now, to say as an example when it would end. */
  clock?: string
  value: z.ZodType
  otherwise: unknown
  /** The kind of field in which the page asks for it. */
  input: 'number' | 'days' | 'time' | 'times' | 'switch' | 'calendar' | 'person' | 'names'
  /** Only the group says it: no branch has its own. */
  whole?: boolean
  /** Of a person: what they must be allowed to do somewhere in the branch. */
  powers?: readonly string[]
}
export const setting = <const S extends Setting>(s: S): S => s
export const count = (min: number, max: number) =>
  z
    .number({ error: '应为数字' })
    .int({ error: '应为整数' })
    .min(min, { error: `至少 ${min}` })
    .max(max, { error: `最多 ${max}` })
/** A person of the branch; none where it is empty. */
export const person = z.union([z.uuid(), z.literal('')], { error: '请选择一位同事' })
export const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: '时间格式应为 08:00' })
