import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import type { ImportDef, ImportRow, ImportState } from '@zhuguan/contract/kit/imports.ts'

import { sheetRows } from '../kit/sheet-rows.ts'
import { workbook } from '../kit/workbook.ts'
import type { Person } from './start.ts'

/** An xlsx of these rows under the heading. */
export async function sheetOf(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of workbook('表', titles, rows)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
/** All cells of a workbook's first sheet. */
export async function cellsOf(bytes: Buffer): Promise<string[][]> {
  const rows: string[][] = []
  for await (const row of sheetRows(bytes)) rows.push(row.cells)
  return rows
}
const headers = (who: Person, type: string) => ({
  token: who.token,
  'tenant-id': who.tenant,
  'content-type': type,
})
export async function download(
  url: string,
  who: Person,
  endpoint: Endpoint,
  query: Record<string, string> = {},
): Promise<Buffer> {
  const answer = await fetch(`${url}${endpoint.path}?${new URLSearchParams(query)}`, {
    method: endpoint.method,
    headers: headers(who, 'application/json'),
  })
  return Buffer.from(await answer.arrayBuffer())
}
export async function sendSheet(url: string, who: Person, def: ImportDef, bytes: Buffer, name = '名单.xlsx') {
  const answer = await fetch(`${url}${def.api.upload.path}?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: headers(who, 'application/octet-stream'),
    body: new Uint8Array(bytes),
  })
  return {
    status: answer.status,
    ...((await answer.json()) as { code: number; msg: string; data: ImportState }),
  }
}
/** Uploads and checks to the end, as the page does. */
export async function checked(url: string, who: Person, def: ImportDef, bytes: Buffer): Promise<ImportState> {
  const sent = await sendSheet(url, who, def, bytes)
  if (sent.code !== 200) throw new Error(sent.msg)
  let state = sent.data
  while (state.unchecked) state = await who.call(def.api.check, { body: { id: state.id } })
  return state
}
export async function stored(who: Person, def: ImportDef, id: string): Promise<ImportState> {
  let state = await who.call(def.api.run, { body: { id } })
  while (state.good) state = await who.call(def.api.run, { body: { id } })
  return state
}
export const badRows = async (who: Person, def: ImportDef, id: string): Promise<ImportRow[]> =>
  (await who.call(def.api.rows, { query: { id, state: 'bad', pageSize: 100 } })).list
