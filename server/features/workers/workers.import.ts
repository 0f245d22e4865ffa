import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { workersImport } from '@zhuguan/contract/features/workers/workers.import.ts'
import { workerFacts } from '@zhuguan/contract/features/workers/workers.record.ts'
import { workerSex } from '@zhuguan/contract/features/workers/workers.record.ts'

import { row, text } from '../../kit/row.ts'
import type { CellError, Checked, Importer } from '../imports/imports.service.ts'
import { branchesOf, codeOf, issuesOf, isTold, NO_BRANCH, wrongTold } from '../imports/reading.service.ts'
import { tell } from '../live/live.service.ts'
import { insertWorkers, type WorkerFacts } from './workers.service.ts'

const taken = (w_id: string) => `工号 ${w_id} 已被使用`

export const workersImporter: Importer<WorkerFacts> = {
  def: workersImport,
  keys: (c) => [
    ...(c.w_id ? [{ column: 'w_id', key: `id:${c.w_id}` }] : []),
    ...(c.w_name && c.w_contact ? [{ column: 'w_contact', key: `who:${c.w_name}|${c.w_contact}` }] : []),
  ],
  async check(tx, call, rows) {
    const { scope } = call.user
    const branches = await branchesOf(tx, scope)
    const numbers = new Set(
      (
        await tx.query(
          'workers.taken',
          row({ w_id: text }),
          'SELECT w_id FROM workers WHERE tenant_id = $1 AND w_id = ANY ($2)',
          [scope.tenant, rows.map((r) => r.w_id)],
        )
      ).rows.map((r) => r.w_id),
    )
    const known = new Map(
      (
        await tx.query(
          'workers.known',
          row({ w_id: text, who: text }),
          `SELECT w_id, w_name || '|' || w_contact AS who
           FROM workers
           WHERE tenant_id = $1 AND w_contact = ANY ($2) AND deleted_at IS NULL`,
          [scope.tenant, rows.map((r) => r.w_contact).filter(Boolean)],
        )
      ).rows.map((r) => [r.who, r.w_id]),
    )
    return rows.map((r): Checked<WorkerFacts> => {
      const errors: CellError[] = wrongTold(r.told)
      const bc = branches.get(r.bc_id!)
      if (r.bc_id && !bc) errors.push({ column: 'bc_id', text: NO_BRANCH })
      const coded = (column: string, codes: typeof workerType | typeof workerSex) => {
        const code = codeOf(codes, r[column]!)
        if (typeof code !== 'object') return code
        errors.push({ column, text: code.error })
        return undefined
      }
      const read = workerFacts.safeParse({
        ...r,
        bc_id: bc,
        w_type: coded('w_type', workerType),
        w_sex: coded('w_sex', workerSex),
      })
      if (!read.success)
        errors.push(...issuesOf(read.error).filter((e) => !errors.some((x) => x.column === e.column)))
      if (numbers.has(r.w_id!)) errors.push({ column: 'w_id', text: taken(r.w_id!) })
      const same = known.get(`${r.w_name}|${r.w_contact}`)
      if (same && r.w_contact)
        errors.push({ column: 'w_contact', text: `库里已有同名同电话的工人，工号 ${same}` })
      return errors.length || !read.success ? { errors } : { value: { ...read.data, told: isTold(r.told) } }
    })
  },
  async store(tx, call, values) {
    const ids = await insertWorkers(tx, call, values)
    for (const bc of new Set(values.map((v) => v.bc_id)))
      tell(tx, call, { topic: 'worker', bc, site: null, id: '' })
    return ids.map((id, i) => (id ? { id } : { column: 'w_id', text: taken(values[i]!.w_id) }))
  },
}
