import type { Database } from '../database/connect.ts'
import { databaseNow } from '../database/own-clock.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { row, text } from '../kit/row.ts'
import { heldKey, otherKey, printOf, readSecretKey } from '../kit/secret.ts'

export async function knownPrint(db: Database): Promise<string | undefined> {
  const { rows } = await db.tx(
    SYSTEM,
    (tx) =>
      tx.query('installation.print', row({ print: text }), 'SELECT key_print AS print FROM installation', []),
    { readOnly: true },
  )
  return rows[0]?.print
}
/** The key of this database, for whoever starts a server on it: made only where no server has ever started. */
export async function ownKey(db: Database, dataDir: string): Promise<Buffer> {
  const print = await knownPrint(db)
  return print === undefined ? readSecretKey(dataDir) : heldKey(print, dataDir)
}

const MOST_APART_MS = 2 * 60_000

/** Servers of one database, and one that was set up anew, work with the same key or not at all. */
export async function refuseOtherKey(db: Database, secretKey: Buffer, dataDir: string): Promise<void> {
  await db.tx(SYSTEM, async (tx) => {
    tx.send('installation.first', 'INSERT INTO installation (key_print) VALUES ($1) ON CONFLICT DO NOTHING', [
      printOf(secretKey),
    ])
  })
  if ((await knownPrint(db)) !== printOf(secretKey)) throw otherKey(dataDir)
}

/** A server whose clock is wrong would forget what is to be kept and count days that have not been. */
export async function refuseWrongClock(db: Database, now: () => Date): Promise<void> {
  const ms = now().getTime() - (await databaseNow(db, SYSTEM)).getTime()
  if (Math.abs(ms) > MOST_APART_MS)
    throw new Error(
      `这台机器的时钟比数据库${ms > 0 ? '快' : '慢'} ${Math.round(Math.abs(ms) / 60_000)} 分钟，请先校准时钟再启动`,
    )
}
