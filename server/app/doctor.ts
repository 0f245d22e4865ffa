import { statfs } from 'node:fs/promises'
import { connect as connectTo } from 'node:net'

import pg from 'pg'

import { ask } from '../database/ask.ts'
import { printIn } from '../database/backup.ts'
import { connect } from '../database/connect.ts'
import { migrate, openMigrations } from '../database/migrate.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { verifyLog } from '../features/userlogs/log-walk.ts'
import { MARK, type OwnPlace } from '../kit/own-place.ts'
import { bool, float8, int4, row, text, uuid } from '../kit/row.ts'
import { heldKey } from '../kit/secret.ts'
import { inWords } from '../kit/system-words.ts'
import type { Settings } from './settings.ts'

/** One line of the page: `off` is what is not set. */
export interface Finding {
  what: string
  state: 'well' | 'wrong' | 'off'
  said: string
}
interface Patient {
  settings: Settings
  ownerUrl: string
  place: OwnPlace
  now: Date
}
type Look = (client: pg.Client, patient: Patient) => Promise<Omit<Finding, 'what'>>

const well = (said: string) => ({ state: 'well' as const, said })
const wrong = (said: string) => ({ state: 'wrong' as const, said })
const off = (said: string) => ({ state: 'off' as const, said })

const OLDEST_VERSION = 15
const BACKUP_HOURS = 48
/** Everything is done once a day at least. */
const LATE_HOURS = 26
const LEAST_FREE = 0.05
const GB = 1024 ** 3
const REACH_MS = 5_000
const NAMED = 5

const databaseOf: Look = async (client) => {
  const [own] = await ask(
    client,
    row({ version: int4, name: text, megabytes: float8, may: bool }),
    `SELECT current_setting('server_version_num')::int / 10000 AS version, current_database()::text AS name,
       pg_database_size(current_database())::float8 / 1048576 AS megabytes, rolsuper OR rolcreaterole AS may
     FROM pg_roles WHERE rolname = current_user`,
  )
  const said = `PostgreSQL ${own!.version}，库 ${own!.name}，${Math.round(own!.megabytes)} MB`
  if (own!.version < OLDEST_VERSION) return wrong(`${said}；请用 ${OLDEST_VERSION} 或更新的版本`)
  return own!.may ? well(said) : wrong(`${said}；所有者没有 CREATEROLE 权限，服务不能建自己的登录`)
}
const migrationsOf: Look = async (client, { ownerUrl }) => {
  const { checksum, names } = await openMigrations(ownerUrl)
  const done = await ask(
    client,
    row({ name: text, sum: text }),
    'SELECT name, checksum AS sum FROM schema_migrations',
  )
  const strange = done.filter((m) => !names.includes(m.name)).map((m) => m.name)
  if (strange.length)
    return wrong(`库来自更新的版本（${strange.slice(0, NAMED).join('、')}），请升级这里的程序`)
  const other = done.filter((m) => m.sum !== checksum(m.name)).map((m) => m.name)
  if (other.length) return wrong(`执行过的和这里的不同：${other.slice(0, NAMED).join('、')}`)
  const left = names.length - done.length
  return left ? wrong(`还有 ${left} 个没有执行，启动一次服务就会执行`) : well(`${names.length} 个都执行过`)
}
const keyOf: Look = async (client, { settings }) => {
  await heldKey(await printIn(client), settings.dataDir)
  return well('是这个库的')
}
const filesOf: Look = async (client, { place }) => {
  const [own] = await ask(
    client,
    row({ mark: text.null, files: int4, leaving: int4 }),
    `SELECT (SELECT files_mark FROM installation) AS mark, (SELECT count(*)::int FROM files) AS files,
       (SELECT count(*)::int FROM files_leaving) AS leaving`,
  )
  const { files, leaving, mark } = own!
  const said = `${place.called}，${files} 个，待取走 ${leaving} 个`
  const found = (await place.read(MARK))?.toString().trim()
  if (mark === null) return wrong(`${said}；还没有启动过服务，没有记号`)
  return found === mark ? well(said) : wrong(`${said}；${found ? '是另一个安装的' : '没有这个安装的记号'}`)
}
const diskOf: Look = async (_client, { settings }) => {
  const { bavail, blocks, bsize } = await statfs(settings.dataDir)
  const [free, all] = [bavail, blocks].map((n) => ((n * bsize) / GB).toFixed(1))
  const said = `${settings.dataDir} 空 ${free} GB，共 ${all} GB`
  return bavail < blocks * LEAST_FREE || bavail * bsize < GB ? wrong(`${said}；快满了`) : well(said)
}
/** Whether somebody takes a connection there; nothing is said to them. */
const isReached = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connectTo({ host, port, timeout: REACH_MS })
    const end = (reached: boolean) => {
      socket.destroy()
      resolve(reached)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
const PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'mqtt:': 1883,
  'mqtts:': 8883,
  'smtp:': 587,
  'smtps:': 465,
  'ws:': 80,
  'wss:': 443,
}
/** Services of other machines, each by its address. */
const reached =
  (name: string, of: (settings: Settings) => string | null | undefined): Look =>
  async (_client, { settings }) => {
    const address = of(settings)
    if (!address) return off(`没有设 ${name}`)
    const { hostname, port, protocol } = new URL(address.replaceAll(/[{}]/g, ''))
    const at = Number(port) || PORTS[protocol]
    if (!at) return off(`${protocol}//${hostname} 不是网络地址，没有查`)
    const said = `${hostname}:${at}`
    return (await isReached(hostname.replaceAll(/[[\]]/g, ''), at)) ? well(said) : wrong(`${said} 连不上`)
  }
