import { blackenLog } from '../features/userlogs/blackening.service.ts'
import { sealLog } from '../features/userlogs/userlogs.service.ts'
import type { TestServer } from './start.ts'

/** A line of the log with what stands beside it put where its digest is. */
interface ToldLine {
  user_id: string | null
  user_name: string
  object_id: string
  action: string
  before: Record<string, unknown> | null
  after: Record<string, unknown>
}
type Beside = Record<string, [salt: string, value: unknown]> | null

function whole(value: unknown, beside: Beside): unknown {
  if (Array.isArray(value)) return value.map((one) => whole(one, beside))
  if (typeof value !== 'object' || value === null) return value
  if ('digest' in value) return beside?.[String(value.digest)]?.[1]
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, whole(one, beside)]))
}

/** Lines of what was done, newest first; `where` is said of `user_logs`. */
export async function toldLog(
  server: Pick<TestServer, 'sql'>,
  where: string,
  values: unknown[] = [],
): Promise<ToldLine[]> {
  const lines = await server.sql<ToldLine & { beside: Beside }>(
    `SELECT user_id, user_name, object_id, action, before, after, beside FROM user_logs
     WHERE outcome = 'done' AND ${where}
     ORDER BY at DESC, id DESC`,
    values,
  )
  return lines.map(({ beside, ...line }) => ({
    ...line,
    before: whole(line.before, beside) as ToldLine['before'],
    after: whole(line.after, beside) as ToldLine['after'],
  }))
}

const reachOf = (tenant: string) => ({ tenant, bcs: null, sites: null, user: null })
/** All lines of a group are in the chain, without waiting for the clock. */
export async function sealAll({ db, secretKey }: TestServer, tenant: string): Promise<void> {
  for (let sealed = 1; sealed;) sealed = await db.tx(reachOf(tenant), (tx) => sealLog(tx, tenant, secretKey))
}
/** A person is taken out of a group's log, as the erasure of persons does it. */
export const forget = ({ db, secretKey }: TestServer, tenant: string, ...values: string[]) =>
  db.tx(reachOf(tenant), (tx) => blackenLog(tx, tenant, secretKey, values))
