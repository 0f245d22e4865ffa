import { type PageName, PAGES } from '@zhuguan/contract/pages.ts'
import type { AnchorHTMLAttributes } from 'react'

import { queryText } from './query.ts'

type Query = Readonly<Record<string, string | number | null | undefined>>

/** Where a page stands, with what it is asked. */
export const pathOf = (page: PageName, query: Query = {}): string => PAGES[page].path + queryText(query)
export const hrefOf = (page: PageName, query?: Query): string => `#${pathOf(page, query)}`

/** A link to a page by its name. */
export const LinkTo = ({
  page,
  query,
  ...a
}: AnchorHTMLAttributes<HTMLAnchorElement> & { page: PageName; query?: Query }) => (
  <a {...a} href={hrefOf(page, query)} />
)
