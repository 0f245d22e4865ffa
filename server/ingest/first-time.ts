import { hash } from 'node:crypto'

import { CLOCK_SKEW_SECONDS } from '@zhuguan/contract/features/devices/devices.events.ts'

import type { Tx } from '../database/connect.ts'
import { bool, int4, json, row, text, uuid } from '../kit/row.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'

/** A device may repeat seven days; a day on each side for clocks and midnight. */
const RECEIPT_DAYS = 9
const NONCE_MS = 4 * CLOCK_SKEW_SECONDS * 1000

/** Sixteen bytes of SHA-256, as a uuid without its dashes; the migration 0156 forms the same. */
const keyOf = (said: string): string => hash('sha256', said, 'hex').slice(0, 32)
export const eventKey = (device: string, event: string): string => keyOf(`${device}:${event}`)
const nonceKey = (device: string, nonce: string): string => keyOf(`nonce:${device}:${nonce}`)
const plain = (uuid: string): string => uuid.replaceAll('-', '')

export interface Telling {
  device: { id: string }
  /** Facts of a signed request; null where the connection is authenticated. */
  nonce: string | null
  /** The keys of its events, each once in the whole batch. */
  keys: readonly string[]
}
export interface FirstTime {
  /** The places of requests whose nonce was used before. */
  replayed: Set<number>
  /** Keys of events that were told before, and those of replayed requests; nearly always none. */
  known: Set<string>
}

/** Remembers nonces and events of a batch in one statement; a replayed request's events are not touched. */
export async function firstTime(tx: Tx, batch: readonly Telling[]): Promise<FirstTime> {
  const places = new Map<string, number>()
  const replayed = new Set<number>()
  const tellings = batch.map(({ device, nonce, keys }, i) => {
    const key = nonce === null ? null : nonceKey(device.id, nonce)
    if (key !== null && places.has(key)) {
      replayed.add(i)
      return { nonce: key, keys: [] }
    }
    if (key !== null) places.set(key, i)
    return { nonce: key, keys }
  })
  const told = tellings.flatMap((t) => t.keys)
  if (places.size === 0 && told.length === 0) return { replayed, known: new Set() }
  const { rows } = await tx.query(
    'ingest.seen',
    row({
      nonces: int4,
      events: int4,
      fresh_nonces: json<string[]>().null,
      fresh_events: json<string[]>().null,
    }),
    `WITH nonces AS (
       INSERT INTO device_seen (key, gone_on)
       SELECT key::uuid, $3::date FROM json_array_elements_text($1::json) AS key
       ON CONFLICT DO NOTHING RETURNING key
     ), events AS (
       INSERT INTO device_seen (key, gone_on)
       SELECT key, $4::date
       FROM json_to_recordset($2::json) AS t(nonce uuid, keys uuid[]), unnest(t.keys) AS key
       WHERE t.nonce IS NULL OR t.nonce = ANY (ARRAY(SELECT key FROM nonces))
       ORDER BY key
       ON CONFLICT DO NOTHING RETURNING key
     ), n AS (SELECT count(*)::int AS nonces FROM nonces
     ), e AS (SELECT count(*)::int AS events FROM events)
     SELECT n.nonces, e.events,
       CASE WHEN n.nonces < $5 THEN (SELECT json_agg(key) FROM nonces) END AS fresh_nonces,
       CASE WHEN e.events < $6 THEN (SELECT json_agg(key) FROM events) END AS fresh_events
     FROM n, e`,
    [
      JSON.stringify([...places.keys()].sort()),
      JSON.stringify(tellings),
      shanghaiDay(new Date(tx.now.getTime() + NONCE_MS)),
      addDays(shanghaiDay(tx.now), RECEIPT_DAYS),
      places.size,
      told.length,
    ],
  )
  const found = rows[0]!
  if (found.nonces < places.size) {
    const fresh = new Set(found.fresh_nonces?.map(plain))
    for (const [key, place] of places) if (!fresh.has(key)) replayed.add(place)
  }
  if (found.events === told.length) return { replayed, known: new Set() }
  const fresh = new Set(found.fresh_events?.map(plain))
  return { replayed, known: new Set(told.filter((key) => !fresh.has(key))) }
}

/** Events that were refused after all are not known: the device may repeat them. */
export function forgetEvents(tx: Tx, keys: readonly string[]): void {
  if (keys.length === 0) return
  tx.send(
    'ingest.forget',
    'DELETE FROM device_seen WHERE key IN (SELECT k::uuid FROM json_array_elements_text($1::json) AS k)',
    [JSON.stringify(keys)],
  )
}

const ASKED_EVERY_MS = 3_600_000
/** Events that a server of the release before took before device_seen was there: looked up for as long as there are any. */
export function olderReceipts(now: () => Date) {
  let askedAt = 0
  let some = true
  return {
    /** Answers the keys of those that were told then. */
    async find(tx: Tx, told: readonly { device: string; event: string }[]): Promise<string[]> {
      if (told.length === 0) return []
      if (now().getTime() - askedAt > ASKED_EVERY_MS) {
        const { rows } = await tx.query(
          'ingest.older',
          row({ some: bool }),
          'SELECT EXISTS (SELECT FROM device_receipts) AS some',
        )
        some = rows[0]!.some
        askedAt = now().getTime()
      }
      if (!some) return []
      const { rows } = await tx.query(
        'ingest.receipts',
        row({ device_id: uuid, event_id: text }),
        `SELECT r.device_id, r.event_id
         FROM json_to_recordset($1::json) AS x(device uuid, event text)
         JOIN device_receipts r ON r.device_id = x.device AND r.event_id = x.event`,
        [JSON.stringify(told)],
      )
      return rows.map((r) => eventKey(r.device_id, r.event_id))
    },
  }
}
export type OlderReceipts = ReturnType<typeof olderReceipts>
