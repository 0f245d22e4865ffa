import { api } from '@zhuguan/contract/api.ts'
import { countsApi } from '@zhuguan/contract/features/pieces/counts.api.ts'

import { sized } from '../tools/size.ts'
import { fillGoods } from './goods-history.ts'
import { type Ground, load, rate, type Say } from './ground.ts'
import type { Measured } from './load.ts'
import { MIDST, TIMES } from './size.ts'

const SIZES = sized((process.env.BENCH_GOODS ?? '100000,1000000').split(',').map(Number), [1_000, 2_000])
const MIDDLE = sized(1_000_000, 2_000)
const OPEN_SHARE = 100

type Get = (path: string) => Promise<Measured>
interface Pages {
  /** With a filter, a sort and a total. */
  page: string
  bare: string
  /** As it opens. */
  first: string
  newest: string
}
const LISTS: Record<string, Pages> = {
  OrderList: {
    page: `${api.orders.list.path}?receiveState=0&sort=-code`,
    bare: '/orders-waiting',
    first: api.orders.list.path,
    newest: '/orders',
  },
  OrderPlan: {
    page: `${api.orders.plan.path}?stage=tiling&sort=-quantity`,
    bare: '/plan-stage',
    first: api.orders.plan.path,
    newest: '/plan',
  },
}

/**
 * P-G1, P-G4, P-G5, P-G6: orders, what is still to be ordered and the board of deliveries over a hundred thousand and a
 * million lines, as P-01 and P-04 to P-06 measure sites and attendance. BENCH_GOODS names other sizes.
 */
export async function goods(g: Ground, wants: (id: string) => boolean, say: Say): Promise<void> {
  if (!['P-G1', 'P-G4', 'P-G5', 'P-G6'].some(wants)) return
  const headers = await g.signIn('order_clerk')
  const site = (await g.owner.query<{ id: string }>(`SELECT id FROM sites WHERE code LIKE 'GDHZ%' LIMIT 1`))
    .rows[0]!
  const ask = (path: string, { connections = 8, ms = 3_000 } = {}) =>
    load(g.ours.url, g.ask(path, headers), { connections, ms })
  const bare: Get = (path) => load(g.limit.url, () => ({ method: 'GET', path }))
  const growth = new Map<string, number[]>()
  for (const size of SIZES) {
    const at = performance.now()
    await fillGoods(g.owner, g.home.bc, size)
    console.log(`${size} lines, loaded in ${((performance.now() - at) / 1_000).toFixed(0)} s`)
    for (const [name, { first, page }] of wants('P-G6') ? Object.entries(LISTS) : [])
      for (const [form, path] of [
        ['first page', first],
        ['filter, sort, total', page],
      ] as const) {
        const beside: number[] = []
        for (let i = 0; i < TIMES; i += 1)
          beside.push(
            (await ask(path, { connections: 2, ms: 2_200 })).p50 /
              (
                await load(g.limit.url, () => ({ method: 'GET', path: `/one?id=${site.id}` }), {
                  connections: 2,
                  ms: 1_200,
                  warm: 300,
                })
              ).p50,
          )
        const key = `${name}, ${form}`
        growth.set(key, [...(growth.get(key) ?? []), beside.sort((a, b) => a - b)[MIDST]!])
      }
    if (size !== MIDDLE) continue
    for (const [name, { bare: limit, first, newest, page }] of Object.entries(LISTS)) {
      if (wants('P-G1')) {
        const m = await g.against(
          () => ask(page),
          () => bare(limit),
        )
        say(
          'P-G1',
          `${name}: page of 20 of ${MIDDLE} lines with filter, sort, total`,
          rate(m.x),
          rate(m.y),
          `${m.ratio.toFixed(2)} cpu ${m.cpu.toFixed(2)}× p99 ${m.p99.toFixed(2)}×`,
          '≥ 0.9, cpu ≤ 1.2×, p99 ≤ 1.3×',
          m.ratio >= 0.9 && m.cpu <= 1.2 && m.p99 <= 1.3 && !m.x.failed,
        )
      }
      if (wants('P-G4')) {
        const told = await answerOf<{ totalCount: number }>(g, headers, first)
        const { n } = (
          await g.owner.query(
            name === 'OrderPlan'
              ? `SELECT count(DISTINCT p.item_id)::int AS n FROM pieces p WHERE p.bc_id = $1 AND p.order_state = 1`
              : `SELECT count(*)::int AS n FROM orders o WHERE o.bc_id = $1`,
            [g.home.bc],
          )
        ).rows[0] as { n: number }
        const m = await g.against(
          () => ask(first),
          () => bare(newest),
        )
        say(
          'P-G4',
          `${name}: first page of ${MIDDLE} lines with its exact total`,
          `${rate(m.x)}, total ${told.totalCount}${told.totalCount === n ? '' : ` WRONG, ${n}`}`,
          `${rate(m.y)} without a count`,
          m.ratio.toFixed(2),
          '≥ 0.8, total exact',
          m.ratio >= 0.8 && told.totalCount === n && n > MIDDLE / OPEN_SHARE / 2 && !m.x.failed,
        )
      }
    }
    if (wants('P-G5')) await board(g, say)
  }
  if (!wants('P-G6')) return
  for (const [name, took] of growth) {
    const ratio = took.at(-1)! / took[0]!
    say(
      'P-G6',
      `${name}, ${SIZES[0]} → ${SIZES.at(-1)} lines`,
      took.map((t) => `${t.toFixed(1)}×`).join(' → '),
      'times one record from the bare server',
      `${ratio.toFixed(2)}×`,
      '≤ 1.2×',
      ratio <= 1.2 && SIZES.at(-1)! >= MIDDLE,
    )
  }
}

