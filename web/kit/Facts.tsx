import type { ReactNode } from 'react'

/** Facts in two columns, their names in grey. */
export const Facts = ({ className = '', children }: { className?: string; children: ReactNode }) => (
  <dl className={`facts ${className}`}>{children}</dl>
)
/** One of them; what is not known is a dash. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children === '' || children === null || children === undefined ? '--' : children}</dd>
  </div>
)
