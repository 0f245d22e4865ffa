import type { MapFigures } from '@zhuguan/contract/features/supervision/supervision.record.ts'
import { expect, test } from 'vitest'

import { huesOf, picture } from './mapPicture.ts'

const stop = (site: string, at: number, lng: number | null = 120 + at / 100) =>
  ({
    at,
    by: 'patrol',
    site_id: site,
    siteName: site,
    lng,
    lat: lng === null ? null : 30,
  }) as MapFigures['people'][number]['today'][number]
const person = (n: number, today = [stop('金色海岸', 1), stop('翡翠海岸', 2), stop('钱江壹号', 3)]) =>
  ({
    id: `p${n}`,
    nickname: `经理${n}`,
    post: 2,
    last: today.at(-1) ?? null,
    today,
  }) as MapFigures['people'][number]
const figures = (...people: MapFigures['people']) =>
  ({ people, unvisited: [] as MapFigures['unvisited'] }) as MapFigures

test('of everybody the last stop is named, and each stop says whose it is; of one person all are', () => {
  const all = picture(figures(person(1), person(2)), null)
  expect([...all.names]).toEqual([
    [2, '经理1'],
    [5, '经理2'],
  ])
  expect(all.abouts.slice(0, 3)).toEqual(['经理1 1 金色海岸', '经理1 2 翡翠海岸', '经理1 3 钱江壹号'])
  const one = picture(figures(person(1), person(2)), 'p2')
  expect([...one.names.values()]).toEqual(['1 金色海岸', '2 翡翠海岸', '3 钱江壹号'])
  expect(one.lines.map((l) => l.hue)).toEqual([1])
})

test('five ways have colours of their own, more are grey; who has been at one place has no way', () => {
  const people = [person(0, [stop('金色海岸', 1)]), ...[1, 2, 3, 4, 5, 6].map((n) => person(n))]
  expect([...huesOf(people)]).toEqual([
    ['p1', 0],
    ['p2', 1],
    ['p3', 2],
    ['p4', 3],
    ['p5', 4],
    ['p6', null],
  ])
  const drawn = picture(figures(...people), null)
  expect(drawn.lines.map((l) => l.hue)).toEqual([null, 0, 1, 2, 3, 4, null])
})
