import { documentKind } from '@zhuguan/contract/features/workers/documents.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'

import { uuidv7 } from '../../kit/ids.ts'
import { addDays } from '../../kit/shanghai.ts'
import { lottery } from './names.ts'

const SEED = 41
const YEAR = 365
const { identity, electrician, training, insurance } = documentKind.code
/** An area that no identity card has. */
const NOBODYS = '990000'

interface Worker {
  tenant_id: string
  id: string
  w_id: string
  w_type: number
}
/** Papers of the demo's workers: most are in order, a few are about to end or have ended. */
export function papersOf(workers: readonly Worker[], branch: number, today: string) {
  const l = lottery(SEED + branch)
  return workers.flatMap((w) => {
    const paper = (kind: string, number: string, valid_until: string | null) => ({
      tenant_id: w.tenant_id,
      id: uuidv7(),
      worker_id: w.id,
      kind,
      number,
      valid_until,
      added_by: '入职登记',
      added_at: `${addDays(today, -91)}T01:30:00Z`,
    })
    const until = (from: number, days: number) => addDays(today, from + l.below(days))
    const two = (most: number) => String(1 + l.below(most)).padStart(2, '0')
    const born = `${1966 + l.below(36)}${two(12)}${two(28)}`
    return [
      paper(identity, `${NOBODYS}${born}${String(1_000 + l.below(9_000))}`, until(YEAR, 5 * YEAR)),
      ...(l.below(3) ? [paper(training, `AQ${w.w_id}`, until(-20, YEAR))] : []),
      ...(l.below(4) === 0 ? [paper(insurance, `YW${w.w_id}`, until(10, YEAR))] : []),
      ...(w.w_type === workerType.code.plumber
        ? [paper(electrician, `DG${w.w_id}`, until(-15, 3 * YEAR))]
        : []),
    ]
  })
}
