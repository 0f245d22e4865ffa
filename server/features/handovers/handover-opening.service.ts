import type { Tx } from '../../database/connect.ts'
import { found } from '../../kit/refuse.ts'
import { row, text, texts, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { carryPromise } from '../promises/carried-promises.service.ts'
import { briefOf, lockOpenEarly } from './handovers.queries.ts'
import { markCarried, noticeOf } from './handovers.service.ts'

/** The site as it was just signed, who follows its customer, and what the signed sheet takes off. */
async function signedAt(tx: Tx, tenant: string, of: Signed) {
  const { rows } = await tx.query(
    'handovers.signed',
    row({
      bc_id: uuid,
      ws_name: text,
      steward_id: uuid.null,
      manager_id: uuid.null,
      store_id: uuid.null,
      consultant_id: uuid.null,
      discounts: texts,
    }),
    `SELECT w.bc_id, w.ws_name, w.steward_id, w.manager_id, k.store_id, k.consultant_id,
       coalesce((SELECT array_agg(d.reason ORDER BY d.sort, d.id) FROM quotation_discounts d
         WHERE d.tenant_id = $1 AND d.version_id = $4 AND d.kind = 'offer'), '{}') AS discounts
     FROM sites w
     JOIN customers k ON k.tenant_id = $1 AND k.id = $3
     WHERE w.tenant_id = $1 AND w.id = $2`,
    [tenant, of.site, of.customer, of.version],
  )
  return found(rows[0])
}

export interface Signed {
  site: string
  customer: string
  /** Of the quotation, as it was signed. */
  version: string
}
/**
 * At a signature whoever will build the home gets one sheet of what the consultant knew that day, and the home what was
 * promised before it. Who has the sheet to confirm hears, or whoever names a steward.
 */
export async function openHandover(tx: Tx, call: Call, of: Signed): Promise<void> {
  const { id: me, nickname, tenant } = call.user
  const at = await signedAt(tx, tenant, of)
  const site = { id: of.site, ...at }
  for (const p of await lockOpenEarly(tx, tenant, of.customer))
    await markCarried(tx, tenant, p.id, await carryPromise(tx, call, site, p))
  const { fears, given, people, taste } = await briefOf(tx, tenant, of.customer)
  const id = call.newId()
  await tx.run(
    'handovers.open',
    `INSERT INTO handovers (tenant_id, id, bc_id, site_id, customer_id, store_id, consultant_id, taste, people, fears,
       given, made_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, :now)`,
    [
      tenant,
      id,
      at.bc_id,
      of.site,
      of.customer,
      at.store_id,
      at.consultant_id,
      taste,
      people,
      fears,
      [given, at.discounts.length > 0 && `报价里的优惠：${at.discounts.join('、')}`]
        .filter(Boolean)
        .join('；'),
    ],
  )
  await passTurn(tx, 'handover', 'open', {
    ...noticeOf({ id, bc_id: at.bc_id, site_id: of.site }),
    tenant,
    actor: me,
    named: { steward: at.steward_id },
    title: `${at.ws_name} 已由${nickname}签约，请看销售交底并确认`,
  })
}
