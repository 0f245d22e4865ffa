import { getDocumentProxy } from 'unpdf'

/** What a reader of a PDF finds in it, page by page: a line for what stands at one height. */
export async function pdfText(file: Uint8Array): Promise<string[]> {
  const pdf = await getDocumentProxy(new Uint8Array(file), { verbosity: 0 })
  const pages: string[] = []
  for (let n = 1; n <= pdf.numPages; n += 1) {
    const { items } = await (await pdf.getPage(n)).getTextContent()
    const lines = new Map<number, string>()
    for (const item of items) {
      if (!('str' in item)) continue
      const height = Math.round(item.transform[5])
      lines.set(height, `${lines.get(height) ?? ''}${item.str} `)
    }
    pages.push([...lines.values()].join('\n'))
  }
  return pages
}
