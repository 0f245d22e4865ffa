import { CLOCK_SKEW_SECONDS } from '@zhuguan/contract/features/devices/devices.events.ts'

import type { Tx } from '../database/connect.ts'
import type { Submission } from './batcher.ts'

/** Marks the nonces of a batch as used; answers the places of the requests whose nonce was used before. */
export async function outsideReplay(
  tx: Tx,
  batch: readonly Pick<Submission, 'device' | 'nonce'>[],
  now: Date,
): Promise<Set<number>> {
  const signed = batch
    .map((s, i) => ({ i, key: `${s.device.id}:${s.nonce}`, device: s.device.id, nonce: s.nonce }))
    .filter((s) => s.nonce !== null)
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  if (signed.length === 0) return new Set()
  const { rows } = await tx.query<{ device_id: string; nonce: string }>(
    'ingest.nonces',
    'INSERT INTO device_nonces (device_id, nonce, expires_at) SELECT d, n, $3 FROM unnest($1::uuid[], $2::text[]) AS t(d, n) ON CONFLICT DO NOTHING RETURNING device_id, nonce',
    [
      signed.map((s) => s.device),
      signed.map((s) => s.nonce),
      new Date(now.getTime() + 4 * CLOCK_SKEW_SECONDS * 1000),
    ],
  )
  const fresh = new Set(rows.map((r) => `${r.device_id}:${r.nonce}`))
  return new Set(signed.filter((s) => !fresh.delete(s.key)).map((s) => s.i))
}
