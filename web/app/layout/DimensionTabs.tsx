import { type Page, type PageName, PAGES } from '@zhuguan/contract/pages.ts'
import { useLocation } from 'react-router'

import { barePart } from '../../kit/barePart.tsx'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { useSession } from '../../parts/session.ts'
import { recordOf } from '../tabs.ts'

/** What a worker's tabs ask of the worker comes with them: the pages of everybody's first minute have no use for it. */
const WorkerTabs = barePart(() => import('./WorkerTabs.tsx'))
const pages = Object.entries(PAGES) as [PageName, Page][]

/** The other pages about the same worker or site, of those that the person may open. */
export function DimensionTabs({ page: name }: { page: PageName }) {
  const { search } = useLocation()
  const page = PAGES[name]
  const id = recordOf(page, search)
  if (!id) return null
  return page.dimension === 'worker' ? <WorkerTabs page={name} id={id} /> : <Tabs page={name} id={id} />
}

/** `leads`: of a worker, whether they lead sites, as far as it is known. */
export function Tabs({ page: name, id, leads }: { page: PageName; id: string; leads?: boolean | undefined }) {
  const { info } = useSession()
  const page = PAGES[name]
  const tabs = pages
    .filter(([n, p]) => p.dimension && p.dimension === page.dimension && info.roles.includes(n))
    .filter(([, p]) => p.leaders === undefined || p.leaders === leads)
    // The facts come first.
    .toSorted(([, a], [, b]) => Number(!!a.names) - Number(!!b.names))
  if (tabs.length < 2) return null
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
