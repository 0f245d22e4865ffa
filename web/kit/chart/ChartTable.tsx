import type { Picked } from './charts.tsx'

interface Row {
  name: string
  hint?: string | undefined
  cells: readonly string[]
}
/** The same figures as rows; where a figure opens something, it is a button. */
export function ChartTable({
  label,
  heads,
  rows,
  onPick,
}: {
  label: string
  heads: readonly string[]
  rows: readonly Row[]
  onPick?: ((p: Picked) => void) | undefined
}) {
  return (
    <div className="chart-table" tabIndex={0} role="region" aria-label={`${label}（表格）`}>
      <table className="grid">
        <thead>
          <tr>
            <th scope="col">项目</th>
            {heads.map((h) => (
              <th key={h} scope="col" className="right">
                {h}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((r, index) => (
            <tr key={r.name}>
              <td title={r.hint}>
                {r.name}
                {r.hint && <small> {r.hint}</small>}
              </td>
              {r.cells.map((text, series) => (
                <td key={heads[series]} className="right">
                  {onPick && text !== '--' ? (
                    <button className="name" onClick={() => onPick({ index, series })}>
                      {text}
                    </button>
                  ) : (
                    text
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