const backupOf: Look = async (client, { now }) => {
  const [last] = await ask(
    client,
    row({ hours: float8.null }),
    'SELECT (extract(epoch FROM $1::timestamptz - max(at)) / 3600)::float8 AS hours FROM backups',
    [now],
  )
  const hours = last!.hours
  if (hours === null) return wrong('还没有备份过')
  const said = `上次在 ${Math.floor(hours)} 小时前`
  return hours > BACKUP_HOURS ? wrong(`${said}，超过 ${BACKUP_HOURS} 小时`) : well(said)
}
const jobsOf: Look = async (client, { now }) => {
  const rows = await ask(
    client,
    row({ kind: text, failures: int4, error: text, hours: float8.null }),
    `SELECT kind, max(failures) AS failures, max(error) AS error,
       (extract(epoch FROM $1::timestamptz - min(coalesce(succeeded_at, met_at))) / 3600)::float8 AS hours
     FROM job_runs GROUP BY kind ORDER BY kind`,
    [now],
  )
  const failing = rows.filter((j) => j.failures > 0)
  if (failing.length)
    return wrong(
      failing
        .slice(0, NAMED)
        .map((j) => `${j.kind} 连续失败 ${j.failures} 次（${j.error.split('\n')[0]}）`)
        .join('；'),
    )
  const late = rows.filter((j) => (j.hours ?? 0) > LATE_HOURS)
  if (late.length)
    return wrong(
      `超过 ${LATE_HOURS} 小时没有做成：${late
        .slice(0, NAMED)
        .map((j) => j.kind)
        .join('、')}`,
    )
  return rows.length ? well(`${rows.length} 种，都按时`) : wrong('一次也没有做过，服务没有在跑')
}
const logOf: Look = async (client, { ownerUrl, settings }) => {
  const key = await heldKey(await printIn(client), settings.dataDir)
  const tenants = await ask(
    client,
    row({ id: uuid, name: text }),
    'SELECT id, name FROM tenants ORDER BY name',
  )
  const db = connect((await migrate(ownerUrl)).logins, { max: 1 })
  try {
    let lines = 0
    for (const { id, name } of tenants) {
      const scope = { ...SYSTEM, tenant: id, system: false }
      const verdict = await verifyLog((look) => db.tx(scope, look, { readOnly: true }), id, key)
      if (!verdict.ok) return wrong(`${name} 的操作日志被改动：${verdict.why}`)
      lines += verdict.checked
    }
    return well(`${tenants.length} 个集团 ${lines} 行，没有被改动`)
  } finally {
    await db.close()
  }
}

const OF_DATABASE: readonly (readonly [what: string, look: Look])[] = [
  ['数据库', databaseOf],
  ['迁移', migrationsOf],
  ['密钥', keyOf],
  ['文件', filesOf],
  ['备份', backupOf],
  ['定时的工作', jobsOf],
]
const OF_MACHINES: readonly (readonly [what: string, look: Look])[] = [
  ['磁盘', diskOf],
  ['设备 MQTT', reached('MQTT_URL', (s) => s.mqttUrl)],
  ['视频网关', reached('VIDEO_GATEWAY', (s) => s.video?.template)],
  ['邮件', reached('MAIL_URL', (s) => s.mail?.url)],
]

/** One page about settings, reach, lateness and room; it changes nothing. */
export async function examine(patient: Patient): Promise<readonly Finding[]> {
  const client = new pg.Client({ connectionString: patient.ownerUrl, connectionTimeoutMillis: REACH_MS })
  client.on('error', () => {})
  const find = async ([what, look]: readonly [string, Look]): Promise<Finding> => ({
    what,
    ...(await look(client, patient).catch((error: unknown) => wrong(inWords(error)))),
  })
  const findings: Finding[] = []
  try {
    await client.connect()
    await client.query(`SET default_transaction_read_only = on`)
    await client.query(`SET app.tenant = '*'`)
    for (const one of OF_DATABASE) findings.push(await find(one))
    // What has a newer shape cannot be read yet.
    const isNewest = findings.every((f) => f.what !== '迁移' || f.state === 'well')
    findings.push(isNewest ? await find(['操作日志', logOf]) : { what: '操作日志', ...off('迁移以后再查') })
  } catch (error) {
    findings.push({ what: '数据库', ...wrong(`连不上：${inWords(error)}`) })
  } finally {
    await client.end().catch(() => {})
  }
  for (const one of OF_MACHINES) findings.push(await find(one))
  return findings
}

const SIGN = { well: '✓', wrong: '✗', off: '–' }
/** The page, and whether all is well. */
export function pageOf(findings: readonly Finding[]): { page: string; ok: boolean } {
  const n = findings.filter((f) => f.state === 'wrong').length
  const lines = findings.map(({ said, state, what }) => `${SIGN[state]} ${what}：${said}`)
  return { page: [...lines, n ? `${n} 处不对` : '都正常'].join('\n'), ok: n === 0 }
}
