import type { promiseAct } from '@zhuguan/contract/features/promises/promises.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { SYSTEM_NAME } from '../../kit/nobody.ts'
import type { Caller } from '../../kit/serve.ts'

/** One line of a promise's ledger. */
export interface Entry {
  act: (typeof promiseAct.values)[number]
  text?: string
  fromDue?: string
  toDue?: string
  from?: string | null
  to?: string | null
  pictures?: string[]
  /** The feedback that it became. */
  feedback?: string
  /** Nobody did it: it followed from something else. */
  bySystem?: true
}
export const addEntry = (tx: Tx, call: Caller, promise: string, e: Entry) =>
  tx.run(
    'promises.entry',
    `INSERT INTO promise_events (tenant_id, id, promise_id, act, actor, text, from_due, to_due, from_id, to_id,
       pictures, feedback_id, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, :now)`,
    [
      call.user.tenant,
      call.newId(),
      promise,
      e.act,
      e.bySystem ? SYSTEM_NAME : call.user.nickname,
      e.text ?? '',
      e.fromDue ?? null,
      e.toDue ?? null,
      e.from ?? null,
      e.to ?? null,
      e.pictures ?? [],
      e.feedback ?? null,
    ],
  )

/** What every message about it has in common. */
export const noticeOf = (p: { id: string; bc_id: string; site_id: string }) => ({
  link: linkTo('PromiseList', { id: p.id }),
  cause: { kind: 'promise', id: p.id } as const,
  place: { bc_id: p.bc_id, site_id: p.site_id },
})
/** The person who has a part in it, by the words of the table of turns. */
export const namedIn = (responsible: string | null) => ({ responsible, relieved: responsible })
export const whatOf = (p: { siteName: string; content: string }) => `${p.siteName} 的承诺“${p.content}”`
