import { type Asked, linkTo } from '@zhuguan/contract/links.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'
import type { AnchorHTMLAttributes } from 'react'

export const hrefOf = <P extends PageName>(page: P, query?: Asked<P>): string => `#${linkTo(page, query)}`

/** A link to a page by its name. */
export const LinkTo = <P extends PageName>({
  page,
  query,
  ...a
}: AnchorHTMLAttributes<HTMLAnchorElement> & { page: P; query?: Asked<P> | undefined }) => (
  <a {...a} href={hrefOf(page, query)} />
)
