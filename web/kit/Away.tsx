import type { ReactNode } from 'react'

/** A figure on a wall: a click opens what it counts in a tab beside it, where there is something to open. */
export const Away = ({ href, children }: { href: string | undefined; children: ReactNode }) =>
  href ? (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  ) : (
    <>{children}</>
  )
