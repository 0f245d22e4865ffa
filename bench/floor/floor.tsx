import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** The least that React can be: two lists in a menu, fetched when they are opened, twenty rows in a table. */
type Row = Record<string, unknown>
function List() {
  const [rows, setRows] = useState<Row[]>([])
  useEffect(() => {
    void fetch('/page-json')
      .then((r) => r.json())
      .then((a: { data: { list: Row[] } }) => setRows(a.data.list))
  }, [])
  return (
    <table>
      <tbody>
        {rows.map((r) => (
          <tr key={String(r.id)}>
            {[
              'code',
              'ws_name',
              'bc_name',
              'address',
              'status',
              'progress',
              'stewardName',
              'managerName',
              'openAlarms',
            ].map((k) => (
              <td key={k}>{String(r[k])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
function App() {
  const [at, go] = useState(0)
  return (
    <div className="shell">
      <nav className="side-nav">
        {['一', '二'].map((name, i) => (
          <button key={name} onClick={() => go(i)}>
            {name}
          </button>
        ))}
      </nav>
      <List key={at} />
    </div>
  )
}
export const mount = (at: HTMLElement) => createRoot(at).render(<App />)
