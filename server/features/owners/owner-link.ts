import type { LinkKind } from '../../kit/link-kind.ts'
import { showsCase } from '../cases/home-cases.reads.ts'
import { isInThread } from '../threads/thread-pictures.reads.ts'
import { contactLives, contactTarget, deviceBehind, heldBranch, homeUntil } from './home-devices.queries.ts'
import { tellOfNewLink } from './home-devices.service.ts'
import { showsPicture } from './home-page.queries.ts'
import { showsQuestion } from './home-questions.queries.ts'
import { showsStill } from './looks.service.ts'

/** An owner's link leads to one contact of a home, who has one at a time. */
export const ownerLink: LinkKind = {
  find: contactTarget,
  lives: contactLives,
  until: homeUntil,
  held: heldBranch,
  alone: true,
  madeBy: tellOfNewLink,
  isLetIn: async (tx, link) => (await deviceBehind(tx, link.tenant, link.id, link.device))?.state === 'bound',
  shows: async (tx, link, key, now) =>
    (await showsPicture(tx, link, key)) ||
    (await showsQuestion(tx, link, key)) ||
    (await showsCase(tx, link, key)) ||
    (await isInThread(tx, link, key)) ||
    showsStill(tx, link, key, now),
}
