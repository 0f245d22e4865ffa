import { driverLink } from '../features/dispatch/driver-link.ts'
import { ownerLink } from '../features/owners/owner-link.ts'
import { quotationLink } from '../features/quotations/quotation-link.ts'
import { tellOpened } from '../features/shares/opened.service.ts'
import { previewLink } from '../features/shares/preview-link.ts'
import { shareLink } from '../features/shares/share-link.ts'
import type { LinkKinds } from '../kit/link-kind.ts'

/** The records that a link without an account may lead to, one line a kind. */
export const LINK_KINDS: LinkKinds = {
  driver: driverLink,
  owner: ownerLink,
  share: shareLink,
  preview: previewLink,
  quotation: { ...quotationLink, opened: tellOpened },
}
