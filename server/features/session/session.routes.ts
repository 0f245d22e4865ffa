import { randomBytes } from 'node:crypto'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { hash, verify } from '@node-rs/argon2'
import type { Database, Tx } from '../../database/connect.ts'
import { invalid, outside, Refused } from '../../kit/refuse.ts'
import { type Handlers, serve } from '../../kit/serve.ts'
import { writeLog } from '../userlogs/userlogs.service.ts'
import { hashToken, SYSTEM } from './access.reads.ts'
import { accountByName, menusOf } from './session.queries.ts'

const WRONG = '账号或密码不正确'
const WINDOW_MS = 5 * 60_000
const MAX_FAILURES = 10

export interface SessionOptions {
  db: Database
  sessionMinutes: number
  now: () => Date
  /** This server forgets at once; the others when they hear of it. */
  forgetAccess: () => void
}

/** Failures from one address for one account; another address is not slowed by them. */
function failureBook(now: () => Date) {
  const book = new Map<string, { count: number; until: number }>()
  return {
    blocked: (key: string) => {
      const f = book.get(key)
      return !!f && f.until > now().getTime() && f.count >= MAX_FAILURES
    },
    add(key: string) {
      const f = book.get(key)
      if (book.size > 10_000) book.clear()
      if (f && f.until > now().getTime()) f.count += 1
      else book.set(key, { count: 1, until: now().getTime() + WINDOW_MS })
    },
    clear: (key: string) => book.delete(key),
  }
}

/** argon2id over the hash that travelled: the hash alone is as good as the password, so it is never stored (quality.md). */
export const protect = (travelled: string): Promise<string> => hash(travelled, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })

