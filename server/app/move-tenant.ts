import { randomBytes, randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import pg from 'pg'

import { ask } from '../database/ask.ts'
import { type Head, readHead, writeBackup } from '../database/backup-file.ts'
import { printIn, seeAll, sequencesOf, tablesOf, writeFile, writeRows } from '../database/backup.ts'
import { load } from '../database/restore.ts'
import { leaveTurn, takeTurn } from '../database/turn.ts'
import { isKey, placeOf } from '../features/files/file-store.ts'
import { signBlackening, signHead } from '../features/userlogs/userlogs.service.ts'
import { filesFolder, type OwnPlace, underneath } from '../kit/own-place.ts'
import { Refused } from '../kit/refuse.ts'
import { name, row, text, uuid } from '../kit/row.ts'
import { heldKey, seal, unseal } from '../kit/secret.ts'
import { beginAt, doneAt } from '../kit/unfinished.ts'

/** What does not go along: it belongs to the machine, is told within the hour, or ends with the move as sessions do. */
const STAYS = new Set([
  'backups',
  'demo_answers',
  'demo_steps',
  'device_nonces',
  'files_leaving',
  'hearing',
  'idempotency',
  'installation',
  'jobs',
  'live_events',
  'login_failures',
  'oidc_states',
  'screen_codes',
  'sessions',
  'video_calls',
])
/** Tables that name their tenant by something else; $ is the tenant. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  tenants: 't.id = $',
  device_receipts: 't.device_id IN (SELECT id FROM devices WHERE tenant_id = $)',
  // What devices have said and may say again for a week, as far as it is still there to form the keys from.
  device_seen: `t.key IN (
    SELECT device_key(device_id || ':' || event_id) FROM raw_events
    WHERE tenant_id = $ AND received_at > (SELECT max(gone_on) - 20 FROM device_seen)
    UNION ALL
    SELECT device_key(device_id || ':' || event_id) FROM attendance_events
    WHERE tenant_id = $ AND event_id IS NOT NULL AND at > (SELECT max(gone_on) - 20 FROM device_seen))`,
}
type Cells = Record<string, unknown>
/** The owner of a sealed column. */
const UNREADABLE: Readonly<Record<string, string>> = { secret: '设备', totp: '账号' }
/** The change of one row's secret into another's; null where there is none. */
type Change = (row: Cells) => [from: string, to: string] | null

/** What is sealed or signed with the installation's key is given another: the file's, and then the new place's. */
const changesOf = (from: Buffer, to: Buffer): Readonly<Record<string, Change>> => {
  const sealed =
    (column: string, whose = UNREADABLE[column] ?? column): Change =>
    (row) => {
      const secret = row[column]
      if (typeof secret !== 'string') return null
      try {
        return [secret, seal(to, unseal(from, secret))]
      } catch {
        // Nobody signs with it any more, nor could anybody renew it.
        if (row.stopped_at) return null
        throw new Refused(
          `${whose} ${String(row.sn ?? row.user_name ?? row.name ?? row.id)} 的密钥读不出来` +
            '（不是用这里的 secret.key 存的），请重新生成或删除后再试',
        )
      }
    }
  return {
    devices: sealed('secret'),
    carriers: sealed('secret', '承运商接口'),
    channels: sealed('secret', '消息通道'),
    users: sealed('totp'),
    // A signature that does not hold here must not hold there.
    log_heads: ({ tenant_id, seq, hash, signature }) => {
      const sign = (key: Buffer) => signHead(key, String(tenant_id), Number(seq), String(hash))
      return signature === sign(from) ? [String(signature), sign(to)] : null
    },
    log_blackened: ({ tenant_id, seq, previous, was, stands, signature, at }) => {
      const words = { previous: String(previous), was: String(was), stands: String(stands) }
      const entry = { seq: Number(seq), at: new Date(String(at)), ...words }
      const sign = (key: Buffer) => signBlackening(key, String(tenant_id), entry)
      return signature === sign(from) ? [String(signature), sign(to)] : null
    },
  }
}
/** Secrets are long strings of their own: the rows' text stays as PostgreSQL wrote it but for them. */
function changed(text: string, rows: readonly Cells[], change: Change | undefined): string {
  const pairs = new Map(change && rows.map(change).filter((pair) => pair !== null))
  return pairs.size ? text.replace(/(?<=")[\w-]{32,}(?=")/g, (word) => pairs.get(word) ?? word) : text
}

interface TenantHead extends Head {
  tenant: { id: string; name: string }
  /** Its own id, sealed: opens with the right key only. */
  check: string
}
const KEY_BYTES = 32
const NUMBERS = /^(site|worker)_numbers$/

async function withOwner<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl })
  // A connection that breaks is told by the statement that it breaks.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await leaveTurn(client)
  }
}
const migrationsOf = async (client: pg.Client): Promise<string[]> =>
  (await ask(client, row({ name: text }), 'SELECT name FROM schema_migrations ORDER BY name')).map(
    (r) => r.name,
  )

