import type { Call } from './serve.ts'
import type { Tx } from './tx.ts'

/** A correction before a command, as far as whatever found it is concerned. */
export interface Corrected {
  id: string
  source_id: string
  bc_id: string
  site_id: string
  correctionStatus: number
}
/** What a command does to a correction: its name, the status it leads to, and why it was cancelled. */
export interface CorrectionMoved {
  action: string
  before: Corrected
  after: number
  cause?: string | undefined
}
/** A feature whose records are corrected takes part when their correction changes, in its transaction. */
export interface CorrectionSource {
  /** The reason why its record forbids the change; nothing where it does not. */
  unless?(tx: Tx, call: Call, change: CorrectionMoved): Promise<string | undefined>
  /** The other effects of the change; answers what the log tells of it beside the state. */
  moved?(
    tx: Tx,
    call: Call,
    change: CorrectionMoved,
  ): Promise<{ before: { verdict: string }; after: { verdict: string } }>
}

/** What a correction is called where it is read out and written down. */
export const correctionNumber = (alias: string): string =>
  `'ZG' || to_char(${alias}.at AT TIME ZONE 'Asia/Shanghai', 'YYMMDD') || '-' || upper(right(${alias}.id::text, 8))`
