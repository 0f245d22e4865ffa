import { expect, test } from 'vitest'

import { cleared, copied, filledDown, inserted, moved, pasted, removed, type Sheeted } from './change.ts'
import { plainDigits, type SheetColumn } from './column.ts'
import { at, boxOf, stretched } from './range.ts'

interface Row {
  id: string
  name: string
  quantity: string
  price: string
}
const column = (key: 'name' | 'quantity' | 'price', title: string): SheetColumn<Row> => ({
  key,
  title,
  width: 80,
  text: (row) => row[key],
  put: (row, text) =>
    key === 'name' || /^\d*$/.test(text) ? { ...row, [key]: text } : { refused: `${title}应是数字` },
})
const columns: SheetColumn<Row>[] = [
  column('name', '名称'),
  { ...column('quantity', '数量'), locked: (row) => (row.name === '定' ? '这一项定了' : undefined) },
  { key: 'total', title: '金额', width: 80, text: (row) => `${Number(row.quantity) * Number(row.price)}` },
  column('price', '单价'),
]
const rowsOf = (...names: string[]): Row[] =>
  names.map((name, i) => ({ id: `${i}`, name, quantity: '1', price: `${10 * (i + 1)}` }))
let last = 100
const sheet = (rows: readonly Row[], grows = false, most = 500): Sheeted<Row> => ({
  rows,
  columns,
  most,
  ...(grows && { fresh: () => ({ id: `${(last += 1)}`, name: '', quantity: '0', price: '0' }) }),
})
const box = (top: number, left: number, bottom = top, right = left) => ({ top, left, bottom, right })
const names = (answer: object) => (answer as { rows: readonly Row[] }).rows.map((r) => r.name)

test('a block is set down with its corner; a formula is a value; what is worked out is passed over and named', () => {
  const rows = rowsOf('甲', '乙')
  const answer = pasted(sheet(rows), box(0, 0), [
    ['=1+1', '7', '999', '8'],
    ['丁', '6', '120', '20'],
  ])
  expect(answer).toEqual({
    rows: [
      { id: '0', name: '=1+1', quantity: '7', price: '8' },
      { id: '1', name: '丁', quantity: '6', price: '20' },
    ],
    note: '金额是算出来的，没有粘贴',
  })
})
test('too wide, too long, or one wrong cell: a sentence, and nothing changes', () => {
  const rows = rowsOf('甲', '乙')
  const wide = pasted(sheet(rows), box(0, 2), [['1', '2', '3']])
  expect(wide).toEqual({ refused: '粘贴的内容有 3 列，从“金额”起只有 2 列；什么都没有改' })
  const long = [['甲'], ['乙'], ['丙']]
  expect(pasted(sheet(rows), box(0, 0), long)).toEqual({
    refused: '粘贴后有 3 行，这张表不能加行；什么都没有改',
  })
  expect(pasted(sheet(rows, true, 2), box(0, 0), long)).toEqual({
    refused: '粘贴后有 3 行，最多 2 行；什么都没有改',
  })
  expect(names(pasted(sheet(rows, true), box(1, 0), long))).toEqual(['甲', '甲', '乙', '丙'])
  expect(
    pasted(sheet(rows), box(0, 0), [
      ['丙', '5'],
      ['丁', '-5'],
    ]),
  ).toEqual({ refused: '第 2 行“数量”：数量应是数字；什么都没有改' })
  expect(pasted(sheet(rowsOf('定')), box(0, 1), [['4']])).toEqual({
    refused: '第 1 行“数量”：这一项定了；什么都没有改',
  })
  expect(names(sheet(rows))).toEqual(['甲', '乙'])
})
test('one cell fills the box; Delete clears what can be cleared; Ctrl+D takes the row above', () => {
  const rows = rowsOf('甲', '定', '丙')
  expect(names(pasted(sheet(rows), box(0, 0, 2, 0), [['同']]))).toEqual(['同', '同', '同'])
  const clear = cleared(sheet(rows), box(0, 0, 2, 1)) as { rows: Row[] }
  expect(clear.rows.map((r) => [r.name, r.quantity])).toEqual([
    ['', ''],
    ['', ''],
    ['', ''],
  ])
  expect(cleared(sheet(rows), box(1, 1))).toEqual({ refused: '这一项定了' })
  expect(cleared(sheet(rows), box(0, 2))).toEqual({ refused: '“金额”是算出来的，不能填写' })
  const down = filledDown(sheet(rows), box(0, 0, 2, 3)) as { rows: Row[] }
  expect(down.rows.map((r) => [r.name, r.price])).toEqual([
    ['甲', '10'],
    ['甲', '10'],
    ['甲', '10'],
  ])
  expect(names(filledDown(sheet(rows), box(2, 0)))).toEqual(['甲', '定', '定'])
  expect(filledDown(sheet(rows), box(0, 0))).toEqual({ rows })
})
test('rows are inserted, removed and moved as a block, and stay inside', () => {
  const rows = rowsOf('甲', '乙', '丙', '丁')
  expect(names(inserted(sheet(rows, true), 1))).toEqual(['甲', '乙', '', '丙', '丁'])
  expect(inserted(sheet(rows, true, 4), 1)).toEqual({ refused: '最多 4 行' })
  expect(inserted(sheet(rows), 1)).toEqual({ refused: '这张表不能加行' })
  expect(removed(sheet(rows), box(1, 0, 2, 3)).map((r) => r.name)).toEqual(['甲', '丁'])
  expect(moved(sheet(rows), box(1, 0, 2, 0), 1)?.map((r) => r.name)).toEqual(['甲', '丁', '乙', '丙'])
  expect(moved(sheet(rows), box(1, 0, 2, 0), -1)?.map((r) => r.name)).toEqual(['乙', '丙', '甲', '丁'])
  expect(moved(sheet(rows), box(0, 0), -1)).toBeNull()
  expect(moved(sheet(rows), box(3, 0), 1)).toBeNull()
})
test('a box, whichever corner it was begun at, and what it copies', () => {
  const range = stretched(stretched(at(2, 2), -1, -1, { rows: 4, cols: 4 }), 0, -9, { rows: 4, cols: 4 })
  expect(boxOf(range)).toEqual(box(1, 0, 2, 2))
  expect(copied(sheet(rowsOf('甲', '乙', '丙')), boxOf(range))).toEqual([
    ['乙', '1', '20'],
    ['丙', '1', '30'],
  ])
})
test('digits as they are typed and copied in China', () => {
  expect(['１２．５', '1,234.50', '1,234,567', ' 8 ', '1,23', '－3', 'NaN'].map(plainDigits)).toEqual([
    '12.5',
    '1234.50',
    '1234567',
    '8',
    '1,23',
    '-3',
    'NaN',
  ])
})
