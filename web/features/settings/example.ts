import {
  type SettingKey,
  type SettingRow,
  SETTINGS,
} from '@zhuguan/contract/features/settings/settings.record.ts'
import { endOf } from '@zhuguan/contract/kit/business-time.ts'
import { calendarOver, type DatedDay, readCalendar } from '@zhuguan/contract/kit/calendar.ts'

import { nowSeconds, short } from '../../kit/time.ts'
import { chosen } from './SettingLine.tsx'

const TIME = /^\d\d:\d\d$/

/** The dated days that count where the page stands, unsaved lines too; lines that cannot be read say nothing yet. */
export function calendarOf(
  settings: readonly SettingRow[],
  draft: Partial<Record<SettingKey, unknown>>,
): DatedDay[] {
  const s = settings.find(({ key }) => key === 'calendar')!
  const inherited = s.inherited as DatedDay[]
  const own = chosen(s, draft.calendar)
  return calendarOver(typeof own === 'string' ? readCalendar(own).days : (own as DatedDay[]), inherited)
}

/** When a clock that began now would end, with what was chosen and is not saved yet. */
export function exampleOf(
  key: SettingKey,
  settings: readonly SettingRow[],
  draft: Partial<Record<SettingKey, unknown>>,
): string | undefined {
  const about = SETTINGS[key]
  if (!('clock' in about)) return undefined
  const value = (k: SettingKey) =>
    chosen(
      settings.find((s) => s.key === k)!,
      draft[k],
    )
  const [opens, closes] = [String(value('workStart')), String(value('workEnd'))]
  // Half a time that is being typed says nothing yet.
  if (!TIME.test(opens) || !TIME.test(closes)) return undefined
  const restDays = value('restDays') as number[]
  const end = endOf(
    { opens, closes, restDays, calendar: calendarOf(settings, draft) },
    new Date(nowSeconds() * 1000),
    Number(value(key)),
  )
  return `${about.clock}，${short(Math.floor(end.getTime() / 1000))} 到期`
}
