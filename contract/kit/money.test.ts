import { expect, test } from 'vitest'

import { grouped, priceText } from './digits.ts'
import * as money from './money.ts'

test('an amount is rounded once, half away from zero', () => {
  expect(money.amountOf('1', '0.005')).toBe('0.01')
  expect(money.amountOf('1', '0.004999')).toBe('0.00')
  expect(money.differenceOf('1', '0', '0.005')).toBe('-0.01')
  expect(money.differenceOf('2.5', '10', '8.888888')).toBe('2.78')
  expect(money.amountOf('0', '12.5')).toBe('0.00')
  expect(money.negated('0.00')).toBe('0.00')
})

test('forty digits are kept to the last, one more is refused', () => {
  const long = '12345678901234567890123456789012345678'
  expect(money.amountOf(long, '1')).toBe(`${long}.00`)
  expect(money.sum([`${long}.01`, '0.01'])).toBe(`${long}.02`)
  expect(() => money.amountOf(`${long}9`, '1')).toThrow('数字超过 40 位')
  expect(() => money.amountOf(long, '10')).toThrow(money.TooManyDigits)
  expect(money.fits(`${long}.99`, 2)).toBe(true)
  expect(money.fits(`${long}9.99`, 2)).toBe(false)
  expect(money.fits('0.0000001', 6)).toBe(false)
  expect(money.fits('0.000001', 6)).toBe(true)
})

test('waste is rounded to a thousandth, an order to whole packs', () => {
  expect(money.withWaste('12.345', '5')).toBe('12.962')
  expect(money.withWaste('10', '0')).toBe('10')
  expect(money.inPacks('10.01', '1.44')).toBe('10.08')
  expect(money.inPacks('10.08', '1.44')).toBe('10.08')
  expect(money.inPacks('0', '1.44')).toBe('0')
  expect(money.inPacks('7.5', null)).toBe('7.5')
})

test('a package is paid for its least area; tax, margin and instalments divide', () => {
  expect(money.packagePrice('899', '79.5', '80')).toBe('71920.00')
  expect(money.packagePrice('899', '110', '80')).toBe('98890.00')
  expect(money.taxOf('109', '9')).toBe('9.00')
  expect(money.taxOf('100', '9')).toBe('8.26')
  expect(money.taxOf('100', '0')).toBe('0.00')
  expect(money.marginOf('109', '9', '60')).toBe('40.00')
  expect(money.marginOf('0', '9', '60')).toBeNull()
  expect(money.instalmentsOf('100.01', ['33.33', '33.33', '33.34'])).toEqual(['33.33', '33.33', '33.35'])
  expect(money.isWhole(['30', '35', '30', '5'])).toBe(true)
  expect(money.isWhole(['30', '35', '30', '4.99'])).toBe(false)
  expect(money.perSquareMetre('98890', '110')).toBe('899.00')
  expect(money.perSquareMetre('98890', '0')).toBeNull()
})

test('a room is rounded where it is measured', () => {
  const room = { floor: '12.34', perimeter: '14.55', height: '2.75', openings: '3.2' }
  expect(money.wallArea(room)).toBe('36.81')
  expect(money.wallArea({ ...room, openings: '99' })).toBe('0.00')
  expect(money.times('1.05', '36.81')).toBe('38.651')
})

test('numbers as people read them', () => {
  expect(money.plain('012.500')).toBe('12.5')
  expect(money.plain('0.000')).toBe('0')
  expect(priceText('12.5')).toBe('12.50')
  expect(priceText('12.123456')).toBe('12.123456')
  expect(grouped('1234567.8901')).toBe('1,234,567.8901')
  expect(grouped('-123456.00')).toBe('-123,456.00')
  expect(grouped('123.45')).toBe('123.45')
})
