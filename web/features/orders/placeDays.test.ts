import { expect, test } from 'vitest'

import { dayOf, nowSeconds } from '../../kit/time.ts'
import { doubtOf, expectedOf } from './placeDays.ts'

const today = dayOf(nowSeconds())
const addDays = (day: string, n: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + n * 86_400_000).toISOString().slice(0, 10)
const goods = (leadDays: number, stageIn: number | null, suggestedIn: number | null) => ({
  leadDays,
  stageOn: stageIn === null ? null : addDays(today, stageIn),
  suggestedOn: suggestedIn === null ? null : addDays(today, suggestedIn),
})

test('goods are wanted when their stage begins, and not before the slowest can be there', () => {
  expect(expectedOf([goods(3, 20, 10), goods(5, 30, 12)])).toBe(addDays(today, 20))
  expect(expectedOf([goods(3, 2, -1), goods(9, 4, -5)])).toBe(addDays(today, 9))
  expect(expectedOf([goods(4, null, null)])).toBe(addDays(today, 4))
})

test('a day is doubted before it was suggested to order, after the stage began, within the lead', () => {
  const cabinet = goods(10, 60, 50)
  expect(doubtOf([cabinet, goods(3, 62, 59)], addDays(today, 55))).toBe(
    `比建议下单日 ${addDays(today, 59).slice(5)} 还早`,
  )
  expect(doubtOf([cabinet], addDays(today, 61))).toBe(`晚于阶段开始 ${addDays(today, 60).slice(5)}`)
  expect(doubtOf([goods(10, 60, 2)], addDays(today, 5))).toBe('商家的供货周期内到不了')
  expect(doubtOf([cabinet], addDays(today, 60))).toBe('')
})