async function answerOf<T>(g: Ground, headers: Record<string, string>, path: string): Promise<T> {
  const answer = await fetch(g.ours.url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
  })
  return ((await answer.json()) as { data: T }).data
}

interface Counted {
  list: { bc_id?: string; manager_id?: string | null; states: Record<string, number>; late: number }[]
}
/** The kept counts against counting the pieces each time, and equal to them. */
async function board(g: Ground, say: Say): Promise<void> {
  const headers = await g.signIn('branch_gm')
  for (const [what, { path }, limit] of [
    ['by branch', countsApi.dcountbc, '/goods-bc'],
    ['by foreman', countsApi.dcountwboss, '/goods-manager'],
  ] as const) {
    const { list } = await answerOf<Counted>(g, headers, path)
    const live = (await (await fetch(g.limit.url + limit)).json()) as {
      data: { key: string | null; order_state: number; n: number; late: number }[]
    }
    const keyOf = (row: Counted['list'][number]) => row.bc_id ?? row.manager_id ?? null
    const equal =
      live.data.length > 0 &&
      list.every(
        (row) =>
          Object.entries(row.states).every(
            ([state, n]) =>
              n === (live.data.find((l) => l.key === keyOf(row) && `${l.order_state}` === state)?.n ?? 0),
          ) && row.late === live.data.filter((l) => l.key === keyOf(row)).reduce((sum, l) => sum + l.late, 0),
      )
    // One caller: several that count at once would measure how they wait for each other.
    const ours = await load(g.ours.url, g.ask(path, headers), { connections: 1 })
    const counting = await load(g.limit.url, () => ({ method: 'GET', path: limit }), {
      connections: 1,
      ms: 20_000,
      warm: 0,
    })
    const ratio = counting.p50 / ours.p50
    say(
      'P-G5',
      `DeliveryBoard ${what}, ${MIDDLE} lines, one caller`,
      `p50 ${ours.p50.toFixed(0)} ms, ${equal ? 'equal to the pieces' : 'NOT EQUAL'}`,
      `p50 ${counting.p50.toFixed(0)} ms live GROUP BY`,
      `${ratio.toFixed(1)}×`,
      '≥ 8×, equal',
      ratio >= 8 && equal && !ours.failed && counting.all > 0,
    )
  }
  const once = await load(g.ours.url, g.ask(countsApi.board.path, headers), { connections: 1 })
  console.log(`P-G5 what the board says beside the counts, one caller: p50 ${once.p50.toFixed(0)} ms`)
}
