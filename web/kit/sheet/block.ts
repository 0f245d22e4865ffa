/** Rows of cells as another program hands them over. */
export type Block = readonly (readonly string[])[]

/** Cells with tabs, line breaks or quotes stand in quotes, as Excel and WPS write them. */
export function readTsv(text: string): Block {
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  let begins = true
  const end = () => {
    rows.at(-1)!.push(cell)
    cell = ''
    begins = true
  }
  const source = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  for (let i = 0; i < source.length; i += 1) {
    const sign = source[i]!
    if (quoted && sign === '"' && source[i + 1] === '"') {
      cell += '"'
      i += 1
    } else if (quoted) {
      if (sign === '"') quoted = false
      else cell += sign
    } else if (sign === '\t') end()
    else if (sign === '\n') {
      end()
      rows.push([])
    } else if (sign === '"' && begins && closes(source, i)) {
      quoted = true
      begins = false
    } else {
      cell += sign
      begins = false
    }
  }
  end()
  return rows
}
/** A quote that nothing ends is a sign like others: 4" 弯头. */
const closes = (source: string, from: number): boolean =>
  /^(?:[^"]|"")*"(?=[\t\n]|$)/.test(source.slice(from + 1))

const textOf = (cell: Element): string => {
  const copy = cell.cloneNode(true) as Element
  for (const br of copy.querySelectorAll('br')) br.replaceWith('\n')
  return (copy.textContent ?? '').replace(/[ \t\u00a0]+/g, ' ').trim()
}
/** The first table of a page; a cell over several columns leaves the others empty. */
export function readHtml(html: string): Block | null {
  const table = new DOMParser().parseFromString(html, 'text/html').querySelector('table')
  if (!table) return null
  return [...table.querySelectorAll('tr')].map((row) =>
    [...row.querySelectorAll('td, th')].flatMap((cell) => [
      textOf(cell),
      ...Array.from({ length: Math.min(Number(cell.getAttribute('colspan') ?? 1) - 1, 99) }, () => ''),
    ]),
  )
}
export function readClipboard(data: Pick<DataTransfer, 'getData'>): Block | null {
  const text = data.getData('text/plain')
  if (text !== '') return readTsv(text)
  return readHtml(data.getData('text/html'))
}

export const writeTsv = (block: Block): string =>
  block
    .map((row) =>
      row.map((cell) => (/[\t\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t'),
    )
    .join('\r\n')
const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>' }
export const writeHtml = (block: Block): string =>
  `<table>${block
    .map(
      (row) => `<tr>${row.map((c) => `<td>${c.replace(/[&<>\n]/g, (s) => SIGNS[s]!)}</td>`).join('')}</tr>`,
    )
    .join('')}</table>`
