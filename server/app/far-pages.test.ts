import { api } from '@zhuguan/contract/api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

import { SYSTEM } from '../features/session/access.reads.ts'
import { pageJson, Where } from '../kit/statement.ts'
import { examples } from '../testing/examples.ts'
import { type Matrix, openMatrix } from '../testing/matrix.ts'

/** Every list that the contract knows, walked from both ends. */
let matrix: Matrix
beforeAll(async () => (matrix = await openMatrix()))
afterAll(() => matrix?.server.stop())

interface Page {
  list: { id?: string }[]
  totalCount: number
}
const isList = (e: Endpoint): e is Endpoint & { query: z.ZodObject } =>
  !e.raw && e.query instanceof z.ZodObject && 'pageNo' in e.query.shape && 'sort' in e.query.shape
/** Fields that a list may be sorted by, both ways, as its schema tells whoever sorts by another. */
function sortsOf(e: Endpoint & { query: z.ZodObject }): string[] {
  const refused = e.query.safeParse({ sort: 'nonsense' })
  const said = refused.error?.issues.find((issue) => issue.path[0] === 'sort')?.message ?? ''
  const fields = said.replace('排序只能是：', '').split('、').filter(Boolean)
  return fields.flatMap((field) => [field, `-${field}`])
}

test('every list has a first page, a last one and one far behind it, in every order both ways', async () => {
  const lists = Object.values(api)
    .flatMap((f) => Object.values(f) as Endpoint[])
    .filter(isList)
  expect(lists.length).toBeGreaterThan(40)
  const admin = matrix.people.get('admin')!
  const known = examples(await matrix.recordsOf('HZ'))
  const wrong: string[] = []
  let asked = 0
  // Far pages are asked one after the other: they are heavy work.
  let before: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const own = before.then(work)
    before = own
    return own
  }
  const walk = async (e: (typeof lists)[number]) => {
    const query = (known[e.path]?.[0] as { query?: object } | undefined)?.query ?? {}
    const ask = async (more: object) => {
      const answer = await admin.askAny(e, { query: { ...query, ...more } })
      asked += 1
      if (answer.code !== 200) wrong.push(`${e.path} ${JSON.stringify(more)}: ${answer.code} ${answer.msg}`)
      return answer.data as Page | null
    }
    for (const sort of ['', ...sortsOf(e)]) {
      const whole = await ask({ sort, pageSize: 100 })
      if (!whole) continue
      const last = Math.max(1, Math.ceil(whole.totalCount / 3))
      const end = await ask({ sort, pageSize: 3, pageNo: last })
      if (whole.totalCount <= 100 && end)
        expect(end.list, `${e.path} ${sort}`).toEqual(whole.list.slice((last - 1) * 3))
      // Behind so many rows a page is walked to from the end.
      const far = await inTurn(() => ask({ sort, pageSize: 100, pageNo: 52 }))
      if (far) expect([far.list, far.totalCount], `${e.path} ${sort}`).toEqual([[], whole.totalCount])
    }
  }
  // One person asks for so many at once: there are more lists than that.
  const left = lists.values()
  const goOn = async () => {
    for (const e of left) await walk(e)
  }
  await Promise.all(Array.from({ length: 20 }, goOn))
  expect(wrong).toEqual([])
  expect(asked).toBeGreaterThan(lists.length * 6)
}, 600_000)

test('a far page that is walked to from the end is the same, empty values where they belong', async () => {
  const ROWS = 5_430
  const numbers = Array.from({ length: ROWS }, (_, i) => i + 1)
  const page = async (by: { sort?: string[]; otherwise: string }, pageNo: number) => {
    const { text } = await matrix.server.db.tx(SYSTEM, (tx) =>
      pageJson(tx, {
        name: 'test.far',
        columns: 't.id',
        base: `(SELECT i AS id, nullif(i % 7, 0) AS part FROM generate_series(1, ${ROWS}) i) t`,
        alias: 't',
        joins: '',
        where: new Where(),
        sortable: { part: 't.part' },
        filled: [],
        sort: by.sort,
        otherwise: by.otherwise,
        tie: 't.id',
        pageNo,
        pageSize: 100,
        known: String(ROWS),
      }),
    )
    return (JSON.parse(text) as { list: { id: number }[] }).list.map(({ id }) => id)
  }
  const sorted = (weight: (n: number) => number) => numbers.toSorted((a, b) => weight(a) - weight(b) || a - b)
  const from = (all: number[], pageNo: number) => all.slice((pageNo - 1) * 100, pageNo * 100)
  // PostgreSQL puts the empty ones last either way, as it is told to.
  const up = sorted((n) => n % 7 || 8)
  const down = sorted((n) => (n % 7 ? -(n % 7) : 0))
  const whole = sorted((n) => -(n % 7))
  for (const pageNo of [52, 54, 55]) {
    expect(await page({ sort: ['part'], otherwise: 't.id' }, pageNo)).toEqual(from(up, pageNo))
    expect(await page({ sort: ['-part'], otherwise: 't.id' }, pageNo)).toEqual(from(down, pageNo))
    expect(await page({ otherwise: 'coalesce(t.part, 0) DESC' }, pageNo)).toEqual(from(whole, pageNo))
  }
})
