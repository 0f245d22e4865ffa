import type { owedKind } from '@zhuguan/contract/features/statements/statements.record.ts'

import type { Tx } from '../../database/connect.ts'
import type { Call } from '../../kit/serve.ts'

/** Goods of an ordered line that begin, or cease, to stand accepted. */
export interface Owed {
  line_id: string
  note_id: string | null
  change_id: string | null
  /** Below 0 where they cease to. */
  quantity: string
}

const MONTH_NOW = `date_trunc('month', :now AT TIME ZONE 'Asia/Shanghai')::date`
/**
 * Writes what a receiver is owed more, or less (docs/decisions/0340). The order is locked, so that nobody writes of the
 * same line beside it: all lines of an ordered line together come to its quantity times its price, rounded once.
 */
export async function tellOwed(
  tx: Tx,
  call: Pick<Call, 'newId' | 'user'>,
  owed: readonly Owed[],
): Promise<void> {
  if (owed.length === 0) return
  await tx.run(
    'statements.owed',
    `INSERT INTO owed_lines (tenant_id, id, bc_id, receiver_id, order_id, line_id, note_id, change_id, kind, quantity,
       price, amount, at, month)
     SELECT $1, x.id, o.bc_id, o.receiver_id, o.id, l.id, x.note_id, x.change_id,
       CASE WHEN x.quantity > 0 THEN CASE WHEN d.kind > 1 THEN 'replacement' ELSE 'accepted' END
         WHEN g.result = 3 THEN 'short'
         WHEN g.scrap THEN 'scrapped'
         ELSE 'taken' END,
       x.quantity, l.price,
       round((b.billed + x.run) * l.price, 2) - round((b.billed + x.run - x.quantity) * l.price, 2), :now,
       ${MONTH_NOW}
     FROM (
       SELECT y.*, sum(y.quantity) OVER (PARTITION BY y.line_id ORDER BY y.sort) AS run
       FROM json_to_recordset($2::json) AS y(id uuid, line_id uuid, note_id uuid, change_id uuid, quantity numeric,
         sort int)) x
     JOIN order_lines l ON l.tenant_id = $1 AND l.id = x.line_id
     JOIN orders o ON o.tenant_id = $1 AND o.id = l.order_id
     LEFT JOIN dispatches d ON d.tenant_id = $1 AND d.id = x.note_id
     LEFT JOIN goods_changes g ON g.tenant_id = $1 AND g.id = x.change_id
     CROSS JOIN LATERAL (SELECT coalesce(sum(w.quantity), 0) AS billed
       FROM owed_lines w
       WHERE w.tenant_id = $1 AND w.line_id = l.id) b
     ORDER BY x.sort`,
    [call.user.tenant, JSON.stringify(owed.map((one, sort) => ({ ...one, id: call.newId(), sort })))],
  )
}

interface ByHand {
  bc_id: string
  receiver_id: string
  kind: (typeof owedKind.values)[number]
  /** Below 0 where the receiver is owed less. */
  amount: string
  words: string
  /** The month that it is about, as 2026-01; without it the running one. */
  month?: string
  charge_id?: string
  order_id?: string
  change_id?: string
}
/** The debts beside the goods: lines by hand that were approved, and goods that came back damaged. */
export const tellByHand = (tx: Tx, call: Pick<Call, 'newId' | 'user'>, o: ByHand) =>
  tx.run(
    'statements.byhand',
    `INSERT INTO owed_lines (tenant_id, id, bc_id, receiver_id, order_id, change_id, charge_id, kind, amount, words,
       at, month)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, :now, coalesce($11::date, ${MONTH_NOW}))`,
    [
      call.user.tenant,
      call.newId(),
      o.bc_id,
      o.receiver_id,
      o.order_id ?? null,
      o.change_id ?? null,
      o.charge_id ?? null,
      o.kind,
      o.amount,
      o.words,
      o.month ? `${o.month}-01` : null,
    ],
  )
