import { RECENT_DEFAULT } from '@zhuguan/contract/pages.ts'
import { expect, test } from 'vitest'

import { recentOf, visit } from './recent.ts'

test('who has visited nothing sees the spec’s list, of what they may open', () => {
  expect(recentOf([], () => true)).toEqual([...RECENT_DEFAULT])
  expect(recentOf([], (p) => p.startsWith('/device'))).toEqual([
    '/device/DeviceStatistics',
    '/device/DeviceList',
  ])
})
test('real visits come first, newest first, each once, and a page that was taken away is gone', () => {
  const visited = visit(visit(visit([], '/image/AlarmEvent'), '/Site/NoWork'), '/image/AlarmEvent')
  expect(visited).toEqual(['/image/AlarmEvent', '/Site/NoWork'])
  expect(recentOf(visited, () => true).slice(0, 3)).toEqual([
    '/image/AlarmEvent',
    '/Site/NoWork',
    '/Site/SiteList',
  ])
  expect(recentOf(visited, () => true)).toHaveLength(RECENT_DEFAULT.length)
  expect(recentOf(visited, (p) => p !== '/Site/NoWork')).not.toContain('/Site/NoWork')
})
