const KEEP_MS = 10_000
/** Hands bytes to the browser as a file. */
export function saveAs(blob: Blob, name: string): void {
  const a = document.createElement('a')
  a.href = URL.createObjectURL(blob)
  a.download = name
  a.click()
  setTimeout(() => URL.revokeObjectURL(a.href), KEEP_MS)
}

/** Lines of plain cells as a CSV that Excel opens in Chinese. */
export const saveCsv = (lines: readonly (readonly string[])[], name: string): void =>
  saveAs(
    new Blob([`\uFEFF${lines.map((line) => line.join(',')).join('\r\n')}\r\n`], { type: 'text/csv' }),
    name,
  )
