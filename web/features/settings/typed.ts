import { type SettingKey, SETTINGS } from '@zhuguan/contract/features/settings/settings.record.ts'

import { callsOf } from '../../kit/no-schemas.ts'

const WHOLE = /^\d+$/

/** The value of a box of numbers: the number, or the text as it stands where that is none or is too long for one. */
export function typedNumber(text: string): number | string {
  const said = text.trim()
  return WHOLE.test(said) && Number.isSafeInteger(Number(said)) ? Number(said) : said
}
/**
 * The reason why what was typed cannot be saved; undefined where it can. `back`: the word of the button that gives
 * it back.
 */
export function wrongNumber(key: SettingKey, draft: unknown, back: string): string | undefined {
  const { input, value } = SETTINGS[key]
  if (input !== 'number' || draft === undefined || draft === null) return undefined
  if (draft === '') return `请填写，不想单独设置就点“${back}”`
  if (!WHOLE.test(String(draft))) return '只填整数，不带单位和小数点'
  const { max, min } = callsOf(value)
  const number = Number(draft)
  if (number < Number(min?.[0] ?? -Infinity)) return `至少 ${Number(min?.[0])}`
  return number > Number(max?.[0] ?? Infinity) ? `最多 ${Number(max?.[0])}` : undefined
}
