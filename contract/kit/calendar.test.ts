import { expect, test } from 'vitest'

import { badLine, calendarOver, calendarText, readCalendar } from './calendar.ts'

const days = (text: string) => readCalendar(text).days.map((d) => `${d.day} ${d.rest ? '休' : '班'} ${d.why}`)
const bad = (text: string) => readCalendar(text).bad.map(badLine)

test('a year is pasted at once: days and spans, as people write them, and read back the same', () => {
  const text =
    '2027-02-06~2027-02-08 休 春节\n\n２０２７－０２－１４ 班 调休\n2027/5/1 至 5月2日 放假 劳动节\n2027.10.1 休'
  expect(days(text)).toEqual([
    '2027-02-06 休 春节',
    '2027-02-07 休 春节',
    '2027-02-08 休 春节',
    '2027-02-14 班 调休',
    '2027-05-01 休 劳动节',
    '2027-05-02 休 劳动节',
    '2027-10-01 休 ',
  ])
  const kept = readCalendar(text).days
  expect(calendarText(kept)).toBe(
    '2027-02-06~2027-02-08 休 春节\n2027-02-14 班 调休\n2027-05-01~2027-05-02 休 劳动节\n2027-10-01 休',
  )
  expect(readCalendar(calendarText(kept)).days).toEqual(kept)
})

test('what is no day, stands twice or contradicts itself is named by its line', () => {
  expect(bad('2027-02-06 休\n32.13. 休 春节')).toEqual([
    '第 2 行：“32.13.”不是日历上的日期，应写成 2027-02-06 这样',
  ])
  expect(bad('2027-02-30 休')).toEqual(['第 1 行：“2027-02-30”不是日历上的日期，应写成 2027-02-06 这样'])
  expect(bad('2027-02-12~2027-02-06 休')).toEqual(['第 1 行：2027-02-06 早于 2027-02-12，起止写反了'])
  expect(bad('2027-02-06 休\n2027-02-06 休 春节')).toEqual(['第 2 行：2027-02-06 在第 1 行已经写过'])
  expect(bad('2027-02-06~2027-02-12 休\n2027-02-08 班')).toEqual([
    '第 2 行：2027-02-08 在第 1 行是休，这里是班，只能是一样',
  ])
  expect(bad('2027-02-06 玩')).toEqual(['第 1 行：“玩”应为“休”或“班”'])
  expect(bad('春节')[0]).toContain('第 1 行：“春节”看不懂')
  expect(bad('2027-01-01~2027-12-31 休')).toEqual([
    '第 1 行：从 2027-01-01 到 2027-12-31 有 365 天，一段最多 60 天',
  ])
})

test('a branch’s own dates stand over those of the group', () => {
  const group = readCalendar('2027-02-06~2027-02-08 休 春节').days
  const own = readCalendar('2027-02-08 班 赶工').days
  expect(calendarText(calendarOver(own, group))).toBe('2027-02-06~2027-02-07 休 春节\n2027-02-08 班 赶工')
})
