import type { Tx } from '../../database/connect.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { nobody, SYSTEM_NAME } from '../../kit/nobody.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import type { Caller } from '../../kit/serve.ts'
import { writeLog } from './userlogs.service.ts'

/** The system's own work as a call: it reaches its whole group, has no right, and its log says who it was. */
export const systemCall = (tx: Tx, tenant: string): Caller => ({
  newId: uuidv7,
  now: () => tx.now,
  user: nobody(tenant, SYSTEM_NAME, wholeGroup(tenant)),
  log: (t, line) => writeLog(t, { tenant, userId: null, userName: SYSTEM_NAME, ip: '', agent: '' }, line),
})
