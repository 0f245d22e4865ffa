import { percent, price, quantity } from '@zhuguan/contract/kit/decimals.ts'
import { optional } from '@zhuguan/contract/kit/paging.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { checked } from './checked.ts'

test('a number is kept plainly or refused with the sentence of its field', () => {
  const check = checked(quantity('数量'), '0')
  expect(check('012.50')).toEqual({ value: '12.5' })
  expect(check('1,234.5')).toEqual({ value: '1234.5' })
  expect(check('')).toEqual({ value: '0' })
  expect(check('-3')).toEqual({ refused: '数量应是不小于 0 的数字，不带逗号和单位' })
  expect(check('NaN')).toEqual({ refused: '数量应是不小于 0 的数字，不带逗号和单位' })
  expect(check('=1+1')).toEqual({ refused: '数量应是不小于 0 的数字，不带逗号和单位' })
  expect(check('1.2345')).toEqual({ refused: '数量最多 3 位小数，连小数在内最多 40 位' })
  expect(check('9'.repeat(41))).toEqual({ refused: '数量最多 3 位小数，连小数在内最多 40 位' })
  expect(checked(price('单价'))('66.123456')).toEqual({ value: '66.123456' })
})
test('a field with two rules is asked both; what may be empty may; a text has its length', () => {
  const waste = checked(percent('损耗 %'))
  expect(waste('100.5')).toEqual({ refused: '损耗 %应在 0 到 100 之间' })
  expect(waste('5.555')).toEqual({ refused: '损耗 %最多 2 位小数，连小数在内最多 40 位' })
  const removal = checked(optional(price('减项单价')))
  expect([removal(''), removal('1.1234567')]).toEqual([
    { value: '' },
    { refused: '减项单价最多 6 位小数，连小数在内最多 40 位' },
  ])
  const name = checked(z.string().trim().max(4, { error: '名称最多 4 个字' }))
  expect([name(' 地砖 '), name('柔光大地砖')]).toEqual([{ value: '地砖' }, { refused: '名称最多 4 个字' }])
})
