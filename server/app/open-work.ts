import { caseQueues } from '../features/cases/cases.work.ts'
import {
  backQueue,
  closingQueue,
  settlingQueue,
  signingQueue,
  takingQueue,
} from '../features/contracts/contracts.work.ts'
import { correctionQueues, correctionsWork } from '../features/corrections/corrections.work.ts'
import { customersWork, poolQueue } from '../features/customers/customers.work.ts'
import { retrievalsWork } from '../features/devices/retrievals.work.ts'
import { acceptanceQueue, arrivalQueue, shippingQueue } from '../features/dispatch/dispatch.work.ts'
import { examineQueue } from '../features/examine/examine.work.ts'
import { feedbackQueues, feedbackWork, followedBesides } from '../features/feedback/feedback.work.ts'
import { answeringQueue } from '../features/goods/goods.work.ts'
import { stewardsQueue } from '../features/handovers/handovers.work.ts'
import { askedQueues, placingQueue, receivingQueue } from '../features/orders/orders.work.ts'
import { devicesQueue, grantsQueue } from '../features/owners/owners.work.ts'
import { patrolsWork } from '../features/patrols/patrols.work.ts'
import { personQueues } from '../features/persons/persons.work.ts'
import { objectionsQueue, promisesWork } from '../features/promises/promises.work.ts'
import { questionQueues } from '../features/questions/questions.work.ts'
import { quotationsWork } from '../features/quotations/quotations.work.ts'
import { receptionsWork } from '../features/receptions/receptions.work.ts'
import { sitesWork } from '../features/sites/sites.work.ts'
import { confirmingQueue, payingQueue, statementsQueue } from '../features/statements/statements.work.ts'
import { repliesQueue } from '../features/threads/threads.work.ts'
import { deputyBesides } from '../features/users/absences.service.ts'
import type { WorkDeps } from '../features/users/open-work.service.ts'
import { violationsQueue } from '../features/violations/violations.work.ts'
import { visitsQueue } from '../features/visitors/visitors.work.ts'
import { facesQueue } from '../features/workers/workers.work.ts'
import { SITE_LIFE } from './site-lives.ts'

/** Whose records wait for one person, and what waits for whoever has a right; handed over in this order. */
export const OPEN_WORK: WorkDeps = {
  // A site's corrections go before the site: who leads it next takes over what is left, and what is promised there.
  work: [
    correctionsWork,
    feedbackWork,
    sitesWork(SITE_LIFE),
    promisesWork,
    receptionsWork,
    patrolsWork,
    retrievalsWork,
    quotationsWork,
    customersWork,
  ],
  besides: [deputyBesides, followedBesides],
  queues: [
    poolQueue,
    placingQueue,
    receivingQueue,
    ...askedQueues,
    shippingQueue,
    arrivalQueue,
    acceptanceQueue,
    answeringQueue,
    examineQueue,
    ...correctionQueues,
    violationsQueue,
    objectionsQueue,
    ...feedbackQueues,
    repliesQueue,
    ...questionQueues,
    devicesQueue,
    grantsQueue,
    visitsQueue,
    facesQueue,
    stewardsQueue,
    ...caseQueues,
    ...personQueues,
    takingQueue,
    signingQueue,
    backQueue,
    settlingQueue,
    closingQueue,
    statementsQueue,
    confirmingQueue,
    payingQueue,
  ],
}
