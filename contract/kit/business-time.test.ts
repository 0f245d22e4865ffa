import { describe, expect, test } from 'vitest'

import { endOf, type Pause, type WorkHours, workingTime } from './business-time.ts'

/** 2026-11-20 is a Friday. */
const at = (words: string) => new Date(`2026-${words.replace(' ', 'T')}:00+08:00`)
const words = (instant: Date) =>
  new Date(instant.getTime() + 8 * 3_600_000).toISOString().slice(5, 16).replace('T', ' ')

const always: WorkHours = { opens: '00:00', closes: '23:59', restDays: [], calendar: [] }
const site: WorkHours = { opens: '07:30', closes: '18:00', restDays: [], calendar: [] }
const office: WorkHours = { opens: '09:00', closes: '18:00', restDays: [0, 6], calendar: [] }
/** Friday and Monday off, Saturday worked. */
const holiday: WorkHours = {
  ...office,
  calendar: [
    { day: '2026-11-20', rest: true },
    { day: '2026-11-21', rest: false },
    { day: '2026-11-23', rest: true },
  ],
}
const pause = (from: string, to: string): Pause => ({ from: at(from), to: at(to) })

describe('a clock of N working hours ends', () => {
  test.each<[string, WorkHours, string, number, string, Pause[]?]>([
    ['without hours of its own a day is a day', always, '11-20 10:17', 24, '11-21 10:17'],
    ['the last minute of the day is whole', always, '11-20 23:00', 1, '11-21 00:00'],
    ['and nothing is lost over thirty nights', always, '11-20 23:59', 720, '12-20 23:59'],
    ['within one day', site, '11-20 08:00', 2, '11-20 10:00'],
    ['just when work is over', site, '11-20 08:00', 10, '11-20 18:00'],
    ['over night', site, '11-20 17:00', 2, '11-21 08:30'],
    ['of a whole day, over two nights', site, '11-20 17:00', 24, '11-23 09:30'],
    ['begun before work', site, '11-20 03:00', 2, '11-20 09:30'],
    ['begun after work', site, '11-20 22:00', 2, '11-21 09:30'],
    ['begun the moment work is over', site, '11-20 18:00', 1, '11-21 08:30'],
    ['begun the moment work begins', site, '11-20 07:30', 1, '11-20 08:30'],
    ['over rest days', office, '11-20 17:00', 2, '11-23 10:00'],
    ['begun on a rest day', office, '11-21 12:00', 1, '11-23 10:00'],
    [
      'begun on a dated day off, on the weekend that is worked for it',
      holiday,
      '11-20 10:00',
      1,
      '11-21 10:00',
    ],
    ['over a dated day off', holiday, '11-19 17:00', 2, '11-21 10:00'],
    ['over the rest day and the dated one', holiday, '11-21 17:00', 2, '11-24 10:00'],
    ['longer than a week', office, '11-20 09:00', 50, '11-27 14:00'],
    ['of no hours, at once', office, '11-21 12:00', 0, '11-21 12:00'],
    ['of half an hour', office, '11-20 17:45', 0.5, '11-23 09:15'],
    ['paused within a day', site, '11-20 08:00', 2, '11-20 11:00', [pause('11-20 09:00', '11-20 10:00')]],
    ['paused over night', site, '11-20 16:00', 2, '11-21 09:30', [pause('11-20 17:00', '11-21 08:30')]],
    ['paused at night only', site, '11-20 17:00', 2, '11-21 08:30', [pause('11-20 20:00', '11-21 05:00')]],
    ['begun in a pause', site, '11-20 08:00', 1, '11-20 11:00', [pause('11-20 07:00', '11-20 10:00')]],
    [
      'paused twice, one inside the other',
      site,
      '11-20 08:00',
      2,
      '11-20 13:00',
      [pause('11-20 09:30', '11-20 10:00'), pause('11-20 09:00', '11-20 12:00')],
    ],
    ['paused before it began', site, '11-20 08:00', 2, '11-20 10:00', [pause('11-19 09:00', '11-19 10:00')]],
    ['of hours that leave none', { ...site, opens: '19:00' }, '11-20 10:00', 24, '11-21 10:00'],
    ['of a week of rest', { ...site, restDays: [0, 1, 2, 3, 4, 5, 6] }, '11-20 10:00', 24, '11-21 10:00'],
  ])('%s', (_what, hours, from, n, end, pauses) => {
    expect(words(endOf(hours, at(from), n, pauses))).toBe(end)
  })
})

describe('working time between two instants', () => {
  const HOUR = 3_600_000
  test.each<[string, WorkHours, string, string, number, Pause[]?]>([
    ['a day is a day', always, '11-20 10:00', '11-21 10:00', 24],
    ['the night does not count', site, '11-20 17:00', '11-21 08:30', 2],
    ['nor rest days', office, '11-20 17:00', '11-23 10:00', 2],
    ['nor does a night alone', site, '11-20 18:00', '11-21 07:30', 0],
    ['dated days off do not count, dated working days do', holiday, '11-19 17:00', '11-24 10:00', 11],
    ['over a week', office, '11-20 09:00', '11-27 14:00', 50],
    ['a pause over night', site, '11-20 16:00', '11-21 09:30', 2, [pause('11-20 17:00', '11-21 08:30')]],
    ['nothing between one instant and itself', site, '11-20 10:00', '11-20 10:00', 0],
    ['nothing backwards', site, '11-20 12:00', '11-20 10:00', 0],
  ])('%s', (_what, hours, from, to, n, pauses) => {
    expect(workingTime(hours, at(from), at(to), pauses)).toBe(n * HOUR)
  })
})
