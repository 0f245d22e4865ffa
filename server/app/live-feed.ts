import type { Database } from '../database/connect.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { outer, bool, float8, int8, row, text, type RowOf, uuid } from '../kit/row.ts'
import { epoch } from '../kit/statement.ts'
import { isBeyond, type Place, type Range, settled, within, without } from './live-place.ts'

const liveRow = row({
  seq: int8,
  tenant_id: uuid,
  bc_id: uuid.null,
  site_id: uuid.null,
  user_id: uuid.null,
  receiver_id: uuid.null,
  except_id: uuid.null,
  topic: text,
  what: text,
  ref_id: text,
  at: float8,
})
export type LiveRow = RowOf<typeof liveRow>
/** A gap, and the first transaction that cannot have made it: known a moment after the gap was found. */
interface Gap {
  range: Range
  foundAt: number
  before: bigint | null
}
/** A look at the table; a row with every look, so that the snapshot is told even when nothing is new. */
const looked = row({ floor: text, ceiling: text, top: int8.null, known_at: int8, ...outer(liveRow) })

const BATCH = 1_000
const CATCH_UP = 500
const MAX_GAPS = 5_000
/** Between taking its number and being seen to run, a transaction needs microseconds. */
const UNSEEN_MS = 1_000
const SAFETY_MS = 2_000

const COLUMNS = `seq, tenant_id, bc_id, site_id, user_id, receiver_id, except_id, topic, what, ref_id,
  ${epoch('at')} AS at`
const LOOK = `SELECT look.floor, look.ceiling, look.top, look.known_at, found.*
  FROM (
    SELECT pg_snapshot_xmin(s)::text AS floor, pg_snapshot_xmax(s)::text AS ceiling,
      (SELECT max(seq) FROM live_events) AS top,
      (pg_current_wal_insert_lsn() - '0/0')::bigint AS known_at
    FROM pg_current_snapshot() s
  ) look
  LEFT JOIN LATERAL (
    (SELECT ${COLUMNS} FROM live_events WHERE seq > $1 ORDER BY seq LIMIT ${BATCH})
    UNION ALL
    SELECT ${COLUMNS}
    FROM unnest($2::bigint[], $3::bigint[]) AS gap (first, last)
    JOIN live_events ON seq BETWEEN gap.first AND gap.last
  ) found ON true`

export interface Feed {
  /** Resolves when the table has been read once. */
  ready(): Promise<void>
  /** How far this process has read. */
  place(): Place
  /** How far the database's log was then: whoever fetches what was told finds it there. */
  knownAt(): number
  look(): Promise<void>
  /** The events that one tenant missed between two places, or null when it is too much to tell. */
  missed(tenant: string, from: Place, to: Place): Promise<LiveRow[] | null>
  close(): void
}

/**
 * Reads the table of live events by number and remembers the numbers that are missing, so a transaction that is still
 * running holds back its own rows and no others (docs/decisions/0100). A gap is given up when every transaction that
 * can have made it has ended and the row is still not there: it was rolled back.
 */
