import type { Belongings } from '../../kit/belongings.ts'
import { row, text } from '../../kit/row.ts'

/** Somebody who has not been seen for so long has left the sheet. */
const SEEN = '2 minutes'

/** Quotations go to the customer that theirs is merged into, unless somebody writes one of them now. */
export const quotationBelongings: Belongings = {
  async refusal(tx, tenant, customers) {
    const { rows } = await tx.query(
      'quotations.holdcustomers',
      row({ code: text, editor: text.null }),
      `SELECT q.code, (SELECT u.nickname
         FROM quotation_editors e
         JOIN users u ON u.tenant_id = $1 AND u.id = e.user_id
         WHERE e.tenant_id = $1 AND e.quotation_id = q.id AND e.seen_at > :now - interval '${SEEN}'
         ORDER BY e.since LIMIT 1) AS editor
       FROM quotations q
       WHERE q.tenant_id = $1 AND q.customer_id = ANY ($2::uuid[])
       ORDER BY q.id
       FOR UPDATE OF q`,
      [tenant, customers],
    )
    const edited = rows.find((r) => r.editor !== null)
    return edited && `报价 ${edited.code} 正由${edited.editor}编辑，请等改完再合并`
  },
  move: (tx, tenant, from, into) =>
    tx.run(
      'quotations.tocustomer',
      'UPDATE quotations SET customer_id = $3, version = version + 1 WHERE tenant_id = $1 AND customer_id = $2',
      [tenant, from, into],
    ),
}
