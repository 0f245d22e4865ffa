import { randomBytes } from 'node:crypto'

import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'

import type { Database, Tx } from '../../database/connect.ts'
import { allowance } from '../../kit/bound.ts'
import { verify } from '../../kit/native.ts'
import { networkOf } from '../../kit/network.ts'
import { invalid, outside, Refused } from '../../kit/refuse.ts'
import { bool, float8, row, text, texts, uuid } from '../../kit/row.ts'
import { type Call, type Handlers, serve } from '../../kit/serve.ts'
import { epoch } from '../../kit/statement.ts'
import { writeLog } from '../userlogs/userlogs.service.ts'
import { SYSTEM } from './access.reads.ts'
import { tellAccess } from './access.service.ts'
import { clearFailures, comesFrom, giveBack, takeGuess, takeOwnGuess } from './failures.service.ts'
import { accountLinked, linkIdentity, readTicket, ticketFor } from './identities.service.ts'
import type { OidcProvider } from './oidc.service.ts'
import { nobodysPassword, protect } from './passwords.service.ts'
import { pictureCookies, viewerOf } from './picture-cookie.ts'
import { type Account, accountByName, menusOf } from './session.queries.ts'
import { openSession } from './sign-in.service.ts'
import { beginTotp, confirmTotp, dropTotp, spendCode } from './totp.service.ts'

const WRONG = '账号或密码不正确'
const ACTIVE = 1
const WAIT_SECONDS = 300

/** The browser that began a sign-in with a company account. */
const BEGUN = 'sso-begun'

export interface SessionOptions {
  db: Database
  sessionMinutes: number
  secretKey: Buffer
  oidc: OidcProvider | null
  now: () => Date
  /** This server forgets at once; the others when they hear of it. */
}

/** Sessions that an account begins in an hour, and sign-ins by the company's account that a network begins. */
const SESSIONS = 600
const BEGUN_SIGN_INS = 3_000
const HOUR_MS = 3_600_000

