import { SMOKE } from '../tools/size.ts'
import { alarmFigures } from './alarm-figures.ts'
import { alarm } from './alarm.ts'
import { BROWSED, browser } from './browser.ts'
import { customers } from './customers.ts'
import { doors } from './doors.ts'
import { exports_ } from './exports.ts'
import { goods } from './goods.ts'
import { openGround, type Row } from './ground.ts'
import { imports } from './imports.ts'
import { openings } from './openings.ts'
import { pages } from './pages.ts'
import { retention } from './retention.ts'
import { rows } from './rows.ts'
import { sheet } from './sheet.ts'
import { starts } from './starts.ts'
import { supervised } from './supervised.ts'

/**
 * `npm run bench [-- P-01 …]`: every figure beside its limit, in one run on one machine; ratios count, not seconds.
 * BENCH_DATABASE_URL names a PostgreSQL to make a database of its own in; BENCH_ROWS the sizes of P-04 to P-06; with
 * BENCH_REPLICA=1 P-01 is measured at a replica too. With SMOKE=1 each row only runs to its end, as small as can be,
 * and one that has nothing to say is red.
 */
const ROWS: { row: Row; ids: string[]; inBrowser?: true }[] = [
  { row: starts, ids: ['P-15'] },
  { row: pages, ids: ['P-01', 'P-02', 'P-03'] },
  { row: doors, ids: ['P-07'] },
  { row: alarm, ids: ['P-08'], inBrowser: true },
  {
    row: browser,
    ids: BROWSED,
    inBrowser: true,
  },
  { row: exports_, ids: ['P-14'] },
  { row: imports, ids: ['IMPORT'] },
  { row: sheet, ids: ['P-18'], inBrowser: true },
  { row: rows, ids: ['P-04', 'P-05', 'P-06'] },
  { row: alarmFigures, ids: ['P-05-alarms'] },
  { row: supervised, ids: ['P-05-supervise'] },
  { row: customers, ids: ['P-01-customers', 'P-04-customers'] },
  { row: openings, ids: ['OPENINGS'] },
  { row: goods, ids: ['P-G1', 'P-G4', 'P-G5', 'P-G6'] },
  // What it forgets is millions of rows: the last.
  { row: retention, ids: ['RETENTION'] },
]
const all = ROWS.flatMap(({ ids }) => ids)
const named = process.argv.slice(2)
const unknown = named.filter((id) => !all.includes(id))
if (unknown.length) throw new Error(`no such row: ${unknown.join(', ')}; there are ${all.join(', ')}`)
const wanted = named.length ? named : all
const wants = (id: string) => wanted.includes(id)

const table: string[][] = []
const ground = await openGround(ROWS.some(({ ids, inBrowser }) => inBrowser && ids.some(wants)))
try {
  for (const { row, ids } of ROWS.filter((r) => r.ids.some(wants))) {
    await row(ground, wants, (id, work, ours, limit, ratio, target, ok) => {
      if (!ids.includes(id)) throw new Error(`${id} is no row of ${ids.join(', ')}`)
      table.push([id, work, ours, limit, ratio, target, ok ? 'PASS' : 'FAIL'])
      console.log(
        `${id} ${work}: ${ours}, limit ${limit}, ratio ${ratio}, target ${target} ${ok ? 'PASS' : 'FAIL'}`,
      )
    })
  }
} finally {
  await ground.close()
}
const silent = wanted.filter((id) => table.every(([told]) => told !== id))
if (!SMOKE)
  console.log(
    `\n| id | work | ours | limit | ratio | target | |\n|---|---|---|---|---|---|---|\n${table.map((r) => `| ${r.join(' | ')} |`).join('\n')}`,
  )
if (silent.length) console.error(`rows that said nothing: ${silent.join(', ')}`)
process.exit(silent.length ? 1 : 0)
