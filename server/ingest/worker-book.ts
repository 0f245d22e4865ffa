import type { Database, Tx } from '../database/connect.ts'
import { row, text, uuid } from '../kit/row.ts'

const MAX_KEPT = 100_000

/**
 * Whom a group's number means; forgotten when anybody renumbers or removes a worker (trigger of migration 0156). Who is
 * not known is asked for every time: a worker who is entered now may clock in now.
 */
export function workerBook(db: Database) {
  const kept = new Map<string, string>()
  let hearing = false
  // Counts what was forgotten, so that a row read before a change is not kept after it.
  let changes = 0
  const forget = () => {
    changes += 1
    kept.clear()
  }
  const channel = db.listen(
    'workers',
    forget,
    () => {
      hearing = false
      forget()
    },
    () => {
      hearing = true
      forget()
    },
  )
  return {
    /** The workers' ids by `tenant:w_id`, of those that there are. */
    async find(
      tx: Tx,
      named: readonly { tenant: string; w_id: string }[],
    ): Promise<ReadonlyMap<string, string>> {
      const known = new Map<string, string>()
      const unknown = new Map<string, { tenant: string; w_id: string }>()
      for (const n of named) {
        const key = `${n.tenant}:${n.w_id}`
        const id = kept.get(key)
        if (id === undefined) unknown.set(key, n)
        else known.set(key, id)
      }
      if (unknown.size === 0) return known
      const before = changes
      const { rows } = await tx.query(
        'ingest.workers',
        row({ key: text, id: uuid }),
        `SELECT w.tenant_id || ':' || w.w_id AS key, w.id
         FROM json_to_recordset($1::json) AS x(tenant uuid, w_id text)
         JOIN workers w ON w.tenant_id = x.tenant AND w.w_id = x.w_id
         WHERE w.deleted_at IS NULL`,
        [JSON.stringify([...unknown.values()])],
      )
      if (kept.size + rows.length > MAX_KEPT) kept.clear()
      for (const { key, id } of rows) {
        known.set(key, id)
        if (hearing && before === changes) kept.set(key, id)
      }
      return known
    },
    close: () => channel.close(),
  }
}
export type WorkerBook = ReturnType<typeof workerBook>
