import { randomBytes } from 'node:crypto'

import type { Tx } from '../../database/connect.ts'
import { row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { notify } from '../notifications/notifications.service.ts'
import { writeLog } from '../userlogs/userlogs.service.ts'
import { hashToken } from './access.reads.ts'
import type { Account } from './session.queries.ts'

/** The browser and system of an agent, without its versions: an update is not a new place. */
const machineOf = (agent: string): string => agent.replace(/[\d._]+/g, '').slice(0, 200)
const PLACE = /^(\d+\.\d+\.\d+)\.\d+$/
const network = (ip: string): string => PLACE.exec(ip)?.[1] ?? ip
const REMEMBERED = 50

/** Opens a session: the token is told once and kept as a hash. Somebody who has signed in before is told of a place that is new. */
export async function openSession(
  tx: Tx,
  call: Call,
  account: Account,
  minutes: number,
  via: 'password' | 'sso',
): Promise<string> {
  const now = call.now()
  const token = randomBytes(32).toString('base64url')
  const key = [account.tenant_id, account.id]
  const { rows } = await tx.query(
    'signin.places',
    row({ ip: text, agent: text }),
    `SELECT ip, agent FROM sessions WHERE tenant_id = $1 AND user_id = $2 ORDER BY created_at DESC LIMIT ${REMEMBERED}`,
    key,
  )
  const known = rows.some(
    (r) => network(r.ip) === network(call.ip) && machineOf(r.agent) === machineOf(call.agent),
  )
  await tx.run(
    'signin.open',
    `INSERT INTO sessions (token_hash, tenant_id, user_id, expires_at, ip, agent, via, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, :now)`,
    [
      hashToken(token),
      ...key,
      new Date(now.getTime() + minutes * 60_000),
      call.ip,
      call.agent.slice(0, 200),
      via,
    ],
  )
  tx.send('signin.seen', 'UPDATE users SET last_login = $3 WHERE tenant_id = $1 AND id = $2', [...key, now])
  if (rows.length > 0 && !known)
    await notify(tx, {
      tenant: account.tenant_id,
      user: account.id,
      title: `您的账号在新的地点登录（${call.ip}）。如果不是您本人，请立即修改密码`,
      link: '',
      personal: true,
    })
  await writeLog(
    tx,
    {
      tenant: account.tenant_id,
      userId: account.id,
      userName: account.user_name,
      ip: call.ip,
      agent: call.agent,
    },
    {
      action: via === 'sso' ? '企业账号登录' : '登录',
      object: 'user',
      objectId: account.id,
      ...(rows.length > 0 && !known ? { after: { newPlace: true } } : {}),
    },
  )
  return token
}
