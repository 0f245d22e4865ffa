import { createHmac } from 'node:crypto'

import type { PersonBar } from '@zhuguan/contract/features/persons/persons.record.ts'

import type { Tx } from '../../database/connect.ts'
import { json, row, text, there, timestamptz, uuid } from '../../kit/row.ts'
import type { PersonIds } from './erasing-work.ts'

/** Written down by numbers alone; done again for the rest, it takes the place of what was written before. */
export const addErasure = (
  tx: Tx,
  tenant: string,
  { bars, id, ids }: { id: string; ids: PersonIds; bars: readonly PersonBar[] },
) =>
  tx.run(
    'erasures.add',
    `INSERT INTO erasures AS e (tenant_id, id, at, of, bars) VALUES ($1, $2, :now, $3, $4)
     ON CONFLICT (tenant_id, id) DO UPDATE SET at = :now, bars = $4, written = false`,
    [tenant, id, JSON.stringify(ids), bars],
  )

const erasure = row({
  tenant: uuid,
  id: uuid,
  at: timestamptz,
  ids: json<PersonIds>(),
  bars: json<string[]>(),
})
const COLUMNS = 'e.tenant_id AS tenant, e.id, e.at, e.of::json AS ids, to_json(e.bars) AS bars'
/** What of a group stands in no journal yet, in order. */
export async function unwrittenErasures(tx: Tx, tenant: string) {
  const { rows } = await tx.query(
    'erasures.unwritten',
    erasure,
    `SELECT ${COLUMNS} FROM erasures e WHERE e.tenant_id = $1 AND NOT e.written ORDER BY e.at, e.id`,
    [tenant],
  )
  return rows
}
export const markWritten = (tx: Tx, tenant: string, id: string, at: Date) =>
  tx.run(
    'erasures.written',
    'UPDATE erasures e SET written = true WHERE e.tenant_id = $1 AND e.id = $2 AND e.at = $3',
    [tenant, id, at],
  )
/** Whether this database has forgotten what the journal says, to the same extent. */
export async function isErased(
  tx: Tx,
  tenant: string,
  id: string,
  bars: readonly string[],
): Promise<boolean> {
  const { rows } = await tx.query(
    'erasures.known',
    there,
    'SELECT 1 FROM erasures e WHERE e.tenant_id = $1 AND e.id = $2 AND e.bars <@ $3::text[]',
    [tenant, id, bars],
  )
  return rows.length > 0
}
export async function idsErased(tx: Tx, tenant: string, id: string): Promise<PersonIds | undefined> {
  const { rows } = await tx.query(
    'erasures.one',
    erasure,
    `SELECT ${COLUMNS} FROM erasures e WHERE e.tenant_id = $1 AND e.id = $2`,
    [tenant, id],
  )
  return rows[0]?.ids
}

/** What else this person asked: its names and words go, for what is over at once. */
export const forgetRequests = (tx: Tx, tenant: string, ids: PersonIds, but: string) =>
  tx.run(
    'persons.forget',
    `UPDATE person_requests p SET name = '', words = ''
     WHERE p.tenant_id = $1 AND p.subject_id = ANY ($2::uuid[]) AND p.id <> $3
       AND p.state IN ('executed', 'refused')`,
    [tenant, Object.values(ids).flat(), but],
  )

/** A number that cannot be read any more, but known again: keyed, so that nobody tries all numbers on it. */
export const numberDigest = (secretKey: Buffer, tenant: string, number: string): string =>
  createHmac('sha256', secretKey)
    .update(`number:${tenant}:${number.replaceAll('-', '')}`)
    .digest('base64url')

export const barNumbers = (tx: Tx, tenant: string, digests: readonly string[]) =>
  tx.run(
    'erasures.bar',
    `INSERT INTO barred_numbers (tenant_id, digest, at)
     SELECT $1, d, :now FROM unnest($2::text[]) d ON CONFLICT DO NOTHING`,
    [tenant, [...new Set(digests)]],
  )
/** Which of these numbers, by their digests, are of people who asked to be forgotten. */
export async function barredAmong(tx: Tx, tenant: string, digests: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.query(
    'erasures.barred',
    row({ digest: text }),
    'SELECT b.digest FROM barred_numbers b WHERE b.tenant_id = $1 AND b.digest = ANY ($2::text[])',
    [tenant, digests],
  )
  return new Set(rows.map((r) => r.digest))
}
