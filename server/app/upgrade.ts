import type { Database } from '../database/connect.ts'
import { type Arrived, offer, waiting } from '../database/seed/offer.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { announceAccess } from '../features/session/access.service.ts'
import { writeLog } from '../features/userlogs/userlogs.service.ts'

/** What a release brings new arrives in every group before anybody is served, and the group's log tells of it. */
export async function offerNew(db: Database, catalogue?: Parameters<typeof offer>[2]): Promise<void> {
  const tenants = await db.tx(SYSTEM, (tx) => waiting(tx, catalogue), { readOnly: true })
  for (const tenant of tenants)
    await db.tx(SYSTEM, async (tx) => {
      const arrived: Arrived = await offer(tx, tenant, catalogue)
      const news = Object.fromEntries(Object.entries(arrived).filter(([, all]) => all.length > 0))
      if (Object.keys(news).length === 0) return
      await writeLog(
        tx,
        { tenant, userId: null, userName: '系统升级', ip: '', agent: 'server' },
        { action: '版本更新', object: 'role', objectId: '', after: news },
      )
      announceAccess(tx)
    })
}
