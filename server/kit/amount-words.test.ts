import { expect, test } from 'vitest'

import { amountWords } from './amount-words.ts'

test('an amount is said as cheques say it', () => {
  for (const [amount, words] of [
    ['0.00', '零元整'],
    ['0.05', '伍分'],
    ['0.50', '伍角整'],
    ['7.00', '柒元整'],
    ['10.05', '壹拾元零伍分'],
    ['100.50', '壹佰元伍角整'],
    ['305.12', '叁佰零伍元壹角贰分'],
    ['1020.00', '壹仟零贰拾元整'],
    ['10000.00', '壹万元整'],
    ['10010.00', '壹万零壹拾元整'],
    ['89700.50', '捌万玖仟柒佰元伍角整'],
    ['100200.00', '壹拾万零贰佰元整'],
    ['1003000.00', '壹佰万零叁仟元整'],
    ['20000007.00', '贰仟万零柒元整'],
    ['100000000.00', '壹亿元整'],
    ['500010000.90', '伍亿零壹万元玖角整'],
    ['1234567890.12', '壹拾贰亿叁仟肆佰伍拾陆万柒仟捌佰玖拾元壹角贰分'],
    ['-1200.00', '负壹仟贰佰元整'],
  ] as const)
    expect(amountWords(amount), amount).toBe(words)
})

test('what nobody could read has no words', () => {
  expect(amountWords('12345678901234567.00')).toBe('')
})
