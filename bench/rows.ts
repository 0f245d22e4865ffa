import { api } from '@zhuguan/contract/api.ts'

import { sized } from '../tools/size.ts'
import { type Ground, load, type Say } from './ground.ts'
import { fillHistory } from './history.ts'
import type { Measured } from './load.ts'
import { MIDST, TIMES } from './size.ts'

const SIZES = sized(
  (process.env.BENCH_ROWS ?? '100000,1000000,10000000').split(',').map(Number),
  [1_000, 2_000],
)
const MIDDLE = sized(1_000_000, 1_000)
const DEEP = sized(3_000, 30)

/** P-04, P-05, P-06: attendance of a hundred thousand, a million and ten million people's days. BENCH_ROWS=100000,1000000 leaves the largest out. */
export async function rows(g: Ground, wants: (id: string) => boolean, say: Say): Promise<void> {
  if (!['P-04', 'P-05', 'P-06'].some(wants)) return
  const headers = await g.signIn('branch_gm')
  const site = (await g.owner.query<{ id: string }>(`SELECT id FROM sites WHERE code LIKE 'GDHZ%' LIMIT 1`))
    .rows[0]!
  const growth = new Map<string, number[]>()
  for (const size of SIZES) {
    const at = performance.now()
    const { from, to } = await fillHistory(g.owner, g.home.bc, size)
    console.log(
      `${size} rows from ${from} to ${to}, loaded in ${((performance.now() - at) / 1_000).toFixed(0)} s`,
    )
    const range = `from=${from}&to=${to}`
    const list = `${api.attendance.list.path}?attendance=1&${range}`
    // The same four weeks at every size, and all of them.
    const recent = await g.owner
      .query(`SELECT (current_date - 4)::text AS day`)
      .then((r) => r.rows[0].day as string)
    const asked: Record<string, string> = {
      'first page': list,
      'list of one trade': `${api.attendance.list.path}?attendance=1&w_type=2&from=${recent}&to=${to}`,
      'daily total': `${api.statistics.attend.path}?from=${recent}&to=${to}`,
      [`page ${DEEP}`]: `${list}&pageNo=${DEEP}`,
    }
    const once = (path: string, connections = 4) =>
      load(g.ours.url, g.ask(path, headers), { connections, ms: 2_200, warm: 500 })
    if (wants('P-06'))
      for (const [name, path] of Object.entries(asked)) {
        // A noisy machine is noisy for both: the bare server's answer of the same moment is the measure.
        const beside: number[] = []
        for (let i = 0; i < TIMES; i += 1)
          beside.push(
            (await once(path, 2)).p50 /
              (
                await load(g.limit.url, () => ({ method: 'GET', path: `/one?id=${site.id}` }), {
                  connections: 2,
                  ms: 1_200,
                  warm: 300,
                })
              ).p50,
          )
        growth.set(name, [...(growth.get(name) ?? []), beside.sort((a, b) => a - b)[MIDST]!])
      }
    if (size !== MIDDLE) continue
    if (wants('P-04')) {
      const answer = (await (
        await fetch(g.ours.url + list, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
        })
      ).json()) as { data: { totalCount: number } }
      const m = await g.against(
        () => once(list, 8),
        () => load(g.limit.url, () => ({ method: 'GET', path: '/days' })),
      )
      say(
        'P-04',
        'first page of 1,000,000 rows with their exact total',
        `${m.x.perSecond.toFixed(0)}/s, total ${answer.data.totalCount}`,
        `${m.y.perSecond.toFixed(0)}/s without a count`,
        m.ratio.toFixed(2),
        '≥ 0.8, total exact',
        m.ratio >= 0.8 && answer.data.totalCount === MIDDLE && !m.x.failed,
      )
    }
    if (wants('P-05')) await daily(g, say, headers, from, to, (path) => once(path, 8))
  }
  if (!wants('P-06')) return
  const last = SIZES.at(-1)!
  for (const [name, took] of growth) {
    const ratio = took.at(-1)! / took[0]!
    say(
      'P-06',
      `${name}, ${SIZES[0]} → ${last} rows`,
      took.map((t) => `${t.toFixed(1)}×`).join(' → '),
      'times one record from the bare server',
      `${ratio.toFixed(2)}×`,
      '≤ 1.2×',
      ratio <= 1.2 && last === 10_000_000,
    )
  }
}

/** The kept daily sums against counting the rows each time, and equal to them. */
async function daily(
  g: Ground,
  say: Say,
  headers: Record<string, string>,
  from: string,
  to: string,
  once: (path: string) => Promise<Measured>,
): Promise<void> {
  const path = `${api.statistics.attend.path}?from=${from}&to=${to}`
  const mine = (await (
    await fetch(g.ours.url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
    })
  ).json()) as { data: { periods: { from: string; present: number }[] } }
  const live = (await (await fetch(`${g.limit.url}/daily?from=${from}&to=${to}`)).json()) as {
    data: { day: string; present: number }[]
  }
  const kept = new Map(mine.data.periods.map((d) => [d.from, d.present]))
  const equal = live.data.length > 0 && live.data.every((d) => kept.get(d.day) === d.present)
  const m = await g.against(
    () => once(path),
    () => load(g.limit.url, () => ({ method: 'GET', path: `/daily?from=${from}&to=${to}` })),
  )
  say(
    'P-05',
    'daily aggregate of 1,000,000 rows',
    `${m.x.perSecond.toFixed(1)}/s, ${equal ? 'equal to the rows' : 'NOT EQUAL'}`,
    `${m.y.perSecond.toFixed(1)}/s live GROUP BY`,
    `${m.ratio.toFixed(1)}×`,
    '≥ 8×, equal',
    m.ratio >= 8 && equal && !m.x.failed,
  )
}
