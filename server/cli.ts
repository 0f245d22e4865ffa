import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { parseArgs } from 'node:util'

import { newSerialNumber } from '@zhuguan/contract/features/devices/device-stock.record.ts'
import { deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { PASSWORD_RULE } from '@zhuguan/contract/features/session/session.record.ts'
import { verdictText } from '@zhuguan/contract/features/userlogs/userlogs.record.ts'

import { examine, type Finding, pageOf } from './app/doctor.ts'
import { filesPlace } from './app/files-place.ts'
import { knownPrint } from './app/installation.ts'
import { exportTenant, importTenant } from './app/move-tenant.ts'
import { collectByHand, eraseByHand } from './app/person-command.ts'
import { readSettings } from './app/settings.ts'
import { backup } from './database/backup.ts'
import { connect, type Database, type Scope, type Tx } from './database/connect.ts'
import { type Embedded, startEmbedded } from './database/embedded.ts'
import { migrate } from './database/migrate.ts'
import { finishRestore, restore } from './database/restore.ts'
import { seedTenant } from './database/seed/tenant.ts'
import { addDevice } from './features/devices/devices.service.ts'
import { announceAccess } from './features/session/access.service.ts'
import { firstPassword, protect, travelling } from './features/session/passwords.service.ts'
import { verifyLog } from './features/userlogs/log-walk.ts'
import { writeLog } from './features/userlogs/userlogs.service.ts'
import { uuidv7 } from './kit/ids.ts'
import { Refused } from './kit/refuse.ts'
import { row, text, there, uuid } from './kit/row.ts'
import { heldKey } from './kit/secret.ts'
import { inWords } from './kit/system-words.ts'
import { removeUnfinished } from './kit/unfinished.ts'

/**
 * The operator's commands over the running data. Each prints one line of JSON;
 * a refused one prints a sentence to the error output and exits with 1.
 */
const USAGE = `用法：npm run cli -- <命令>
  tenant add --name <集团名称> --admin <账号> [--nickname <姓名>]
  device add --sn <序列号> --type camera|faceTerminal|edgeBox|router [--model <型号>] (--site <工地编号> | --branch <分公司编号>)
  user add --name <账号> --nickname <姓名> --role <角色编码> [--branch <分公司编号>] --password <密码> [--tenant <集团名称>]
  user password --name <账号> --password <新密码>
  tenant export <集团名称> <文件>                 一个集团的全部数据；答出的密钥只显示一次
  tenant import <文件> --key <密钥>               放进另一个安装，那里的其他集团不受影响
  backup --file <文件>
  restore --file <文件>
  person collect <请求编号> <文件> --by <账号>      把保存的全部个人信息汇总成文件；由 <账号> 负责，写进日志
  person erase <请求编号> --by <账号>             执行已核实的删除请求；核实的人不能自己执行
  log verify
  doctor                                          一页：什么设了、连得上、晚了、满了；有不对的以 1 结束`
const EVERYWHERE: Scope = { tenant: '', bcs: null, sites: null, user: null, system: true }
type Options = Record<string, string | undefined>

const need = (o: Options, name: string): string => {
  const value = o[name]
  if (!value) throw new Refused(`缺少 --${name}`)
  return value
}
const travelled = (password: string): string => {
  if (!PASSWORD_RULE.test(password)) throw new Refused('密码须为 6-20 位字母或数字 1-9')
  return travelling(password)
}
const tenantsOf = (tx: Tx) =>
  tx.query(
    'cli.tenants',
    row({ id: uuid, name: text }),
    'SELECT id, name FROM tenants ORDER BY created_at, name',
    [],
  )
const who = (tenant: string) => ({ tenant, userId: null, userName: '命令行', ip: '127.0.0.1', agent: 'cli' })

const commands: Record<string, (o: Options, db: Database, key: () => Promise<Buffer>) => Promise<object>> = {
  /** The beginning of an installation that is not a demo: a group with its menus and roles, and somebody who may do the rest in the browser. */
  'tenant add': (o, db) =>
    db.tx(EVERYWHERE, async (tx) => {
      const name = need(o, 'name').trim()
      const admin = need(o, 'admin')
      if (name.length < 2 || name.length > 40) throw new Refused('集团名称应为 2-40 个字')
      if (!/^[A-Za-z][A-Za-z0-9_.-]{1,31}$/.test(admin))
        throw new Refused('账号用字母、数字和 . _ -，字母开头，2-32 位')
      if ((await tx.query('cli.tenant', there, 'SELECT 1 FROM tenants WHERE name = $1', [name])).rows.length)
        throw new Refused(`集团 ${name} 已存在`)
      if (
        (await tx.query('cli.user', there, 'SELECT 1 FROM account_names WHERE name = lower($1)', [admin]))
          .rows.length
      )
        throw new Refused(`账号 ${admin} 已存在`)
      const tenant = uuidv7()
      const roles = await seedTenant(tx, { id: tenant, name, created_at: new Date() })
      const id = uuidv7()
      const password = firstPassword()
      await tx.run(
        'cli.admin',
        `INSERT INTO users (tenant_id, id, user_name, nickname, password, must_change)
         VALUES ($1, $2, $3, $4, $5, true)`,
        [tenant, id, admin, o.nickname ?? '系统管理员', await protect(travelling(password))],
      )
      await tx.run(
        'cli.addrole',
        'INSERT INTO user_roles (tenant_id, user_id, role_id) VALUES ($1, $2, $3)',
        [tenant, id, roles.get('admin')],
      )
      await writeLog(tx, who(tenant), {
        action: '新增集团',
        object: 'user',
        objectId: id,
        after: { name, admin },
      })
      return { tenant: name, admin, password }
    }),
  'device add': async (o, db, key) => {
    const own = await key()
    return db.tx(EVERYWHERE, async (tx) => {
      const sn = need(o, 'sn')
      const type = need(o, 'type')
      const { error } = newSerialNumber.safeParse(sn)
      if (error) throw new Refused(error.issues[0]!.message)
      if (!deviceType.values.some((known) => known === type))
        throw new Refused(`类型应为 ${deviceType.values.join('、')}`)
      if (!o.site && !o.branch) throw new Refused('请用 --site 指定工地，或用 --branch 指定分公司')
      const place = row({ tenant_id: uuid, bc_id: uuid, id: uuid.null })
      const { rows } = o.site
        ? await tx.query(
            'cli.site',
            place,
            'SELECT tenant_id, bc_id, id FROM sites WHERE code = $1 AND deleted_at IS NULL',
            [o.site],
          )
        : await tx.query(
            'cli.branch',
            place,
            'SELECT tenant_id, bc_id, NULL::uuid AS id FROM companies WHERE code = $1',
            [o.branch],
          )
      if (rows.length !== 1)
        throw new Refused(
          rows.length
            ? '编号在多个集团中重复'
            : `没有编号为 ${o.site ?? o.branch} 的${o.site ? '工地' : '分公司'}`,
        )
      const at = rows[0]!
      const same = await tx.query(
        'cli.sn',
        there,
        'SELECT 1 FROM devices WHERE tenant_id = $1 AND sn = $2 AND deleted_at IS NULL',
        [at.tenant_id, sn],
      )
      if (same.rows.length) throw new Refused(`序列号 ${sn} 已存在`)
      const device = await addDevice(
        tx,
        { tenant: at.tenant_id, sn, type, model: o.model ?? '', bc: at.bc_id, site: at.id },
        own,
      )
      await writeLog(tx, who(at.tenant_id), {
        action: '设备入库',
        object: 'device',
        objectId: device.id,
        after: { sn, type, site: o.site ?? null },
      })
      return { sn: device.sn, secret: device.secret }
    })
  },
  'user add': (o, db) =>
    db.tx(EVERYWHERE, async (tx) => {
      const name = need(o, 'name')
      const password = await protect(travelled(need(o, 'password')))
      const tenants = (await tenantsOf(tx)).rows.filter((t) => !o.tenant || t.name === o.tenant)
      const branch = o.branch
        ? (
            await tx.query(
              'cli.branchof',
              row({ tenant_id: uuid, bc_id: uuid }),
              'SELECT tenant_id, bc_id FROM companies WHERE code = $1',
              [o.branch],
            )
          ).rows[0]
        : undefined
      if (o.branch && !branch) throw new Refused(`没有编号为 ${o.branch} 的分公司`)
      const tenant = branch?.tenant_id ?? (tenants.length === 1 ? tenants[0]!.id : undefined)
      if (!tenant) throw new Refused('有多个集团，请用 --branch 或 --tenant 指定')
      const role = (
        await tx.query(
          'cli.role',
          row({ id: uuid }),
          'SELECT id FROM roles WHERE tenant_id = $1 AND code = $2',
          [tenant, need(o, 'role')],
        )
      ).rows[0]
      if (!role) throw new Refused(`没有角色 ${o.role}`)
      if (
        (await tx.query('cli.user', there, 'SELECT 1 FROM account_names WHERE name = lower($1)', [name])).rows
          .length
      )
        throw new Refused(`账号 ${name} 已存在`)
      const id = uuidv7()
      await tx.run(
        'cli.adduser',
        'INSERT INTO users (tenant_id, id, user_name, nickname, bc_id, password) VALUES ($1, $2, $3, $4, $5, $6)',
        [tenant, id, name, o.nickname ?? name, branch?.bc_id ?? null, password],
      )
      await tx.run(
        'cli.addrole',
        'INSERT INTO user_roles (tenant_id, user_id, role_id) VALUES ($1, $2, $3)',
        [tenant, id, role.id],
      )
      if (branch)
        await tx.run(
          'cli.addbranch',
          'INSERT INTO user_branches (tenant_id, user_id, bc_id) VALUES ($1, $2, $3)',
          [tenant, id, branch.bc_id],
        )
      await writeLog(tx, who(tenant), {
        action: '新增用户',
        object: 'user',
        objectId: id,
        after: { name, role: o.role },
      })
      return { id, name }
    }),
  'user password': (o, db) =>
    db.tx(EVERYWHERE, async (tx) => {
      const password = await protect(travelled(need(o, 'password')))
      const { rows } = await tx.query(
        'cli.password',
        row({ tenant_id: uuid, id: uuid }),
        `UPDATE users u SET password = $2, version = version + 1
         FROM account_names n
         WHERE n.name = lower($1) AND u.tenant_id = n.tenant_id AND lower(u.user_name) = n.name AND u.deleted_at IS NULL
         RETURNING u.tenant_id, u.id`,
        [need(o, 'name'), password],
      )
      if (!rows[0]) throw new Refused(`没有账号 ${o.name}`)
      const ended = await tx.run(
        'cli.sessions',
        'UPDATE sessions SET revoked_at = :now WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL',
        [rows[0].tenant_id, rows[0].id],
      )
      announceAccess(tx)
      await writeLog(tx, who(rows[0].tenant_id), { action: '重置密码', object: 'user', objectId: rows[0].id })
      return { name: o.name, sessionsEnded: ended.rowCount }
    }),
  'log verify': async (_o, db, key) => {
    const own = await key()
    const tenants = (await db.tx(EVERYWHERE, (tx) => tenantsOf(tx))).rows
    const results = []
    for (const t of tenants) {
      const verdict = await verifyLog(
        (look) => db.tx({ ...EVERYWHERE, tenant: t.id, system: false }, look, { readOnly: true }),
        t.id,
        own,
        (checked, of) => console.error(`${t.name}：已核对 ${checked} 行，共 ${of} 行`),
      )
      results.push({ tenant: t.name, ...verdict, said: verdictText(verdict) })
    }
    const broken = results.filter((r) => !r.ok)
    if (broken.length)
      throw new Refused(`操作日志被改动：${broken.map((b) => `${b.tenant} ${b.why}`).join('；')}`)
    return { ok: true, tenants: results }
  },
}

/** A database that only this command has started. */
let starting: Promise<Embedded | undefined> = Promise.resolve(undefined)
let interrupted = false
async function interrupt(signal: 'SIGTERM' | 'SIGINT'): Promise<void> {
  if (interrupted) return
  interrupted = true
  await starting.then((own) => own?.stop()).catch(() => {})
  removeUnfinished()
  console.error(`命令被中断（${signal}），没有完成；写到一半的文件已经删除`)
  // As a shell says it.
  process.exit(128 + constants.signals[signal])
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void interrupt(signal))

const { positionals, values } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: Object.fromEntries(
    [
      'sn',
      'type',
      'model',
      'site',
      'branch',
      'name',
      'nickname',
      'role',
      'password',
      'tenant',
      'admin',
      'file',
      'key',
      'by',
    ].map((n) => [n, { type: 'string' as const }]),
  ),
})
const options = values as Options
const command = positionals.slice(0, 2).join(' ')
try {
  const known = commands[command]
  const [, , first, second] = positionals
  const moving = command === 'tenant export' || command === 'tenant import'
  const personal = command === 'person collect' || command === 'person erase'
  const saving = command === 'backup' || command === 'restore'
  if (saving) need(options, 'file')
  if (moving && (!first || (command === 'tenant export' ? !second : !need(options, 'key'))))
    throw new Refused(USAGE)
  if (personal && (!first || (command === 'person collect' && !second) || !need(options, 'by')))
    throw new Refused(USAGE)
  if (!known && !saving && !moving && !personal && command !== 'doctor') throw new Refused(USAGE)
  const settings = readSettings(process.env)
  if (!settings.databaseUrl && !existsSync(settings.dataDir) && command !== 'restore')
    throw new Refused(`文件夹 ${settings.dataDir} 里还没有数据，请先 npm start`)
  const adopted = !settings.databaseUrl && existsSync(`${settings.dataDir}/postgres/cluster/postmaster.pid`)
  const begun = settings.databaseUrl ? undefined : startEmbedded(settings.dataDir)
  if (begun && !adopted) starting = begun
  const embedded = await begun
  const ownerUrl = settings.databaseUrl ?? embedded!.url
  const place = filesPlace(settings)
  const work = async (): Promise<object> => {
    if (command === 'doctor') return examine({ settings, ownerUrl, place, now: new Date() })
    await finishRestore(ownerUrl, settings.dataDir, place)
    if (command === 'backup') return backup(ownerUrl, settings.dataDir, need(options, 'file'), place)
    if (command === 'restore') return restore(ownerUrl, settings.dataDir, need(options, 'file'), place)
    const { logins } = await migrate(ownerUrl)
    if (command === 'tenant export') return exportTenant(ownerUrl, settings.dataDir, [first!, second!], place)
    if (command === 'tenant import')
      return importTenant(ownerUrl, settings.dataDir, [first!, need(options, 'key')], place)
    const db = connect(logins, { max: 2 })
    const key = async () => heldKey(await knownPrint(db), settings.dataDir)
    const personally = async () => {
      const at = {
        db,
        secretKey: await key(),
        dataDir: settings.dataDir,
        files: place,
        now: () => new Date(),
      }
      const asked = { no: first!, by: need(options, 'by') }
      return command === 'person erase'
        ? eraseByHand(at, asked)
        : collectByHand(at, { ...asked, file: second! })
    }
    return (personal ? personally() : known!(options, db, key)).finally(() => db.close())
  }
  // A database that a running server uses is left as it is.
  const answer = await work().finally(() => (adopted ? undefined : embedded?.stop()))
  // Interrupted, it ends with that word.
  if (!interrupted) {
    const { ok, page } =
      command === 'doctor' ? pageOf(answer as Finding[]) : { ok: true, page: JSON.stringify(answer) }
    console.log(page)
    process.exit(ok ? 0 : 1)
  }
} catch (error) {
  if (!interrupted) {
    console.error(inWords(error))
    process.exit(1)
  }
}
