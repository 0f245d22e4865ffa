import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { expect, test } from 'vitest'

import { countFilters, readAddress, viewOf, writeAddress } from './address.ts'
import { knownIn } from './useList.ts'

test('an address says only what was chosen, and reads back the same', () => {
  expect(readAddress('')).toEqual({ pageNo: 1, pageSize: 20, sort: '', cols: '', filters: {} })
  const search = writeAddress('', { filters: { keyword: '锦绣', status: '1,2' }, pageSize: 50 })
  expect(readAddress(search)).toEqual({
    pageNo: 1,
    pageSize: 50,
    sort: '',
    cols: '',
    filters: { keyword: '锦绣', status: '1,2' },
  })
  expect(writeAddress(search, { filters: { keyword: undefined, status: undefined }, pageSize: 20 })).toBe('')
})

test('a new filter, sort or size starts at the first page; turning keeps the filters', () => {
  const third = writeAddress('?status=1', { pageNo: 3 })
  expect(readAddress(third)).toMatchObject({ pageNo: 3, filters: { status: '1' } })
  expect(readAddress(writeAddress(third, { sort: '-at' }))).toMatchObject({
    pageNo: 1,
    sort: '-at',
    filters: { status: '1' },
  })
  expect(readAddress(writeAddress(third, { filters: { status: '2' } })).pageNo).toBe(1)
})

test('nonsense in an address is read as nothing', () => {
  expect(readAddress('?pageNo=-2&pageSize=9999')).toMatchObject({ pageNo: 1, pageSize: 20 })
})

test('both ends of a range are one filter', () => {
  expect(countFilters({ from: '1', to: '2', status: '1' })).toBe(2)
  expect(countFilters({ startFrom: '2026-01-01', startTo: '2026-02-01' })).toBe(1)
  expect(countFilters({ startFrom: 'x', from: '1' })).toBe(2)
  expect(countFilters({})).toBe(0)
})

test('a view is an address without the page one stands on, with the columns one sees', () => {
  expect(viewOf('?status=1&pageNo=3&sort=-code', 'code*,name')).toBe('?status=1&sort=-code&cols=code*%2Cname')
  expect(readAddress(viewOf('?status=1', 'code*,name')).cols).toBe('code*,name')
  expect(viewOf('', '')).toBe('')
})

test('what the list does not know is neither a filter nor an order', () => {
  const asked = (search: string) => {
    const { filters, sort } = knownIn(alarmsApi.list, readAddress(search))
    return { filters, sort }
  }
  expect(asked('?type=smoking&colour=red&sort=-at')).toEqual({ filters: { type: 'smoking' }, sort: '-at' })
  expect(asked('?sort=siteName')).toEqual({ filters: {}, sort: '' })
})
