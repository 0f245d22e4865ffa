import { parentPort, workerData } from 'node:worker_threads'

import { giveWay } from './give-way.ts'
import type { SheetPart } from './read-sheet.ts'
import { Refused } from './refuse.ts'
import { sheetRows, type SheetRow } from './sheet-rows.ts'

/** So much is handed over at once: the other side copies it in a moment. */
const ROWS = 500
const CHARACTERS = 256 * 1024

giveWay()
const all = sheetRows(Buffer.from(workerData as Uint8Array))
async function more(): Promise<SheetPart> {
  const rows: SheetRow[] = []
  let held = 0
  try {
    while (rows.length < ROWS && held < CHARACTERS) {
      const { done, value } = await all.next()
      if (done) break
      rows.push(value)
      held += value.cells.reduce((n, cell) => n + cell.length, 0)
    }
    return { rows }
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.message }
    return { error: (error as Error).stack ?? String(error) }
  }
}
parentPort!.on('message', () => void more().then((part) => parentPort!.postMessage(part)))
