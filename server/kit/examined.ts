import type { Call } from './serve.ts'
import type { Tx } from './tx.ts'

/** What was submitted, as far as whoever keeps it is concerned. */
export interface Examined {
  id: string
  kind: string
  object_id: string
  version_id: string | null
  bc_id: string
  store_id: string | null
  number: string
  submitted_by: string
}
/** `amount`: the sum that who approves says instead of the one that was asked about, where the kind takes one. */
export interface Judged {
  approved: boolean
  reason: string
  amount: string | null
}
/** A feature whose records are judged takes part when one of them is, in the judgement's transaction. */
export interface ExamineSource {
  /** Locks what was submitted and answers the hash of what it is now: another one where it has changed since. */
  hashOf(tx: Tx, call: Call, request: Examined): Promise<string>
  /** The reason why this person may not judge it, beyond having submitted it; nothing where they may. */
  unless?(tx: Tx, call: Call, request: Examined): Promise<string | undefined>
  /** The effect of the judgement on what was submitted. The judgement itself has its line in the log. */
  judged(tx: Tx, call: Call, request: Examined, judgement: Judged): Promise<void>
}
