/** What is asked, as an address says it: nothing that is empty, and a list with commas. */
export function queryText(asked: object): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  const text = query.toString().replaceAll('%2C', ',')
  return text && `?${text}`
}
