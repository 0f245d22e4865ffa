import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { receiptKind } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { customerAct, type CustomerLine } from '@zhuguan/contract/features/customers/customers.record.ts'
import { followKind, followState } from '@zhuguan/contract/features/customers/follow-ups.record.ts'
import { quotationStatus } from '@zhuguan/contract/features/quotations/quotations.record.ts'

import type { Tx } from '../../database/connect.ts'
import { float8, row, text, uuid } from '../../kit/row.ts'
import { epoch } from '../../kit/statement.ts'
import { ALL_OF } from './customers.queries.ts'

/** So many lines are told; what is older stands in the lists. */
const MOST = 300

const line = row({ kind: text, at: float8, code: text, more: text, text, actor: text, ref: uuid.null })
/**
 * What has happened with a customer, the newest first: who had it and why, what was done and is planned, quotations,
 * contract, money (without amounts: whoever may read those has their pages), site.
 */
export async function linesOf(tx: Tx, tenant: string, customer: string): Promise<CustomerLine[]> {
  const { rows } = await tx.query(
    'customers.lines',
    line,
    `SELECT * FROM (
       SELECT 'event' AS kind, ${epoch('e.at')} AS at, e.act AS code, coalesce(u.nickname, '') AS more, e.text, e.actor,
         NULL::uuid AS ref
       FROM customer_events e
       LEFT JOIN users u ON u.tenant_id = $1 AND u.id = e.to_id
       WHERE e.tenant_id = $1 AND e.customer_id IN (${ALL_OF('$2::uuid')})
       UNION ALL
       SELECT 'follow', ${epoch('f.at')}, f.kind, f.state, concat_ws('　', nullif(f.content, ''), nullif(f.result, '')),
         coalesce(nullif(f.closed_by, ''), f.made_by), f.id
       FROM follow_ups f
       WHERE f.tenant_id = $1 AND f.customer_id = $2
       UNION ALL
       SELECT 'quotation', ${epoch('q.created_at')}, q.status::text, '', q.code, u.nickname, q.id
       FROM quotations q
       JOIN users u ON u.tenant_id = $1 AND u.id = q.quoter_id
       WHERE q.tenant_id = $1 AND q.customer_id = $2
       UNION ALL
       SELECT 'contract', ${epoch('c.made_at')}, c.state, coalesce(c.signed_on::text, ''), c.code,
         coalesce(nullif(c.signed_by, ''), u.nickname), c.id
       FROM contracts c
       JOIN users u ON u.tenant_id = $1 AND u.id = c.made_by
       WHERE c.tenant_id = $1 AND c.customer_id = $2
       UNION ALL
       SELECT 'receipt', ${epoch('r.at')}, r.kind, '', c.code, r.user_name, NULL
       FROM contracts c
       JOIN contract_receipts r ON r.tenant_id = $1 AND r.contract_id = c.id
       WHERE c.tenant_id = $1 AND c.customer_id = $2
       UNION ALL
       SELECT 'site', ${epoch(`c.signed_on::timestamp AT TIME ZONE 'Asia/Shanghai'`)}, '', '', w.ws_name, '', w.id
       FROM contracts c
       JOIN sites w ON w.tenant_id = $1 AND w.id = c.site_id
       WHERE c.tenant_id = $1 AND c.customer_id = $2 AND c.signed_on IS NOT NULL) x
     ORDER BY x.at DESC, x.kind, x.text
     LIMIT ${MOST}`,
    [tenant, customer],
  )
  return rows.map(({ at, actor, code, kind, more, ref, text: said }) => {
    const of = { at, actor, ref, text: said }
    switch (kind) {
      case 'event':
        return { ...of, kind, title: customerAct.label(code) + (more && code !== 'own' ? `　${more}` : '') }
      case 'follow':
        return { ...of, kind, title: `${followKind.label(code)}跟进（${followState.label(more)}）` }
      case 'quotation':
        return { ...of, kind, title: `报价 ${quotationStatus.label(Number(code))}` }
      case 'contract':
        return { ...of, kind, title: `合同 ${contractState.label(code)}${more ? `，${more} 签约` : ''}` }
      case 'receipt':
        return { ...of, kind, title: receiptKind.label(code) }
      default:
        return { ...of, kind: 'site', title: '开出工地' }
    }
  })
}
