import { driverLink } from '../features/dispatch/driver-link.ts'
import { ownerLink } from '../features/owners/owner-link.ts'
import type { LinkKinds } from '../kit/link-kind.ts'

/** What a link without an account may lead to, one line a kind. */
export const LINK_KINDS: LinkKinds = { driver: driverLink, owner: ownerLink }
