import { alarm } from './alarm.ts'
import { browser } from './browser.ts'
import { doors } from './doors.ts'
import { exports_ } from './exports.ts'
import { goods } from './goods.ts'
import { openGround, type Say } from './ground.ts'
import { imports } from './imports.ts'
import { pages } from './pages.ts'
import { rows } from './rows.ts'
import { sheet } from './sheet.ts'

/**
 * `npm run bench [-- P-01 …]`: every figure beside its limit, in one run on one machine; ratios count, not seconds.
 * BENCH_DATABASE_URL names a PostgreSQL to make a database of its own in; BENCH_ROWS the sizes of P-04 to P-06; with
 * BENCH_REPLICA=1 P-01 is measured at a replica too.
 */
const wanted = new Set(process.argv.slice(2))
const wants = (id: string) => wanted.size === 0 || wanted.has(id)
const table: string[][] = []
const say: Say = (id, work, ours, limit, ratio, target, ok) => {
  table.push([id, work, ours, limit, ratio, target, ok ? 'PASS' : 'FAIL'])
  console.log(
    `${id} ${work}: ${ours}, limit ${limit}, ratio ${ratio}, target ${target} ${ok ? 'PASS' : 'FAIL'}`,
  )
}

const ground = await openGround(
  ['P-08', 'P-09', 'P-10', 'P-11', 'P-12', 'P-13', 'P-16', 'P-16-map', 'P-16-pictures', 'P-18'].some(wants),
)
try {
  if (wants('P-15')) {
    const runs: Awaited<ReturnType<typeof ground.startAgain>>[] = []
    for (let i = 0; i < 5; i += 1) runs.push(await ground.startAgain())
    const { ours, limit } = runs.sort((a, b) => a.ours.ms / a.limit.ms - b.ours.ms / b.limit.ms)[2]!
    say(
      'P-15',
      'server process to its first answer on a migrated database; memory then',
      `${ours.ms.toFixed(0)} ms ${ours.mb.toFixed(0)} MB`,
      `${limit.ms.toFixed(0)} ms ${limit.mb.toFixed(0)} MB`,
      `${(ours.ms / limit.ms).toFixed(2)}× ${(ours.mb / limit.mb).toFixed(2)}×`,
      '≤ 2×, ≤ 1.5× memory',
      ours.ms / limit.ms <= 2 && ours.mb / limit.mb <= 1.5,
    )
  }
  for (const group of [pages, doors, alarm, browser, exports_, imports, sheet, rows, goods])
    await group(ground, wants, say)
} finally {
  await ground.close()
}
console.log(
  `\n| id | work | ours | limit | ratio | target | |\n|---|---|---|---|---|---|---|\n${table.map((r) => `| ${r.join(' | ')} |`).join('\n')}`,
)
process.exit(0)
