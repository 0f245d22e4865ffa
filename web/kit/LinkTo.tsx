import { type PageName, PAGES } from '@zhuguan/contract/pages.ts'
import type { AnchorHTMLAttributes } from 'react'

type Query = Readonly<Record<string, string | number | null | undefined>>

/** Where a page stands, with what it is asked. */
export function pathOf(page: PageName, query: Query = {}): string {
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value || value === 0) asked.set(name, String(value))
  // A list of codes stays readable in the address.
  const text = asked.toString().replaceAll('%2C', ',')
  return PAGES[page].path + (text && `?${text}`)
}
export const hrefOf = (page: PageName, query?: Query): string => `#${pathOf(page, query)}`

/** A link to a page by its name. */
export const LinkTo = ({
  page,
  query,
  ...a
}: AnchorHTMLAttributes<HTMLAnchorElement> & { page: PageName; query?: Query }) => (
  <a {...a} href={hrefOf(page, query)} />
)