export function startFeed(
  db: Database,
  on: {
    /** What is about to be told, in its order; nothing is told before it is done. */
    coming: (rows: readonly LiveRow[]) => Promise<void>
    row: (row: LiveRow, place: Place) => void
    lost: (place: Place) => void
  },
  warn: (error: unknown) => void,
): Feed {
  let high: number | undefined
  let gaps: Gap[] = []
  let reading: Promise<void> | undefined
  let again = false
  let closed = false
  let knownAt = 0

  const here = (): Place => ({ high: high ?? 0, missing: gaps.map((gap) => gap.range) })
  const found = (range: Range): Gap => ({ range, foundAt: performance.now(), before: null })

  /** The newest number, and every gap below it: whoever runs while we start is heard as well. */
  async function begin(): Promise<void> {
    const { rows } = await db.tx(
      SYSTEM,
      (tx) =>
        tx.last(
          'live.begin',
          row({ high: int8.null, first: int8.null, last: int8.null }),
          `SELECT high.seq AS high, before + 1 AS first, gap.seq - 1 AS last
           FROM (SELECT max(seq) AS seq FROM live_events) high
           LEFT JOIN (SELECT seq, lag(seq) OVER (ORDER BY seq) AS before FROM live_events) gap
             ON gap.seq > before + 1
           ORDER BY gap.seq`,
          [],
        ),
      { readOnly: true },
    )
    high = rows[0]!.high ?? 0
    gaps = rows.flatMap(({ first, last }) => (first === null || last === null ? [] : [found([first, last])]))
  }

  function take(row: LiveRow): void {
    if (row.seq > high!) {
      if (row.seq > high! + 1) gaps.push(found([high! + 1, row.seq - 1]))
      high = row.seq
    } else
      gaps = gaps.flatMap((gap) => without([gap.range], row.seq).map((range): Gap => ({ ...gap, range })))
    on.row(row, here())
  }

  function giveUp(floor: bigint, ceiling: bigint): void {
    const now = performance.now()
    for (const gap of gaps) if (gap.before === null && now - gap.foundAt >= UNSEEN_MS) gap.before = ceiling
    gaps = gaps.filter((gap) => gap.before === null || gap.before > floor).slice(-MAX_GAPS)
  }

  async function read(): Promise<void> {
    if (high === undefined) await begin()
    const { rows } = await db.tx(
      SYSTEM,
      (tx) =>
        tx.last('live.look', looked, LOOK, [
          high,
          gaps.map((gap) => gap.range[0]),
          gaps.map((gap) => gap.range[1]),
        ]),
      { readOnly: true },
    )
    const { floor, ceiling, top, known_at } = rows[0]!
    knownAt = known_at
    // Numbers that run backwards are those of a backup that was put in the table's place.
    if (top !== null && top < high!) {
      high = top
      gaps = []
      return on.lost(here())
    }
    const seen = rows.filter((r): r is RowOf<typeof looked> & LiveRow => r.seq !== null)
    seen.sort((a, b) => a.seq - b.seq)
    if (seen.filter((row) => row.seq > high!).length === BATCH) again = true
    if (seen.length) await on.coming(seen)
    for (const row of seen) take(row)
    giveUp(BigInt(floor), BigInt(ceiling))
  }

  async function readAll(): Promise<void> {
    try {
      do {
        again = false
        await read()
      } while (again && !closed)
    } finally {
      reading = undefined
    }
  }
  function look(): Promise<void> {
    if (reading) again = true
    else reading = readAll()
    return reading
  }

  // Events that a process could not announce, and those whose notice came too early.
  const safety = setInterval(() => void look().catch(warn), SAFETY_MS)

  return {
    look,
    async ready() {
      if (high === undefined) await look()
    },
    place: here,
    knownAt: () => knownAt,
    async missed(tenant, from, to) {
      const { rows, known } = await db.tx(
        SYSTEM,
        async (tx) => ({
          rows: (
            await tx.query(
              'live.missed',
              liveRow,
              `SELECT ${COLUMNS}
               FROM live_events
               WHERE tenant_id = $1 AND seq > $2 AND seq <= $3
               ORDER BY seq
               LIMIT ${CATCH_UP + 1}`,
              [tenant, settled(from), to.high],
            )
          ).rows,
          known: (
            await tx.query(
              'live.known',
              row({ low: bool, high: bool }),
              `SELECT EXISTS (SELECT FROM live_events WHERE seq <= $1) AS low,
                 EXISTS (SELECT FROM live_events WHERE seq >= $2) AS high`,
              [settled(from), from.high],
            )
          ).rows[0]!,
        }),
        { readOnly: true },
      )
      if (rows.length > CATCH_UP || (from.high > 0 && !(known.low && known.high))) return null
      return rows.filter((row) => isBeyond(from, row.seq) && !within(to.missing, row.seq))
    },
    close() {
      closed = true
      clearInterval(safety)
    },
  }
}
