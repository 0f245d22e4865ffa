import { useQuery } from '@tanstack/react-query'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { leadsSites } from '@zhuguan/contract/features/workers/workers.record.ts'
import { type Page, type PageName, PAGES } from '@zhuguan/contract/pages.ts'
import { useLocation } from 'react-router'

import { call } from '../../kit/api.ts'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { useSession } from '../../parts/session.ts'

const pages = Object.entries(PAGES) as [PageName, Page][]

/** The other pages about the same worker or site, of those that the person may open. */
export function DimensionTabs({ page: name }: { page: PageName }) {
  const { info } = useSession()
  const { search } = useLocation()
  const page = PAGES[name]
  const id = new URLSearchParams(search).get(page.names ?? 'id')
  const { data: worker } = useQuery({
    queryKey: [workersApi.details.path, id],
    enabled: !!id && page.dimension === 'worker',
    queryFn: ({ signal }) => call(workersApi.details, { query: { id: id! } }, signal),
  })
  const leads = worker && leadsSites(worker)
  const tabs = pages
    .filter(([n, p]) => p.dimension && p.dimension === page.dimension && info.roles.includes(n))
    .filter(([, p]) => p.leaders === undefined || p.leaders === leads)
    // The facts come first.
    .toSorted(([, a], [, b]) => Number(!!a.names) - Number(!!b.names))
  if (!id || tabs.length < 2) return null
  return (
    <nav className="dimension" aria-label={`${page.title}的其他页面`}>
      {tabs.map(([n, p]) => (
        <a key={n} href={hrefOf(n, { [p.names ?? 'id']: id })} aria-current={n === name ? 'page' : undefined}>
          {p.title}
        </a>
      ))}
    </nav>
  )
}
