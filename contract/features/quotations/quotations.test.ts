import { expect, test } from 'vitest'

import { comparisonText, compareVersions, type ComparedLine } from './quotations.compare.ts'
import { beyondPackage, packageLines, placesOf } from './quotations.content.ts'
import { mergeContent } from './quotations.merge.ts'
import type { LineFacts, QuotationContent, RoomFacts } from './quotations.record.ts'

const room = (id: string, kind: RoomFacts['kind'], floor: string): RoomFacts => ({
  id,
  kind,
  floor,
  name: id,
  perimeter: '20',
  height: '2.8',
  openings: '6',
})
const rooms = [room('hall', 'living', '30'), room('one', 'bedroom', '12.5'), room('two', 'bedroom', '10')]
const item = (more: object) => ({
  id: 'i',
  product_id: 'p',
  name: '地砖',
  detail: '',
  unit: '片',
  waste: '5',
  room: 'bedroom' as const,
  base: 'floor' as const,
  factor: '1.5',
  ...more,
})

test('a package’s item stands in every room of its kind, grown by what it says', () => {
  expect(placesOf(item({}), rooms)).toEqual([
    { room_id: 'one', quantity: '18.75' },
    { room_id: 'two', quantity: '15' },
  ])
  // 20 × 2.8 − 6 of each of three rooms.
  expect(placesOf(item({ room: 'whole', base: 'wall', factor: '1' }), rooms)).toEqual([
    { room_id: null, quantity: '150' },
  ])
  expect(placesOf(item({ room: 'whole', base: 'room', factor: '2' }), rooms)[0]!.quantity).toBe('6')
  expect(placesOf(item({ base: 'fixed', factor: '3' }), rooms)).toEqual([{ room_id: 'one', quantity: '3' }])
  expect(placesOf(item({ room: 'bath' }), rooms)).toEqual([])
  let made = 0
  const lines = packageLines([item({})], rooms, () => `l${(made += 1)}`)
  expect(lines.map((l) => [l.id, l.room_id, l.attribute, l.quantity, l.waste])).toEqual([
    ['l1', 'one', 1, '18.75', '5'],
    ['l2', 'two', 1, '15', '5'],
  ])
})

test('more than the package gives is found, room by room', () => {
  const [line] = packageLines([item({})], rooms, () => 'l') as [LineFacts, LineFacts]
  expect(beyondPackage([line], [item({})], rooms)).toEqual([])
  const more = { ...line, id: 'm', attribute: 4 as const, quantity: '0.001' }
  expect(beyondPackage([line, more], [item({})], rooms)).toEqual([
    { item_id: 'i', room_id: 'one', gives: '18.75', holds: '18.751' },
  ])
  expect(beyondPackage([line, { ...more, counts: false }], [item({})], rooms)).toEqual([])
})

const content = (ids: string, more: Partial<QuotationContent> = {}): QuotationContent => ({
  package_id: null,
  area: '100',
  taxPercent: '3',
  validUntil: '2027-01-01',
  remark: '',
  rooms: [],
  discounts: [],
  lines: ids.split('').map((id) => ({ ...packageLines([item({})], rooms, () => id)[0]!, id })),
  ...more,
})
const with_ = (c: QuotationContent, id: string, quantity: string): QuotationContent => ({
  ...c,
  lines: c.lines.map((l) => (l.id === id ? { ...l, quantity } : l)),
})
const order = (c: QuotationContent) => c.lines.map((l) => l.id).join('')

test('what two people wrote is put together: each line as who changed it last, clashes named', () => {
  const base = content('abcd')
  const mine = with_(content('abxcd', { area: '120' }), 'b', '7')
  const theirs = with_(with_(content('abcyd', { remark: '他们' }), 'c', '9'), 'b', '8')
  const { content: both, clashes } = mergeContent(base, mine, theirs)
  expect(order(both)).toBe('abxcyd')
  expect(both).toMatchObject({ area: '120', remark: '他们' })
  expect(both.lines.map((l) => l.quantity)).toEqual(['18.75', '7', '18.75', '9', '18.75', '18.75'])
  expect(clashes).toEqual(['b'])
})

test('left out by one and changed by the other: it stays, and is named', () => {
  const base = content('abc')
  expect(mergeContent(base, content('ac'), with_(base, 'b', '3'))).toMatchObject({ clashes: ['b'] })
  expect(order(mergeContent(base, content('ac'), with_(base, 'b', '3')).content)).toBe('abc')
  const back = mergeContent(base, with_(base, 'b', '3'), content('ac'))
  expect([order(back.content), back.clashes]).toEqual(['abc', ['b']])
  expect(mergeContent(base, content('ac'), content('bc'))).toMatchObject({ clashes: [] })
  expect(order(mergeContent(base, content('ac'), content('bc')).content)).toBe('c')
})

test('moved by me, added to by them: both are kept', () => {
  const merged = mergeContent(content('abc'), content('cab'), content('abxc'))
  expect([order(merged.content), merged.clashes]).toEqual(['cabx', []])
  expect(mergeContent(content('abc'), content('abc'), content('cab')).content).toEqual(content('cab'))
})

test('two versions, line by line and step by step', () => {
  const line = (id: string, amount: string, more: object = {}): ComparedLine => ({
    id,
    amount,
    attribute: 3,
    name: id,
    detail: '',
    unit: '片',
    room: '客厅',
    counts: true,
    quantity: '1',
    waste: '0',
    priced: '1',
    price: amount,
    ...more,
  })
  const sum = (added: string, total: string) => ({
    package: '100.00',
    removed: '0.00',
    adjusted: '0.00',
    discount: '0.00',
    added,
    total,
  })
  const before = { sum: sum('30.00', '130.00'), lines: [line('a', '10.00'), line('b', '20.00')] }
  const after = {
    sum: sum('45.50', '145.50'),
    lines: [line('b', '25.50'), line('c', '20.00'), line('d', '9.00', { counts: false })],
  }
  const compared = compareVersions(before, after)
  expect(compared.bridge).toMatchObject({ package: '0.00', added: '15.50', total: '15.50' })
  expect(compared.changes.map((c) => [c.kind, (c.line ?? c.before).id, c.delta])).toEqual([
    ['removed', 'a', '-10.00'],
    ['changed', 'b', '5.50'],
    ['added', 'c', '20.00'],
    ['added', 'd', '0.00'],
  ])
  expect(comparisonText(compared)).toBe('新增 2 行，修改 1 行，删去 1 行，合计 +15.50')
  expect(comparisonText(compareVersions(before, before))).toBe('')
})
