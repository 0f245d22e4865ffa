import { expect, test } from 'vitest'

import { bound } from './bound.ts'
import { byNetwork } from './network.ts'

const rules = {
  name: 'test',
  atOnce: 2,
  each: 2,
  waiting: 4,
  waitMs: 5_000,
  full: '都满了',
  yours: '您的太多了',
}

test('whoever has nothing under way comes before the crowd of one, however long its queue', async () => {
  const room = bound(rules)
  const order: string[] = []
  const first = [await room.enter('crowd'), await room.enter('crowd')]
  const waits = ['crowd 1', 'crowd 2', 'one'].map((name) =>
    room.enter(name.split(' ')[0]!).then((leave) => {
      order.push(name)
      return leave
    }),
  )
  first[0]!()
  ;(await waits[2]!)()
  ;(await waits[0]!)()
  first[1]!()
  ;(await waits[1]!)()
  expect(order).toEqual(['one', 'crowd 1', 'crowd 2'])
  expect(room.use()).toMatchObject({ running: 0, waiting: 0 })
})

test('a queue filled by one makes way for another; the one is told that it is theirs', async () => {
  const room = bound(rules)
  const first = [await room.enter('crowd'), await room.enter('crowd')]
  const told: string[] = []
  const crowd = Array.from({ length: 4 }, () =>
    room.enter('crowd').catch((e: Error) => void told.push(e.message)),
  )
  const one = room.enter('one')
  const two = room.enter('two')
  await Promise.resolve()
  first.forEach((leave) => leave())
  ;(await one)()
  ;(await two)()
  await Promise.all(crowd.map(async (waiting) => (await waiting)?.()))
  expect(told).toEqual(['您的太多了', '您的太多了'])
  // Everybody has as much: then it is full.
  const hold = [await room.enter('a'), await room.enter('b')]
  const queue = ['c', 'd', 'e', 'f'].map((key) => room.enter(key))
  await expect(room.enter('g')).rejects.toThrow('都满了')
  hold.forEach((leave) => leave())
  for (const waiting of queue) (await waiting)()
  expect(room.use()).toMatchObject({ running: 0, waiting: 0 })
})

test('all networks of one IPv6 subscriber have twice what one has, and leave room', async () => {
  const room = bound({ ...rules, atOnce: 8, waiting: 0 })
  for (const ip of ['2001:db8:1:1::1', '2001:db8:1:1::2', '2001:db8:1:2::1', '2001:db8:1:2::2'])
    await room.enter(byNetwork(ip))
  await expect(room.enter(byNetwork('2001:db8:1:3::1'))).rejects.toThrow('您的太多了')
  await room.enter(byNetwork('2001:db8:2:1::1'))
  await room.enter(byNetwork('::ffff:198.51.100.1'))
  await room.enter(byNetwork('198.51.100.1'))
  await expect(room.enter(byNetwork('198.51.100.1'))).rejects.toThrow('您的太多了')
  expect(room.use().running).toBe(7)
})

test('who is known goes before whoever is not: a queue of many strangers makes way, one after the other', async () => {
  const room = bound(rules)
  const first = [await room.enter('a'), await room.enter('b')]
  const told: string[] = []
  const order: string[] = []
  const waits = ['c', 'd', 'e', 'f'].map((name) =>
    room.enter(name).then(
      (leave) => (order.push(name), leave()),
      (e: Error) => void told.push(`${name} ${e.message}`),
    ),
  )
  expect(() => room.turnAway('g')).toThrow('都满了')
  expect(() => room.turnAway('h', true)).not.toThrow()
  const known = ['h', 'i'].map((name) => room.enter(name, true).then((leave) => (order.push(name), leave())))
  first.forEach((leave) => leave())
  await Promise.all([...known, ...waits])
  // Nobody's own fault: the strangers are told that it is full.
  expect(told).toEqual(['f 都满了', 'e 都满了'])
  expect(order.slice(0, 2)).toEqual(['h', 'i'])
  expect(room.use()).toMatchObject({ running: 0, waiting: 0 })
})
