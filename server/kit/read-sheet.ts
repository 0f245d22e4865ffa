import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

import { bad, BROKEN } from './read-zip.ts'
import type { SheetRow } from './sheet-rows.ts'

export type { SheetRow } from './sheet-rows.ts'

/** So long a file may be read, whatever it is made of; what is done with its rows meanwhile does not count. */
const LONGEST_MS = 30_000
const TOO_LONG = '这个文件读得太久，请分成几个文件上传'
/** 160 MB of text, two bytes a character, and what is made of it. */
const MOST_MB = 512
const TOO_LARGE = '文件内容太大，请分成几个文件上传'
/** The sources run as they are, the product as bundles that lie side by side. */
const WORKER = join(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? 'sheet-worker.ts' : 'sheet-worker.js',
)

/** The thread's answer when it is asked for more: rows, none at the end; or why there are none. */
export type SheetPart = { rows: SheetRow[] } | { refusal: string } | { error: string }

function next(thread: Worker, ms: number): Promise<SheetPart> {
  const over = new AbortController()
  const { signal } = over
  const first = Promise.race([
    once(thread, 'message', { signal }).then(([part]) => part as SheetPart),
    // Whatever made it end was in the file.
    once(thread, 'exit', { signal }).then(() => ({ refusal: BROKEN })),
    pause(ms, { refusal: TOO_LONG }, { signal }),
  ])
  thread.postMessage('more')
  return first
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return { refusal: TOO_LARGE }
      throw error
    })
    .finally(() => over.abort())
}

/**
 * The rows of an xlsx's first sheet. It is read in a thread of its own, with limits of time and memory, so that
 * whatever is in it nobody else waits.
 */
export async function* readSheet(zip: Buffer, longestMs = LONGEST_MS): AsyncGenerator<SheetRow> {
  const thread = new Worker(WORKER, {
    workerData: new Uint8Array(zip),
    resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
  })
  let left = longestMs
  try {
    for (;;) {
      const from = performance.now()
      const part = await next(thread, left)
      left -= performance.now() - from
      if ('refusal' in part) throw bad(part.refusal)
      if ('error' in part) throw new Error(part.error)
      if (part.rows.length === 0) return
      yield* part.rows
    }
  } finally {
    await thread.terminate()
  }
}
