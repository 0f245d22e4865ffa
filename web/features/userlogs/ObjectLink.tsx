import type { LogRow } from '@zhuguan/contract/features/userlogs/userlogs.record.ts'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { useSession } from '../../parts/session.ts'
import { pageOf } from './logWords.ts'

/** The thing that a line is about, as a link where its page may be opened. */
export function ObjectLink({ line }: { line: LogRow }) {
  const [page, query] = pageOf(line) ?? []
  const { info } = useSession()
  // In whichever subsystem it stands: the link leads there.
  if (!page || ![...info.roles, ...info.rolesJf].includes(page)) return <>{line.objectName}</>
  return (
    <LinkTo page={page} query={query ?? {}} onClick={(e) => e.stopPropagation()}>
      {line.objectName}
    </LinkTo>
  )
}
