import { randomBytes } from 'node:crypto'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { connect } from '../database/connect.ts'
import { databaseNow } from '../database/own-clock.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { refuseOtherKey, refuseWrongClock } from './installation.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('servers of one database have one key: the first says which, another is refused', async () => {
  await refuseOtherKey(server.db, server.secretKey, '/first')
  await refuseOtherKey(server.db, server.secretKey, '/second')
  await expect(refuseOtherKey(server.db, randomBytes(32), '/third')).rejects.toThrow(
    '/third/secret.key 不是这个库的密钥',
  )
  await refuseOtherKey(server.db, server.secretKey, '/first')
  const kept = await server.sql<{ key_print: string }>('SELECT key_print FROM installation')
  expect(kept).toHaveLength(1)
  expect(kept[0]!.key_print).not.toContain(server.secretKey.toString('base64url'))
})

test('a server whose clock is minutes away from the database’s does not start', async () => {
  const db = connect(server.logins, { max: 1, now: server.now })
  try {
    const right = await databaseNow(db, SYSTEM)
    const off = (minutes: number) => () => new Date(right.getTime() + minutes * 60_000)
    await refuseWrongClock(db, off(1))
    await expect(refuseWrongClock(db, off(9 * 1_440))).rejects.toThrow('比数据库快 12960 分钟')
    await expect(refuseWrongClock(db, off(-30))).rejects.toThrow('比数据库慢 30 分钟')
  } finally {
    await db.close()
  }
})