export function sessionFeature({ db, sessionMinutes, secretKey, oidc, now }: SessionOptions) {
  // A name that does not exist costs the same time as one that does.
  const decoy = nobodysPassword()
  const asTenant = (tenant: string) => ({ ...SYSTEM, tenant, system: false })

  const sessions = allowance(SESSIONS, HOUR_MS, '这个账号一小时内登录的次数太多，请稍后再试')
  const begun = allowance(BEGUN_SIGN_INS, HOUR_MS, '从这个网络地址登录的次数太多，请稍后再试')
  const tooMany = () => new Refused('密码或验证码错误次数太多，请 5 分钟后再试', 429, 429, null, WAIT_SECONDS)
  /** What somebody who is signed in says of their own secrets is a guess too: counted before it is judged. */
  async function guessing<T>(call: Call, judge: () => Promise<T>): Promise<T> {
    const guess = await db.tx(SYSTEM, (tx) => takeOwnGuess(tx, call.user.id, call.user.tokenHash))
    if (!guess) throw tooMany()
    const judged = await judge()
    await db.tx(SYSTEM, (tx) => giveBack(tx, guess))
    return judged
  }

  /** A wrong guess is written to the account's log where there is one. */
  async function failed(call: Call, account: Account | undefined): Promise<void> {
    if (account)
      await db.tx(asTenant(account.tenant_id), (tx) =>
        writeLog(
          tx,
          {
            tenant: account.tenant_id,
            userId: account.id,
            userName: account.user_name,
            ip: call.ip,
            agent: call.agent,
          },
          { action: '登录', object: 'user', objectId: account.id, outcome: 'refused' },
        ),
      )
  }

  const sealedOf = async (tx: Tx, call: Call): Promise<string | null | undefined> =>
    (
      await tx.query(
        'session.totp',
        row({ totp: text.null }),
        'SELECT totp FROM users WHERE tenant_id = $1 AND id = $2 FOR UPDATE',
        [call.user.tenant, call.user.id],
      )
    ).rows[0]?.totp
  /** A secret in force is replaced by who holds it: a session alone, which may be stolen, is not enough. */
  const provedWrite = <T>(
    call: Call,
    current: string | undefined,
    write: (tx: Tx) => Promise<T>,
  ): Promise<T> =>
    guessing(call, () =>
      call.write(async (tx) => {
        const sealed = await sealedOf(tx, call)
        if (sealed && !current) throw invalid('current', '已经开启动态验证码，请同时输入原来的动态验证码')
        if (sealed && !(await spendCode(tx, secretKey, call.user, sealed, current!, now())))
          throw invalid('current', '原来的动态验证码不正确或已经用过')
        return write(tx)
      }),
    )

  const cookies = pictureCookies(secretKey)
  const isSecure = (call: Call) => call.request.protocol === 'https'
  const handlers: Handlers<typeof sessionApi> = {
    async login({ body }, call) {
      const linked = body.ticket ? readTicket(secretKey, body.ticket, now()) : null
      const { guess, account } = await db.tx(SYSTEM, async (tx) => {
        const named = await accountByName(tx, body.username)
        const isKnown = !!named && (await comesFrom(tx, { tenant: named.tenant_id, id: named.id }, call.ip))
        return { account: named, guess: await takeGuess(tx, call.ip, body.username, isKnown) }
      })
      if (!guess) throw tooMany()
      const right = await verify(account?.password ?? decoy, body.password)
      if (!account || !right || account.status !== ACTIVE) {
        await failed(call, account)
        throw new Refused(WRONG, 400)
      }
      if (account.totp && !body.code) {
        await db.tx(SYSTEM, (tx) => giveBack(tx, guess))
        throw new Refused('请输入动态验证码', 400, 200, { totp: true })
      }
      sessions.spend(account.id, now())
      const token = await db.tx(asTenant(account.tenant_id), async (tx) => {
        if (
          account.totp &&
          !(await spendCode(
            tx,
            secretKey,
            { tenant: account.tenant_id, id: account.id },
            account.totp,
            body.code!,
            now(),
          ))
        )
          return null
        if (linked && !(await linkIdentity(tx, linked, { tenant: account.tenant_id, id: account.id })))
          throw new Refused('这个企业账号已经绑定了别的账号，请联系系统管理员', 400)
        return openSession(tx, call, account, sessionMinutes, 'password')
      })
      if (!token) {
        await failed(call, account)
        throw new Refused('动态验证码不正确或已经用过', 400, 200, { totp: true })
      }
      await db.tx(SYSTEM, async (tx) => clearFailures(tx, guess))
      return { token, tenant_id: account.tenant_id }
    },

    async ssoBegin(_input, call) {
      if (!oidc) throw new Refused('没有配置企业账号登录', 404, 404)
      begun.spend(networkOf(call.ip), now())
      const browser = randomBytes(24).toString('base64url')
      const secure = call.request.protocol === 'https' ? '; Secure' : ''
      call.reply.header(
        'set-cookie',
        `${BEGUN}=${browser}; Path=/user/system/auth; Max-Age=600; HttpOnly; SameSite=Strict${secure}`,
      )
      return { url: await oidc.begin(db, browser, now()) }
    },
    async ssoFinish({ body }, call) {
      if (!oidc) throw new Refused('没有配置企业账号登录', 404, 404)
      const { code, state, ticket, totp } = body
      if (!ticket && (!code || !state)) throw invalid('code', '企业登录服务没有带回授权码，请重试')
      const browser = new RegExp(`(?:^|; )${BEGUN}=([\\w-]{32})(?:;|$)`).exec(
        call.request.headers.cookie ?? '',
      )?.[1]
      const who = ticket
        ? readTicket(secretKey, ticket, now())
        : await oidc.finish(db, { code: code!, state: state!, browser: browser ?? '' }, now())
      const kept = ticketFor(secretKey, who, now())
      const account = await db.tx(
        SYSTEM,
        async (tx) => {
          const name = await accountLinked(tx, who)
          return name === undefined ? undefined : accountByName(tx, name)
        },
        { readOnly: true },
      )
      if (!account)
        throw new Refused(
          `企业账号 ${who.name} 还没有绑定。请在这里用账号密码登录一次，以后就可以直接用企业账号登录`,
          400,
          200,
          { ticket: kept },
        )
      if (account.status !== ACTIVE) throw new Refused('这个账号已停用，请联系系统管理员', 400)
      const open = () => {
        sessions.spend(account.id, now())
        return db.tx(asTenant(account.tenant_id), async (tx) => {
          const person = { tenant: account.tenant_id, id: account.id }
          if (account.totp && !(await spendCode(tx, secretKey, person, account.totp, totp!, now())))
            return null
          return openSession(tx, call, account, sessionMinutes, 'sso')
        })
      }
      if (!account.totp) return { token: (await open())!, tenant_id: account.tenant_id }
      if (!totp) throw new Refused('请输入动态验证码', 400, 200, { totp: true, ticket: kept })
      const guess = await db.tx(SYSTEM, (tx) => takeOwnGuess(tx, account.id, undefined))
      if (!guess) throw tooMany()
      const token = await open()
      if (!token) {
        await failed(call, account)
        throw new Refused('动态验证码不正确或已经用过', 400, 200, { totp: true, ticket: kept })
      }
      await db.tx(SYSTEM, async (tx) => clearFailures(tx, guess))
      return { token, tenant_id: account.tenant_id }
    },

    totpBegin: async (_input, call) => beginTotp(secretKey, call.user, now()),
    totpConfirm: ({ body }, call) =>
      provedWrite(call, body.current, async (tx) => {
        await confirmTotp(tx, secretKey, call.user, body.ticket, body.code, now())
        await call.log(tx, { action: '开启动态验证码', object: 'user', objectId: call.user.id })
        return null
      }),
    totpOff: ({ body }, call) =>
      guessing(call, () =>
        call.write(async (tx) => {
          const sealed = await sealedOf(tx, call)
          if (!sealed || !(await spendCode(tx, secretKey, call.user, sealed, body.code, now())))
            throw invalid('code', '动态验证码不正确或已经用过')
          await dropTotp(tx, call.user)
          await call.log(tx, { action: '关闭动态验证码', object: 'user', objectId: call.user.id })
          return null
        }),
      ),

    async logout(_input, call) {
      await call.write(async (tx) => {
        await tx.run('session.close', 'UPDATE sessions SET revoked_at = :now WHERE token_hash = $1', [
          call.user.tokenHash,
        ])
        tellAccess(tx, call)
        await call.log(tx, { action: '退出登录', object: 'user', objectId: call.user.id })
      })
      call.reply.header('set-cookie', cookies.drop(call.user.tokenHash, isSecure(call)))
      return null
    },

    async permissionInfo(_input, call) {
      const { tokenHash } = call.user
      call.reply.header('set-cookie', cookies.make(tokenHash, sessionMinutes * 60, isSecure(call)))
      return call.read(async (tx) => {
        const menus = await menusOf(tx, call.user.tenant, call.user.id)
        const avatar = (
          await tx.query(
            'session.avatar',
            row({ avatar: text }),
            'SELECT avatar FROM users WHERE tenant_id = $1 AND id = $2',
            [call.user.tenant, call.user.id],
          )
        ).rows[0]!.avatar
        const names = await tx.query(
          'session.names',
          row({ system: text, name: text }),
          `SELECT DISTINCT p.system, p.component_name AS name
           FROM pages p
           JOIN role_pages rp ON rp.tenant_id = p.tenant_id AND rp.page_id = p.id
           JOIN user_roles ur ON ur.tenant_id = rp.tenant_id AND ur.role_id = rp.role_id
           JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id AND r.status = 1
           WHERE p.tenant_id = $1 AND ur.user_id = $2 AND p.component_name <> ''`,
          [call.user.tenant, call.user.id],
        )
        const of = (jf: boolean) => names.rows.filter((r) => (r.system === 'jf') === jf).map((r) => r.name)
        return {
          user: {
            id: call.user.id,
            avatar,
            userName: call.user.userName,
            nickname: call.user.nickname,
            mustChange: call.user.mustChange,
            standsFor: call.user.standsFor,
          },
          roles: [...call.user.roles, ...of(false)],
          rolesJf: [...call.user.roles, ...of(true)],
          permissions: call.user.permissions,
          viewer: viewerOf(tokenHash),
          menus,
        }
      })
    },

    async userdata(_input, call) {
      return call.read(async (tx) => {
        const { rows } = await tx.query(
          'session.profile',
          row({
            id: uuid,
            userName: text,
            nickname: text,
            avatar: text,
            introduction: text,
            phone: text,
            tenantName: text,
            bc_id: uuid.null,
            bc_name: text,
            roleNames: texts,
            lastLoginAt: float8,
            totp: bool,
          }),
          `SELECT u.id, u.user_name AS "userName", u.nickname, u.avatar, u.introduction, u.phone, t.name AS "tenantName", u.bc_id, coalesce(c.bc_name, '') AS bc_name,
            ARRAY(SELECT r.name FROM user_roles ur JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id ORDER BY r.name) AS "roleNames",
            ${epoch('u.last_login')} AS "lastLoginAt", u.totp IS NOT NULL AS totp
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
      return guessing(call, () =>
        call.write(async (tx) => {
          const known = (
            await tx.query(
              'session.password',
              row({ password: text }),
              'SELECT password FROM users WHERE tenant_id = $1 AND id = $2 FOR UPDATE',
              [call.user.tenant, call.user.id],
            )
          ).rows[0]
          if (!known || !(await verify(known.password, body.oldPassword)))
            throw invalid('oldPassword', '原密码不正确')
          if (body.oldPassword === body.newPassword) throw invalid('newPassword', '新密码不能与原密码相同')
          await tx.run(
            'session.newpassword',
            `UPDATE users
             SET password = $3, must_change = false, version = version + 1
             WHERE tenant_id = $1 AND id = $2`,
            [call.user.tenant, call.user.id, await protect(body.newPassword)],
          )
          // Every other session of the account ends (docs/figures.md, G-19).
          await tx.run(
            'session.others',
            `UPDATE sessions
             SET revoked_at = :now
             WHERE tenant_id = $1 AND user_id = $2 AND token_hash <> $3 AND revoked_at IS NULL`,
            [call.user.tenant, call.user.id, call.user.tokenHash],
          )
          tellAccess(tx, call)
          await call.log(tx, { action: '修改密码', object: 'user', objectId: call.user.id })
          return null
        }),
      )
    },
  }
  return serve(sessionApi, handlers)
}

const branches = (call: Parameters<Handlers<typeof sessionApi>['companylist']>[1]) =>
  call.read(async (tx) => {
    const { scope } = call.user
    const { rows } = await tx.query(
      'session.branches',
      row({ bc_id: uuid, bc_name: text }),
      `SELECT c.bc_id, c.bc_name FROM companies c WHERE c.tenant_id = $1 AND c.status = 1 AND ($2::uuid[] IS NULL AND $3::uuid[] IS NULL OR c.bc_id = ANY ($2)
        OR c.bc_id IN (SELECT w.bc_id FROM sites w WHERE w.tenant_id = $1 AND w.id = ANY ($3))) ORDER BY c.sort, c.bc_name`,
      [scope.tenant, scope.bcs, scope.sites],
    )
    return rows
  })
