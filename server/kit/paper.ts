import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

import { type Bound, bound } from './bound.ts'
import { Refused } from './refuse.ts'

/** A document that leaves the house, as text: what it says is decided by whoever writes it. */
export interface Paper {
  /** The person whose paper it is. */
  head: { name: string; address: string; phone: string }
  title: string
  number: string
  facts: readonly (readonly [name: string, value: string])[]
  parts: readonly PaperPart[]
  /** At the bottom of every page: who printed it, and when. */
  foot: string
}
export type PaperPart = PaperPictures | PaperSigns | PaperSteps | PaperTable | PaperWords
/** The steps from one amount to another, side by side; the last is what it comes to. */
export interface PaperSteps {
  kind: 'steps'
  steps: readonly (readonly [name: string, amount: string])[]
}
export interface PaperTable {
  kind: 'table'
  title: string
  columns: readonly PaperColumn[]
  rows: readonly (readonly string[] | PaperSubtotal)[]
  /** Below the rows: a name, and what it comes to in the last column. */
  sums?: readonly (readonly [name: string, amount: string])[]
}
/** Under some rows, what they come to. */
export interface PaperSubtotal {
  subtotal: string
  amount: string
}
export interface PaperColumn {
  title: string
  /** In points; what is left is shared among those without one. */
  width?: number
  right?: boolean
}
/** Two beside each other; without bytes the caption stands alone. */
export interface PaperPictures {
  kind: 'pictures'
  title: string
  pictures: readonly { caption: string; /** In base64. */ jpeg: string }[]
}
/** The signers, each with a place for the hand and one for the day; never parted by the end of a page. */
export interface PaperSigns {
  kind: 'signs'
  /** Said above the places. */
  text: string
  signs: readonly string[]
}
export interface PaperWords {
  kind: 'words'
  title: string
  text: string
}

/** Five hundred lines take a second; what takes this long is given up. */
const LONGEST_MS = 20_000
const MOST_MB = 512
/** The sources run as they are, the product as bundles that lie side by side. */
const WORKER = join(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? 'paper-worker.ts' : 'paper-worker.js',
)
/** A class of work like those of server/app/bounds.ts; a document is drawn at the end of a call, not at its door. */
export const papers: Bound = bound({
  name: 'papers',
  // Drawing takes a core: one is left for everybody else.
  atOnce: Math.max(1, availableParallelism() - 1),
  each: 1,
  waiting: 20,
  eachWaiting: 3,
  waitMs: 20_000,
  full: '正在生成的 PDF 太多，请过几秒再试',
  yours: '您有 PDF 正在生成，请等它完成',
  after: 3,
})

/** The thread's answer: the file, or why there is none. */
export type Drawn = { file: Uint8Array } | { error: string }
/** In a thread of its own, which ends with it: nobody else waits, and nothing of it is left. */
function draw(paper: Paper, longestMs: number): Promise<Buffer> {
  const thread = new Worker(WORKER, {
    workerData: paper,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
  })
  return new Promise<Buffer>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Refused('生成 PDF 用的时间太长，请减少行数后再试', 503)),
      longestMs,
    )
    thread.once('message', (drawn: Drawn) =>
      'file' in drawn ? resolve(Buffer.from(drawn.file)) : reject(new Error(drawn.error)),
    )
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('the thread that draws a paper ended without one')))
    void thread.once('exit', () => clearTimeout(timer))
  }).finally(() => void thread.terminate())
}
/** A document as PDF. `who` waits for their own papers only, and for room; too many are refused. */
export const paperPdf = (who: string, paper: Paper, longestMs = LONGEST_MS): Promise<Buffer> =>
  papers.run(who, () => draw(paper, longestMs))
