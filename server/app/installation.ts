import { createHmac } from 'node:crypto'

import type { Database } from '../database/connect.ts'
import { databaseNow } from '../database/own-clock.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { row, text } from '../kit/row.ts'

const MOST_APART_MS = 2 * 60_000

/** Servers of one database, and one that was set up anew, work with the same key or not at all. */
export async function refuseOtherKey(db: Database, secretKey: Buffer, dataDir: string): Promise<void> {
  const mine = createHmac('sha256', secretKey).update('installation').digest('base64url')
  const { rows } = await db.tx(SYSTEM, async (tx) => {
    tx.send('installation.first', 'INSERT INTO installation (key_print) VALUES ($1) ON CONFLICT DO NOTHING', [
      mine,
    ])
    return tx.query(
      'installation.key',
      row({ print: text }),
      'SELECT key_print AS print FROM installation',
      [],
    )
  })
  if (rows[0]!.print !== mine)
    throw new Error(
      `${dataDir}/secret.key 不是这个库的密钥：设备的密钥会读不出来，操作日志会被判为篡改。请把原来的 secret.key 拷到这里（几台服务器共用一个库时要用同一份），或从备份恢复`,
    )
}

/** A server whose clock is wrong would forget what is to be kept and count days that have not been. */
export async function refuseWrongClock(db: Database, now: () => Date): Promise<void> {
  const ms = now().getTime() - (await databaseNow(db, SYSTEM)).getTime()
  if (Math.abs(ms) > MOST_APART_MS)
    throw new Error(
      `这台机器的时钟比数据库${ms > 0 ? '快' : '慢'} ${Math.round(Math.abs(ms) / 60_000)} 分钟，请先校准时钟再启动`,
    )
}
