import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

import { watchAnswers } from '../database/connect.ts'
import { difference } from '../kit/row.ts'
import { standAgain } from './time.ts'

/** Where every statement that ran is written down, a file a process; without it nothing is. */
const folder = process.env.STATEMENTS_RAN
const written = new Set<string>()
function write(name: string, text: string): void {
  const line = `${JSON.stringify({ name, text })}\n`
  if (!folder || written.has(line)) return
  written.add(line)
  appendFileSync(join(folder, `${process.pid}.jsonl`), line)
}

/** Every statement of a story answers what it declares, or fails with the difference. */
watchAnswers(({ family, written: text, columns }, answer) => {
  const wrong = difference(family, columns, answer)
  if (wrong) throw new Error(wrong)
  write(family, text)
})

standAgain()
