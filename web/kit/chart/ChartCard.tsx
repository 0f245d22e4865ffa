import { type ReactNode, useState } from 'react'

import { AsTable } from './charts.tsx'

import './chart.css'

interface Props {
  title: string
  /** Small and grey beside the title: period, sample. */
  note?: ReactNode
  /** The query behind it, as useQuery answers it. */
  of?: { isPending: boolean; error: Error | null; refetch: () => unknown }
  /** The sentence to show instead, when there is nothing to draw. */
  empty?: string | false | undefined
  /** Beside the switch: a filter, an export. */
  tools?: ReactNode
  children: ReactNode
}

/** Title, chart, and the same data as a table (docs/looks.md: a table view behind every chart). */
export function ChartCard({ title, note, of, empty, tools, children }: Props) {
  const [table, setTable] = useState(false)
  return (
    <section className="card section chart-card" aria-busy={of?.isPending}>
      <h2>
        {title}
        {note && <small>{note}</small>}
        <span className="chart-tools">
          {tools}
          <span className="switch" role="group" aria-label={`${title}的显示方式`}>
            <button aria-pressed={!table} onClick={() => setTable(false)}>
              图
            </button>
            <button aria-pressed={table} onClick={() => setTable(true)}>
              表
            </button>
          </span>
        </span>
      </h2>
      <Body of={of} empty={empty}>
        <AsTable value={table}>{children}</AsTable>
      </Body>
    </section>
  )
}

/** The chart, or why it is not there. */
function Body({ of, empty, children }: Pick<Props, 'of' | 'empty' | 'children'>) {
  if (of?.isPending) return <div className="plot wait" aria-hidden="true" />
  if (of?.error)
    return (
      <div className="empty" role="alert">
        <p className="quiet">{of.error.message}</p>
        <button className="button" onClick={() => void of.refetch()}>
          重试
        </button>
      </div>
    )
  if (empty)
    return (
      <div className="empty">
        <p className="quiet">{empty}</p>
      </div>
    )
  return <>{children}</>
}
