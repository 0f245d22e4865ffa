import { expect, test } from 'vitest'
import { readAddress, writeAddress } from './address.ts'

test('an address says only what was chosen, and reads back the same', () => {
  expect(readAddress('')).toEqual({ pageNo: 1, pageSize: 20, sort: '', filters: {} })
  const search = writeAddress('', { filters: { keyword: '锦绣', status: '1,2' }, pageSize: 50 })
  expect(readAddress(search)).toEqual({ pageNo: 1, pageSize: 50, sort: '', filters: { keyword: '锦绣', status: '1,2' } })
  expect(writeAddress(search, { filters: { keyword: undefined, status: undefined }, pageSize: 20 })).toBe('')
})

test('a new filter, sort or size starts at the first page; turning keeps the filters', () => {
  const third = writeAddress('?status=1', { pageNo: 3 })
  expect(readAddress(third)).toMatchObject({ pageNo: 3, filters: { status: '1' } })
  expect(readAddress(writeAddress(third, { sort: '-at' }))).toMatchObject({ pageNo: 1, sort: '-at', filters: { status: '1' } })
  expect(readAddress(writeAddress(third, { filters: { status: '2' } })).pageNo).toBe(1)
})

test('nonsense in an address is read as nothing', () => {
  expect(readAddress('?pageNo=-2&pageSize=9999')).toMatchObject({ pageNo: 1, pageSize: 20 })
})
