import { correctionsQueue, alarmsQueue, correctionsWork } from '../features/corrections/corrections.work.ts'
import { retrievalsWork } from '../features/devices/retrievals.work.ts'
import { acceptanceQueue } from '../features/dispatch/dispatch.work.ts'
import { examineQueue } from '../features/examine/examine.work.ts'
import { placingQueue, receivingQueue } from '../features/orders/orders.work.ts'
import { patrolsWork } from '../features/patrols/patrols.work.ts'
import { quotationsWork } from '../features/quotations/quotations.work.ts'
import { sitesWork } from '../features/sites/sites.work.ts'
import type { WorkDeps } from '../features/users/open-work.service.ts'

/** Whose records wait for one person, and what waits for whoever has a right; handed over in this order. */
export const OPEN_WORK: WorkDeps = {
  // A site's corrections go before the site: who leads it next takes over what is left.
  work: [correctionsWork, sitesWork, patrolsWork, retrievalsWork, quotationsWork],
  queues: [placingQueue, receivingQueue, acceptanceQueue, examineQueue, alarmsQueue, correctionsQueue],
}
