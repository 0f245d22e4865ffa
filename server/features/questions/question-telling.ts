import { linkTo } from '@zhuguan/contract/links.ts'

import type { LockedQuestion } from './questions.queries.ts'

type Asked = Pick<LockedQuestion, 'asker_id' | 'bc_id' | 'id' | 'site_id' | 'steward_id'>
/** What every message about a question has in common. */
export const noticeOf = (q: Asked) => ({
  link: linkTo('OwnerInfo', { site_id: q.site_id }),
  cause: { kind: 'question', id: q.id } as const,
  place: { bc_id: q.bc_id, site_id: q.site_id },
  named: { asker: q.asker_id, steward: q.steward_id },
})
export const whatOf = (q: Pick<LockedQuestion, 'siteName' | 'words'>) => `${q.siteName} 问业主的“${q.words}”`