export function sessionFeature({ db, sessionMinutes, now, forgetAccess }: SessionOptions) {
  const tellAccess = async (tx: Tx) => {
    await tx.query('session.tell', `SELECT pg_notify('access', '')`, [])
    tx.afterCommit(forgetAccess)
  }
  const failures = failureBook(now)
  // A name that does not exist costs the same time as one that does.
  const decoy = protect('0'.repeat(64))

  const handlers: Handlers<typeof sessionApi> = {
    async login({ body }, call) {
      const key = `${call.ip}|${body.username.toLowerCase()}`
      if (failures.blocked(key)) throw new Refused('密码错误次数太多，请 5 分钟后再试', 429)
      const account = await db.tx(SYSTEM, (tx) => accountByName(tx, body.username), { readOnly: true })
      const right = await verify(account?.password ?? (await decoy), body.password)
      if (!account || !right || account.status !== 1) {
        failures.add(key)
        if (account) await db.tx({ ...SYSTEM, tenant: account.tenant_id, system: false }, (tx) => writeLog(tx, { tenant: account.tenant_id, userId: account.id, userName: account.user_name, ip: call.ip, agent: call.agent }, { action: '登录', object: 'user', objectId: account.id, outcome: 'refused' }))
        throw new Refused(WRONG, 400)
      }
      failures.clear(key)
      const token = randomBytes(32).toString('base64url')
      await db.tx({ ...SYSTEM, tenant: account.tenant_id, system: false }, async (tx) => {
        await tx.query('session.open', `INSERT INTO sessions (token_hash, tenant_id, user_id, expires_at, ip, agent) VALUES ($1, $2, $3, $4, $5, $6)`, [hashToken(token), account.tenant_id, account.id, new Date(now().getTime() + sessionMinutes * 60_000), call.ip, call.agent.slice(0, 200)])
        await tx.query('session.seen', 'UPDATE users SET last_login = $3 WHERE tenant_id = $1 AND id = $2', [account.tenant_id, account.id, now()])
        await writeLog(tx, { tenant: account.tenant_id, userId: account.id, userName: account.user_name, ip: call.ip, agent: call.agent }, { action: '登录', object: 'user', objectId: account.id })
      })
      return { token, tenant_id: account.tenant_id }
    },

    async logout(_input, call) {
      await call.write(async (tx) => {
        await tx.query('session.close', 'UPDATE sessions SET revoked_at = now() WHERE token_hash = $1', [call.user.tokenHash])
        await tellAccess(tx)
        await call.log(tx, { action: '退出登录', object: 'user', objectId: call.user.id })
      })
      return null
    },

    async permissionInfo(_input, call) {
      return call.read(async (tx) => {
        const menus = await menusOf(tx, call.user.tenant, call.user.id)
        const avatar = (await tx.query<{ avatar: string }>('session.avatar', 'SELECT avatar FROM users WHERE tenant_id = $1 AND id = $2', [call.user.tenant, call.user.id])).rows[0]!.avatar
        const names = await tx.query<{ system: string; name: string }>(
          'session.names',
          `SELECT DISTINCT p.system, p.component_name AS name FROM pages p JOIN role_pages rp ON rp.tenant_id = p.tenant_id AND rp.page_id = p.id JOIN user_roles ur ON ur.tenant_id = rp.tenant_id AND ur.role_id = rp.role_id
           JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id AND r.status = 1 WHERE p.tenant_id = $1 AND ur.user_id = $2 AND p.component_name <> ''`,
          [call.user.tenant, call.user.id],
        )
        const of = (jf: boolean) => names.rows.filter((r) => (r.system === 'jf') === jf).map((r) => r.name)
        return {
          user: { id: call.user.id, avatar, userName: call.user.userName, nickname: call.user.nickname },
          roles: [...call.user.roles, ...of(false)],
          rolesJf: [...call.user.roles, ...of(true)],
          permissions: call.user.permissions,
          menus: menus as never,
        }
      })
    },

    async userdata(_input, call) {
      return call.read(async (tx) => {
        const { rows } = await tx.query<never>(
          'session.profile',
          `SELECT u.id, u.user_name AS "userName", u.nickname, u.avatar, u.introduction, u.phone, t.name AS "tenantName", u.bc_id, coalesce(c.bc_name, '') AS bc_name,
            ARRAY(SELECT r.name FROM user_roles ur JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id ORDER BY r.name) AS "roleNames",
            extract(epoch FROM u.last_login)::int AS "lastLoginAt"
           FROM users u JOIN tenants t ON t.id = u.tenant_id LEFT JOIN companies c ON c.tenant_id = u.tenant_id AND c.bc_id = u.bc_id WHERE u.tenant_id = $1 AND u.id = $2`,
          [call.user.tenant, call.user.id],
        )
        return rows[0]!
      })
    },

    companylist: async (_input, call) => [{ bc_id: '', bc_name: '全部' }, ...(await branches(call))],
    companylistprebc: async (_input, call) => branches(call),

    async updatePassword({ body }, call) {
      if (body.user_id !== call.user.id) throw outside()
      return call.write(async (tx) => {
        const row = (await tx.query<{ password: string }>('session.password', 'SELECT password FROM users WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [call.user.tenant, call.user.id])).rows[0]
        if (!row || !(await verify(row.password, body.oldPassword))) throw invalid('oldPassword', '原密码不正确')
        if (body.oldPassword === body.newPassword) throw invalid('newPassword', '新密码不能与原密码相同')
        await tx.query('session.newpassword', 'UPDATE users SET password = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2', [call.user.tenant, call.user.id, await protect(body.newPassword)])
        // Every other session of the account ends (quality.md G-19).
        await tx.query('session.others', 'UPDATE sessions SET revoked_at = now() WHERE tenant_id = $1 AND user_id = $2 AND token_hash <> $3 AND revoked_at IS NULL', [call.user.tenant, call.user.id, call.user.tokenHash])
        await tellAccess(tx)
        await call.log(tx, { action: '修改密码', object: 'user', objectId: call.user.id })
        return null
      })
    },
  }
  return serve(sessionApi, handlers)
}

const branches = (call: Parameters<Handlers<typeof sessionApi>['companylist']>[1]) =>
  call.read(async (tx) => {
    const { scope } = call.user
    const { rows } = await tx.query<{ bc_id: string; bc_name: string }>(
      'session.branches',
      `SELECT c.bc_id, c.bc_name FROM companies c WHERE c.tenant_id = $1 AND c.status = 1 AND ($2::uuid[] IS NULL OR c.bc_id = ANY ($2))
        AND ($3::uuid[] IS NULL OR c.bc_id IN (SELECT w.bc_id FROM sites w WHERE w.tenant_id = $1 AND w.id = ANY ($3))) ORDER BY c.sort, c.bc_name`,
      [scope.tenant, scope.bcs, scope.sites],
    )
    return rows
  })
