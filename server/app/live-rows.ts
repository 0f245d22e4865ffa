import type { Database, Scope } from '../database/connect.ts'
import { alarmRowsOf } from '../features/alarms/alarm-rows.reads.ts'
import { hasPlace } from '../kit/scoped.ts'
import type { LiveRow } from './live-feed.ts'

/** More news at once is told without rows: the pages ask once for all of it. */
const MOST_ROWS = 20
const MOST_READERS = 300
const MOST_REACHES = 40
/** Whoever waits for messages does not wait for rows. */
const PATIENCE_MS = 300

/** A listener who may be told a row, and where they read the alarms' own list; undefined where they do not. */
export interface Reader {
  alarms: Scope | undefined
}

const isNew = (r: LiveRow): boolean => r.topic === 'alarm' && r.what === 'raised' && r.user_id === null
const reads = (scope: Scope | undefined, r: LiveRow): boolean =>
  scope?.tenant === r.tenant_id && hasPlace(scope, r.bc_id, r.site_id)

/** Asked once of the same thing: the streams of a session share their reach, and some reach thousands of sites. */
function once<K, V>(ask: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    if (!known.has(key)) known.set(key, ask(key))
    return known.get(key)!
  }
}

/**
 * The part of a reach that these rows stand on: never more, the same for many people, and short where somebody has
 * many sites.
 */
function narrowTo({ tenant, bcs, sites }: Scope, rows: readonly LiveRow[]): Scope {
  const kept = (ids: string[] | null, of: readonly (string | null)[]) =>
    ids && ids.filter((id) => of.includes(id)).sort()
  return {
    tenant,
    bcs: kept(
      bcs,
      rows.map((r) => r.bc_id),
    ),
    sites: kept(
      sites,
      rows.map((r) => r.site_id),
    ),
    user: null,
  }
}

/**
 * The rows of new alarms, formed once a reach with that reach's own transaction: a message says no more than the list
 * would answer at this moment (docs/decisions/0157). `now` answers their reaches as a call of theirs would be judged.
 */
export async function rowsFor<R extends Reader>(
  db: Database,
  news: readonly LiveRow[],
  readers: Iterable<R>,
  now: (readers: readonly R[]) => Promise<ReadonlyMap<R, Scope | undefined>>,
): Promise<ReadonlyMap<R, Told>> {
  const raised = news.filter(isNew)
  const told = new Map<R, Told>()
  if (raised.length === 0 || raised.length > MOST_ROWS) return told
  const concerns = once((scope: Scope | undefined) => raised.some((r) => reads(scope, r)))
  const narrow = once((scope: Scope) => narrowTo(scope, raised))
  const concerned = [...readers].filter((b) => concerns(b.alarms)).slice(0, MOST_READERS)
  const current = await now(concerned)
  const reaches = new Map<string, { scope: Scope; of: R[] }>()
  for (const b of concerned) {
    const scope = current.get(b)
    if (!scope) continue
    const only = narrow(scope)
    const key = JSON.stringify(only)
    const reach = reaches.get(key)
    if (reach) reach.of.push(b)
    else reaches.set(key, { scope: only, of: [b] })
  }
  const groups = [...reaches.values()].slice(0, MOST_REACHES)
  const ids = raised.map((r) => r.ref_id)
  await Promise.all(
    groups.map(async ({ scope, of }) => {
      const rows = await db.tx(scope, (tx) => alarmRowsOf(tx, scope, ids), { readOnly: true })
      // Whose reach is renewed meanwhile is told without it.
      for (const b of of) told.set(b, { rows, as: b.alarms })
    }),
  )
  return told
}
export interface Told {
  rows: ReadonlyMap<string, string>
  as: Scope | undefined
}

/** The answer of `work`, or nothing when it takes too long or fails. */
export async function within<T>(work: Promise<T>, warn: (error: unknown) => void): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(
    (resolve) => (timer = setTimeout(() => resolve(undefined), PATIENCE_MS)),
  )
  const done = work.catch((error: unknown) => (warn(error), undefined))
  try {
    return await Promise.race([done, late])
  } finally {
    clearTimeout(timer)
  }
}
