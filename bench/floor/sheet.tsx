import { useState } from 'react'
import { type Column, DataGrid, renderTextEditor } from 'react-data-grid'
import { createRoot } from 'react-dom/client'

import 'react-data-grid/lib/styles.css'

const LINES = 500
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'quantity', 'h', 'i', 'j', 'k', 'l']
type Row = Readonly<Record<string, string>>
const COLUMNS = NAMES.map((key): Column<Row> => ({
  key,
  name: key,
  width: 96,
  renderEditCell: renderTextEditor,
}))

/** The same grid bare: as many rows and columns of text, any of which is typed into; what is typed is added up. */
function Sheet() {
  const [rows, setRows] = useState<readonly Row[]>(() =>
    Array.from({ length: LINES }, (_, i) => Object.fromEntries(NAMES.map((name) => [name, `${i}`]))),
  )
  return (
    <>
      <b id="total">{rows.reduce((sum, row) => sum + Number(row.quantity), 0)}</b>
      <DataGrid
        columns={COLUMNS}
        rows={rows}
        onRowsChange={setRows}
        rowHeight={32}
        style={{ blockSize: 400 }}
      />
    </>
  )
}
export const mount = (at: HTMLElement) => createRoot(at).render(<Sheet />)