/** Every table of theirs in the order of its parents, with the condition that finds their rows. */
async function theirTables(client: pg.Client, tenant: string): Promise<[table: string, where: string][]> {
  const rows = await ask(
    client,
    row({ name }),
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND a.attname = 'tenant_id'`,
  )
  const tenanted = new Set(rows.map((r) => r.name))
  const id = pg.escapeLiteral(tenant)
  return (await tablesOf(client))
    .filter((table) => !STAYS.has(table))
    .map((table) => {
      const where = ELSEWHERE[table] ?? (tenanted.has(table) ? 't.tenant_id = $' : undefined)
      if (!where) throw new Error(`whose is ${table}?`)
      return [table, where.replaceAll('$', () => id)]
    })
}

/**
 * One tenant whole, from one snapshot, while the server runs. Its secrets are sealed with a key of their own, which is
 * answered and stands nowhere else.
 */
export async function exportTenant(
  ownerUrl: string,
  dataDir: string,
  [called, file]: readonly [called: string, file: string],
  place: OwnPlace = filesFolder(dataDir),
): Promise<object> {
  // Its key was shown once: who still holds that one would lose what it opens.
  if (existsSync(file)) throw new Refused(`${file} 已经存在，没有覆盖，请换一个文件名`)
  const key = randomBytes(KEY_BYTES)
  let [rows, files] = [0, 0]
  const bytes = await withOwner(ownerUrl, async (client) => {
    const changes = changesOf(await heldKey(await printIn(client), dataDir), key)
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await seeAll(client)
    const [tenant] = await ask(
      client,
      row({ id: uuid, name: text }),
      'SELECT id, name FROM tenants WHERE name = $1 OR id::text = $1',
      [called],
    )
    if (!tenant) throw new Refused(`没有集团 ${called}`)
    return writeBackup(
      file,
      async (to) => {
        const sequences = Object.entries(await sequencesOf(client)).filter(([n]) => NUMBERS.test(n))
        const head: TenantHead = {
          migrations: await migrationsOf(client),
          sequences: Object.fromEntries(sequences),
          tenant,
          check: seal(key, tenant.id),
        }
        await to.head(head)
        for (const [table, where] of await theirTables(client, tenant.id))
          rows += await writeRows(client, to, table, where, (row) =>
            changed(row, [JSON.parse(row) as Cells], changes[table]),
          )
        const keys = await ask(
          client,
          row({ key: text }),
          'SELECT key FROM files WHERE tenant_id = $1 ORDER BY key',
          [tenant.id],
        )
        await client.query('COMMIT')
        for (const { key: picture } of keys) files += await writeFile(to, place, placeOf(picture))
      },
      'tenant',
    )
  })
  return { file, rows, files, bytes, key: key.toString('base64url') }
}

const INTO = /^import-[0-9a-f-]{36}$/
const FOLDER = /^files\/[0-9a-f]{2}\//
const isFile = (name: string): boolean => FOLDER.test(name) && isKey(name.replace(FOLDER, ''))

/** Those of them that are here already. */
const taken = async (client: pg.Client, statement: string, rows: readonly Cells[]): Promise<string[]> =>
  (await ask(client, row({ name: text }), statement, [JSON.stringify(rows)])).map((r) => r.name)

/** Values that may be there only once, asked before the rows are written, so that the refusal names it. */
const ONCE: Readonly<Record<string, readonly [sentence: string, text: string]>> = {
  tenants: [
    '集团',
    `SELECT t.name FROM json_to_recordset($1::json) AS n(id uuid, name text)
     JOIN tenants t ON t.id = n.id OR t.name = n.name`,
  ],
  users: [
    '账号',
    `SELECT n.user_name AS name FROM json_to_recordset($1::json) AS n(user_name text, deleted_at text)
     JOIN account_names a ON a.name = lower(n.user_name)
     WHERE n.deleted_at IS NULL`,
  ],
  devices: [
    '序列号',
    `SELECT DISTINCT n.sn AS name FROM json_to_recordset($1::json) AS n(sn text, tenant_id uuid, deleted_at text)
     JOIN serial_numbers s ON s.sn = n.sn AND s.tenant_id <> n.tenant_id
     WHERE n.deleted_at IS NULL`,
  ],
  user_identities: [
    '企业账号',
    `SELECT n.subject AS name FROM json_to_recordset($1::json) AS n(issuer text, subject text)
     JOIN user_identities i ON i.issuer = n.issuer AND i.subject = n.subject`,
  ],
}
const SHOWN = 10

async function refuseTaken(client: pg.Client, table: string, rows: readonly Cells[]): Promise<void> {
  const once = ONCE[table]
  const names = once ? await taken(client, once[1], rows) : []
  if (names.length === 0) return
  const more = names.length > SHOWN ? ` 等 ${names.length} 个` : ''
  throw new Refused(`这里已经有这些${once![0]}：${names.slice(0, SHOWN).join('、')}${more}；没有改动现有数据`)
}

/** Numbers of sites and workers go on behind those that came. */
const raise = (client: pg.Client, sequence: string, last: string) =>
  client.query(
    `SELECT setval(s.oid::regclass, $2::bigint)
     FROM pg_class s JOIN pg_sequences q ON q.schemaname = 'public' AND q.sequencename = s.relname
     WHERE s.relname = $1 AND s.relnamespace = 'public'::regnamespace AND coalesce(q.last_value, 0) < $2::bigint`,
    [sequence, last],
  )

/** What an interrupted command can take along at once; what lies in a bucket stays there, named by nothing. */
const onDisk = (place: OwnPlace, path: string): string[] =>
  place.use().kind === 'folder' ? [join(place.called, path)] : []
const inWords = (error: unknown): Refused =>
  error instanceof Refused
    ? error
    : new Refused(`迁入没有成功，现有数据没有改动。原因：${(error as Error).message}`)

/**
 * Takes a tenant in beside those that are here, while the server runs: rows in one transaction, pictures under their
 * own keys before it is committed. Whatever speaks against it is a sentence, and nothing has changed.
 */
export async function importTenant(
  ownerUrl: string,
  dataDir: string,
  [file, key]: readonly [file: string, key: string],
  place: OwnPlace = filesFolder(dataDir),
): Promise<object> {
  const head = (await readHead(file, 'tenant')) as TenantHead
  const from = Buffer.from(key, 'base64url')
  try {
    if (from.length !== KEY_BYTES || unseal(from, head.check) !== head.tenant.id)
      throw new Error('another key')
  } catch {
    throw new Refused('密钥不是这个文件的（导出时显示过一次），没有改动现有数据')
  }
  const staged = join(dataDir, `import-${randomUUID()}`)
  const placed: string[] = []
  let asked = false
  return withOwner(ownerUrl, async (client) => {
    const changes = changesOf(from, await heldKey(await printIn(client), dataDir))
    try {
      await takeTurn(client, ownerUrl)
      // One that was stopped on its way.
      for (const name of await readdir(dataDir))
        if (INTO.test(name)) await rm(join(dataDir, name), { recursive: true })
      beginAt(staged)
      await mkdir(join(staged, 'files'), { recursive: true })
      await client.query('BEGIN')
      await seeAll(client)
      if ((await migrationsOf(client)).join() !== head.migrations.join())
        throw new Refused('两边的版本不同，请先把两边升级到同一个版本；没有改动现有数据')
      await refuseTaken(client, 'tenants', [head.tenant])
      const known = new Set((await theirTables(client, head.tenant.id)).map(([table]) => table))
      const loaded = await load(client, file, staged, {
        isFile,
        async rows(table, text) {
          if (!known.has(table)) throw new Refused(`文件里有不认识的表 ${table}，没有改动现有数据`)
          if (!ONCE[table] && !changes[table]) return text
          const rows = JSON.parse(text) as Cells[]
          await refuseTaken(client, table, rows)
          return changed(text, rows, changes[table])
        },
      })
      for (const [sequence, [last, called]] of Object.entries(head.sequences ?? {}))
        if (NUMBERS.test(sequence) && called) await raise(client, sequence, last)
      for await (const path of underneath(join(staged, 'files'))) {
        if (await place.has(path)) throw new Refused('文件里的照片这里已经有了，没有改动现有数据')
        placed.push(path)
        for (const file of onDisk(place, path)) beginAt(file)
        await place.put(path, createReadStream(join(staged, 'files', path)))
      }
      for (const channel of ['access', 'workers', 'devices'])
        await client.query(`SELECT pg_notify($1, '')`, [channel])
      // From here on the commit may stand even when its answer is lost: then the pictures stay.
      asked = true
      for (const path of [staged, ...placed.flatMap((one) => onDisk(place, one))]) doneAt(path)
      await client.query('COMMIT')
      return { tenant: head.tenant.name, ...loaded }
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {})
      if (asked) throw error
      for (const path of placed) await place.remove(path)
      throw inWords(error)
    } finally {
      await rm(staged, { recursive: true, force: true })
    }
  })
}
