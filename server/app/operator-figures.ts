import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'

import { deviceStatus } from '@zhuguan/contract/features/devices/devices.record.ts'
import type { Registry } from 'prom-client'

import type { Database } from '../database/connect.ts'
import type { FileStore } from '../features/files/file-store.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { gatewayUse } from '../features/streams/gateway.ts'
import { ROOT } from '../kit/paths.ts'
import { float8, int4, row, uuid } from '../kit/row.ts'
import { shared } from '../kit/shared.ts'
import { figureMakers } from './figure-makers.ts'

/** Sums over whole tables: nobody needs them newer. */
const SUMS_MS = 5 * 60_000
interface Sums {
  database: number
  files: number
  leaving: number
  /** The group whose log waits longest. */
  verified: number
  devices: Map<number, number>
}

/** A group after the other: what each has, read by its own indexes. */
async function sumsOf(db: Database): Promise<Sums> {
  const all: Sums = { database: 0, files: 0, leaving: 0, verified: Infinity, devices: new Map() }
  const { rows: tenants } = await db.tx(
    SYSTEM,
    (tx) => tx.query('figures.groups', row({ id: uuid }), 'SELECT t.id FROM tenants t', []),
    { readOnly: true },
  )
  for (const { id } of tenants)
    await db.tx(
      SYSTEM,
      async (tx) => {
        const states = await tx.query(
          'figures.devices',
          row({ state: int4, n: int4 }),
          `SELECT d.device_status::int AS state, count(*)::int AS n
           FROM devices d
           WHERE d.tenant_id = $1 AND d.deleted_at IS NULL
           GROUP BY d.device_status`,
          [id],
        )
        for (const { n, state } of states.rows) all.devices.set(state, (all.devices.get(state) ?? 0) + n)
        const { rows } = await tx.query(
          'figures.group',
          row({ files: float8, leaving: int4, verified: float8 }),
          `SELECT (SELECT coalesce(sum(f.bytes), 0)::float8 FROM files f WHERE f.tenant_id = $1) AS files,
             (SELECT count(*)::int FROM files_leaving l WHERE l.tenant_id = $1) AS leaving,
             (SELECT coalesce(extract(epoch FROM max(u.at)), 0)::float8
              FROM user_logs u
              WHERE u.tenant_id = $1 AND u.object = 'log' AND u.after IS NOT NULL) AS verified`,
          [id],
        )
        all.files += rows[0]!.files
        all.leaving += rows[0]!.leaving
        all.verified = Math.min(all.verified, rows[0]!.verified)
      },
      { readOnly: true },
    )
  const { rows } = await db.tx(
    SYSTEM,
    (tx) =>
      tx.query(
        'figures.database',
        row({ bytes: float8 }),
        'SELECT pg_database_size(current_database())::float8 AS bytes',
        [],
      ),
    { readOnly: true },
  )
  return { ...all, database: rows[0]!.bytes, verified: tenants.length ? all.verified : 0 }
}

const version = (): string =>
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version

/**
 * The figures that an operator watches: the release, the disk, the place of files, what grows and what is unheard.
 * Answers what brings the sums up to date; they fail where the database is away.
 */
export function operatorFigures(
  register: Registry,
  { db, files }: { db: Database; files: FileStore },
): () => Promise<void> {
  const { counter, gauge } = figureMakers(register)
  const build = { version: version(), node: process.version }
  gauge('build_info', 'The release that runs; always 1', ['version', 'node']).set(build, 1)
  gauge('disk_free_bytes', 'What is free where DATA_DIR is', [], async (self) => {
    const { bavail, bsize } = await statfs(files.dataDir)
    self.set(bavail * bsize)
  })
  gauge('disk_size_bytes', 'How large the disk of DATA_DIR is', [], async (self) => {
    const { blocks, bsize } = await statfs(files.dataDir)
    self.set(blocks * bsize)
  })
  gauge('files_place_up', 'Whether the folder or bucket of files answers', ['kind'], (self) => {
    const { isAway, kind } = files.use()
    self.set({ kind }, Number(!isAway))
  })
  counter('files_place_unanswered', 'Questions that the bucket of files has not answered', (add) =>
    add(files.use().unanswered),
  )
  counter('gateway_unanswered', 'Questions that the video gateway has not answered', (add) =>
    add(gatewayUse.unanswered),
  )
  const database = gauge('database_size_bytes', 'How large the database is')
  const kept = gauge('files_size_bytes', 'What the files that the database names weigh')
  const leaving = gauge('files_leaving', 'Files without a row that have to leave their place yet')
  const devices = gauge('devices', 'Devices by their state', ['state'])
  const verified = gauge(
    'log_verified_timestamp_seconds',
    'When the log was last walked, of the group that waits longest; 0 before the first time',
  )
  const ask = shared(SUMS_MS, () => sumsOf(db))
  return async () => {
    const sums = await ask()
    database.set(sums.database)
    kept.set(sums.files)
    leaving.set(sums.leaving)
    verified.set(sums.verified)
    for (const code of deviceStatus.values) devices.set({ state: nameOf(code) }, sums.devices.get(code) ?? 0)
  }
}
const NAMES = Object.entries(deviceStatus.code)
/** As the code is called: labels are read by machines. */
const nameOf = (code: number): string => NAMES.find(([, value]) => value === code)?.[0] ?? String(code)
