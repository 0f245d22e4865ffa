// @vitest-environment happy-dom
import { expect, test } from 'vitest'

import { readClipboard, readHtml, readTsv, writeHtml, writeTsv } from './block.ts'

const BLOCK = [
  ['柔光地砖', '12.5', '=1+1'],
  ['两行\n文字', '说"好"', ''],
  ['4" 弯头', 'a\tb', '<b>&'],
]

test('what is copied is read back, by text and by table', () => {
  expect(readTsv(writeTsv(BLOCK))).toEqual(BLOCK)
  expect(readHtml(writeHtml(BLOCK))?.map((r) => r[0])).toEqual(['柔光地砖', '两行\n文字', '4" 弯头'])
})
test('as Excel writes it: CRLF, an end of line after the last row, quotes only where they are needed', () => {
  expect(readTsv('名称\t数量\r\n地砖\t12\r\n')).toEqual([
    ['名称', '数量'],
    ['地砖', '12'],
  ])
  expect(readTsv('"第一行\n第二行"\t3')).toEqual([['第一行\n第二行', '3']])
  expect(readTsv('4" 弯头\t"说""好"""')).toEqual([['4" 弯头', '说"好"']])
  expect(readTsv('"没有结束')).toEqual([['"没有结束']])
  expect(readTsv('a\t\tb\n\t\t')).toEqual([
    ['a', '', 'b'],
    ['', '', ''],
  ])
  expect(readTsv('一格')).toEqual([['一格']])
})
test('the text wins over the table; without either there is no block', () => {
  const data = (types: Record<string, string>) => ({ getData: (type: string) => types[type] ?? '' })
  expect(
    readClipboard(data({ 'text/plain': '1\t2', 'text/html': '<table><tr><td>3</td></tr></table>' })),
  ).toEqual([['1', '2']])
  expect(
    readClipboard(
      data({ 'text/html': '<table><tr><td colspan="2">客厅</td><td>5&nbsp;㎡</td></tr></table>' }),
    ),
  ).toEqual([['客厅', '', '5 ㎡']])
  expect(readClipboard(data({}))).toBeNull()
})
test('a megabyte of quotes is read in a moment', () => {
  const begun = performance.now()
  readTsv('"'.repeat(1_000_000))
  readTsv(`${'"a\t'.repeat(20_000)}`)
  expect(performance.now() - begun).toBeLessThan(2_000)
})
