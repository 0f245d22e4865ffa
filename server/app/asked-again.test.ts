import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { examples } from '../testing/examples.ts'
import { endpoints, type Matrix, openMatrix } from '../testing/matrix.ts'

let matrix: Matrix
beforeAll(async () => {
  matrix = await openMatrix()
})
afterAll(() => matrix?.server.stop())

test('whatever was done is answered alike when it is asked again under its key', async () => {
  const { people, server } = matrix
  const known = examples(await matrix.recordsOf('HZ'))
  const claimed = async () =>
    (await server.sql<{ n: number }>('SELECT count(*)::int AS n FROM idempotency'))[0]!.n
  const different: string[] = []
  let again = 0
  for (const role of ['branch_gm', 'admin', 'service'] as const)
    for (const endpoint of endpoints)
      for (const input of endpoint.access === 'public' || endpoint.raw ? [] : (known[endpoint.path] ?? [])) {
        const before = await claimed()
        const ask = (key: string) => people.get(role)!.askAny(endpoint, input, { 'idempotency-key': key })
        const key = randomUUID()
        const first = await ask(key)
        if (first.code !== 200 || (await claimed()) === before) continue
        again += 1
        const second = await ask(key)
        if (second.text !== first.text)
          different.push(`${endpoint.path}: ${first.text.slice(0, 80)} → ${second.text.slice(0, 80)}`)
      }
  expect(different).toEqual([])
  expect(again).toBeGreaterThan(120)
}, 600_000)
