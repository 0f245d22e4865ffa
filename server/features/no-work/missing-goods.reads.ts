import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'

const { ordered, shipped, toOrder, toShip } = orderState.code
const stateWords = (state: string) =>
  `CASE ${state} ${orderState.options.map((o) => `WHEN ${o.value} THEN '${o.label}'`).join(' ')} END`

/** Where goods are that are not there: to be ordered, ordered, on their way. */
export const NOT_THERE = [toOrder, ordered, toShip, shipped].join(', ')

interface StageOf {
  tenant: string
  site: string
  stage: string
}
/** Goods of a stage of a site that have not arrived. */
export const missingGoods = (of: StageOf): string => `FROM pieces p
       JOIN contract_items i ON i.tenant_id = ${of.tenant} AND i.id = p.item_id AND i.stage = ${of.stage}
       WHERE p.tenant_id = ${of.tenant} AND p.site_id = ${of.site}
         AND p.order_state IN (${NOT_THERE})`
/** The same in words, each with its state. */
export const missingWords = (of: StageOf): string =>
  `coalesce((SELECT string_agg(x.name || '（' || x.state || '）', '、' ORDER BY x.name, x.state)
     FROM (SELECT DISTINCT i.name, ${stateWords('p.order_state')} AS state ${missingGoods(of)}
       ORDER BY i.name LIMIT 5) x), '')`
/** The orders that they are of. */
export const missingOrders = (of: StageOf): string =>
  `coalesce((SELECT json_agg(json_build_object('id', o.id, 'code', o.code) ORDER BY o.code)
     FROM orders o WHERE o.tenant_id = ${of.tenant} AND o.id IN (SELECT p.order_id ${missingGoods(of)})), '[]')`
