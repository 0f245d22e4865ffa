import type { EvidenceRow } from '@zhuguan/contract/features/supervision/supervision.record.ts'
import { type Link, linkTo } from '@zhuguan/contract/links.ts'

type Of = Pick<EvidenceRow, 'id' | 'kind' | 'site_id'>
/** The page on which a record stands by itself. */
export const linkOf = ({ id, kind, site_id }: Of): Link => {
  switch (kind) {
    case 'site':
      return linkTo('SiteInfo', { id })
    case 'task':
      return linkTo('PatrolRecord', { view: 'tasks', id })
    case 'correction':
      return linkTo('Correction', { id })
    case 'thread':
      return linkTo('OwnerInteract', { site_id })
    case 'feedback':
      return linkTo('FeedbackList', { id })
    case 'promise':
      return linkTo('PromiseList', { id })
    case 'warning':
      return linkTo('WarningList', { id })
  }
}
