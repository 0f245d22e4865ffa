const KEEP_MS = 10_000
/** Has the browser fetch an address of ours into a file. */
export function saveFrom(address: string, name: string): void {
  const a = document.createElement('a')
  a.href = address
  a.download = name
  a.click()
}
/** Hands bytes to the browser as a file. */
export function saveAs(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  saveFrom(address, name)
  setTimeout(() => URL.revokeObjectURL(address), KEEP_MS)
}

/** Lines of plain cells as a CSV that Excel opens in Chinese. */
export const saveCsv = (lines: readonly (readonly string[])[], name: string): void =>
  saveAs(
    new Blob([`\uFEFF${lines.map((line) => line.join(',')).join('\r\n')}\r\n`], { type: 'text/csv' }),
    name,
  )
