import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { orderEnd, receiveState } from '@zhuguan/contract/features/orders/orders.record.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'

import type { Tx } from '../../database/connect.ts'
import { bool, int4, row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { follows, foreseen, type LivingSite, type SiteLife } from '../../kit/site-life.ts'
import { freePieces, inTurn, lockPieces } from '../pieces/pieces.service.ts'
import { passOrder } from './orders.service.ts'

const { waiting, rejected } = receiveState.code
const { accepted, toOrder } = orderState.code

/** Goods of a site that are on their way, and those that nobody has ordered; whether its contract ends with it. */
async function goodsOf(tx: Tx, call: Call, site: LivingSite) {
  const { rows } = await tx.query(
    'orders.goodsof',
    row({ open: int4, left: text, moving: int4, names: text, ending: bool }),
    `SELECT count(*) FILTER (WHERE p.order_state = ${toOrder})::int AS open,
       coalesce(string_agg(DISTINCT i.name, '、') FILTER (WHERE p.order_state = ${toOrder}), '') AS "left",
       count(*) FILTER (WHERE p.order_state NOT IN (${toOrder}, ${accepted}))::int AS moving,
       coalesce(string_agg(DISTINCT i.name, '、') FILTER (WHERE p.order_state NOT IN (${toOrder}, ${accepted})), '')
         AS names,
       EXISTS (SELECT 1 FROM contracts c WHERE c.tenant_id = $1 AND c.site_id = $2
         AND c.state IN ('${contractState.code.ending}', '${contractState.code.void}')) AS ending
     FROM pieces p
     JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id
     WHERE p.tenant_id = $1 AND p.site_id = $2`,
    [call.user.tenant, site.id],
  )
  return rows[0]!
}

/**
 * What nobody has answered is over, and what nobody has ordered is ordered no more; of what was accepted and has not
 * shipped the remainder is asked to be closed.
 */
async function endGoods(tx: Tx, call: Call, site: LivingSite, as: 'released' | 'terminated'): Promise<void> {
  const { nickname, tenant } = call.user
  const { rows } = await tx.query(
    'orders.ofsite',
    row({
      id: uuid,
      code: text,
      bc_id: uuid,
      place_id: uuid,
      receiver_id: uuid,
      made_by: uuid,
      asked: bool,
      over: bool,
      shipped: bool,
    }),
    `SELECT o.id, o.code, o.bc_id, o.site_id AS place_id, o.receiver_id, o.made_by,
       o.receive_state = ${waiting} AS asked, o.receive_state IN (${waiting}, ${rejected}) AS over,
       EXISTS (SELECT 1 FROM dispatches d
         WHERE d.tenant_id = $1 AND d.order_id = o.id AND d.state NOT IN (0, 1)) AS shipped
     FROM orders o
     WHERE o.tenant_id = $1 AND o.site_id = $2 AND o.ended = '${orderEnd.code.live}'
     ORDER BY o.id
     FOR UPDATE OF o`,
    [tenant, site.id],
  )
  inTurn(tx, site.bc_id)
  for (const o of rows)
    if (o.over) {
      await tx.run(
        'orders.terminated',
        `UPDATE orders o SET ended = $3, receive_state = ${rejected}, version = o.version + 1
         WHERE o.tenant_id = $1 AND o.id = $2`,
        [tenant, o.id, as],
      )
      const over = `${site.ws_name} 已经结束，订单 ${o.code} 不用再办理`
      await passOrder(tx, call, o, o.asked ? 'terminate' : 'release', over)
    } else {
      const { rowCount } = await tx.run(
        'orders.asktermination',
        `UPDATE orders o
         SET ask = $3, ask_side = 'buyer', ask_reason = '工地合同终止', ask_by = $5, ask_name = $4, ask_at = :now,
           version = o.version + 1
         WHERE o.tenant_id = $1 AND o.id = $2 AND o.ask = '' AND EXISTS (
           SELECT 1 FROM pieces p WHERE p.tenant_id = $1 AND p.order_id = o.id AND p.place = 'ship')`,
        [tenant, o.id, o.shipped ? 'close' : 'withdraw', nickname, call.user.id],
      )
      const what = o.shipped ? '结束剩余' : '撤销'
      if (rowCount)
        await passOrder(tx, call, o, 'askReceiver', `订单 ${o.code} 申请${what}：工地合同终止，等您答复`)
    }
  const over = new Set(rows.filter((o) => o.over).map((o) => o.id))
  const pieces = (await lockPieces(tx, tenant, { site: site.id })).filter(
    (p) => p.place === 'open' || over.has(p.order_id ?? ''),
  )
  await freePieces(tx, call, pieces, { ended: true })
}

/**
 * Orders stay with the branch that placed them, as their contract does. A site finishes when nothing is on its way;
 * with its contract it ends at any time, and what then becomes of its goods is settled piece by piece.
 */
export const ordersLife: SiteLife = {
  ...follows('site_arrivals'),
  ending: {
    async foresee(tx, call, site) {
      const { ending, left, moving, names, open } = await goodsOf(tx, call, site)
      return foreseen(
        [
          open > 0 && `${open} 项商品还没有下单，不再下单：${left}`,
          ending && moving > 0 && `${moving} 项商品在途或待验收，要逐项处理：${names}`,
        ],
        [!ending && moving > 0 && `还有 ${moving} 项商品没有到货或验收完：${names}`],
        [!ending && open > 0 && `${open} 项商品没有下单就完工：${left}`],
      )
    },
    async end(tx, call, site) {
      const { ending } = await goodsOf(tx, call, site)
      await endGoods(tx, call, site, ending ? 'terminated' : 'released')
    },
  },
}
