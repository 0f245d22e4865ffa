import type { ReactNode } from 'react'

import './facts.css'

/** Facts in two columns, their names in grey. */
export const Facts = ({ className = '', children }: { className?: string; children: ReactNode }) => (
  <dl className={`facts ${className}`}>{children}</dl>
)
/** One of them; what is not known is a dash. */
export const Fact = ({
  name,
  whole,
  children,
}: {
  name: string
  /** Both columns wide. */
  whole?: boolean
  children: ReactNode
}) => (
  <div className={whole ? 'whole-row' : undefined}>
    <dt>{name}</dt>
    <dd>{children || children === 0 ? children : '--'}</dd>
  </div>
)
