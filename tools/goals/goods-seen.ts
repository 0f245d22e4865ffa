/** What stands on a site, read past the product's code: what people there can see. */
interface Seen {
  id: string
  version: number
  /** Received by the merchant, else by the branch itself. */
  merchant: boolean
}
interface Part {
  id: string
  quantity: string
}
export interface SeenOrder extends Seen {
  state: number
  ended: string
  ask: string
  shipped: boolean
  remains: boolean
  urged: boolean
  /** Everything is accepted. */
  done: boolean
  lines: Part[]
  /** On no note. */
  loose: Part[]
}
export interface SeenNote extends Seen {
  state: number
  open: boolean
  toShip: Part[]
  onWay: Part[]
  waiting: Part[]
  /** Accepted, and nobody complains. */
  fine: Part[]
}
export interface SeenChange extends Seen {
  state: string
  examine: number
  answer: string
  made_by: string
  loose: boolean
  request: { id: string; version: number; hash: string } | null
}
export interface SeenLeg extends Seen {
  progress: number
  grade: string
  disputed: string
  /** Of a change; a whole note that was sent back has no sum to dispute. */
  ofChange: boolean
}
export interface GoodsSeen {
  items: { id: string; open: string }[]
  orders: SeenOrder[]
  notes: SeenNote[]
  changes: SeenChange[]
  legs: SeenLeg[]
}

const partsOf = (condition: string) =>
  `(SELECT coalesce(json_agg(json_build_object('id', x.line_id, 'quantity', x.n)), '[]')
    FROM (SELECT p.line_id, trim_scale(sum(p.quantity))::text AS n FROM pieces p
      WHERE p.tenant_id = $3 AND p.site_id = $1 AND (${condition}) GROUP BY p.line_id) x)`
const onNote = (place: 'ship' | 'way') =>
  partsOf(
    `(p.note_id = d.id AND p.place = '${place}') OR (p.next_note_id = d.id AND p.replaced = '${place}')`,
  )
const LOOSE = `p.place = 'change' AND p.result <> 5 AND p.next_note_id IS NULL`
/** In one statement, so that it is one moment. $1 the site, $2 the merchant, $3 the tenant. */
export const SEEN = `
  SELECT (SELECT coalesce(json_agg(json_build_object('id', i.id, 'open', (SELECT coalesce(sum(p.quantity), 0)
      FROM pieces p WHERE p.tenant_id = $3 AND p.item_id = i.id AND p.place = 'open'))), '[]')
    FROM contract_items i JOIN contracts c ON c.tenant_id = $3 AND c.id = i.contract_id
    WHERE i.tenant_id = $3 AND c.site_id = $1) AS items,
  (SELECT coalesce(json_agg(json_build_object('id', o.id, 'version', o.version, 'merchant', o.receiver_id = $2,
      'state', o.receive_state, 'ended', o.ended, 'ask', o.ask, 'urged', o.urged_at IS NOT NULL,
      'done', o.lines > 0 AND o.lines = o.lines_accepted,
      'shipped', EXISTS (SELECT 1 FROM dispatches d
        WHERE d.tenant_id = $3 AND d.order_id = o.id AND d.state NOT IN (0, 1)),
      'remains', EXISTS (SELECT 1 FROM pieces p
        WHERE p.tenant_id = $3 AND p.order_id = o.id AND p.place = 'ship'),
      'lines', (SELECT json_agg(json_build_object('id', l.id, 'quantity', trim_scale(l.quantity)::text))
        FROM order_lines l WHERE l.tenant_id = $3 AND l.order_id = o.id),
      'loose', ${partsOf(`p.order_id = o.id AND p.place = 'ship' AND p.note_id IS NULL`)})), '[]')
    FROM orders o WHERE o.tenant_id = $3 AND o.site_id = $1) AS orders,
  (SELECT coalesce(json_agg(json_build_object('id', d.id, 'version', d.version, 'merchant', d.receiver_id = $2,
      'state', d.state, 'open', o.ended = '' OR d.kind <> 1 AND o.ended = 'closed',
      'toShip', ${onNote('ship')},
      'onWay', ${onNote('way')},
      'waiting', ${partsOf(`p.note_id = d.id AND p.place = 'waiting'`)},
      'fine', ${partsOf(`p.note_id = d.id AND p.place = 'accepted' AND p.change_id IS NULL`)})), '[]')
    FROM dispatches d JOIN orders o ON o.tenant_id = $3 AND o.id = d.order_id
    WHERE d.tenant_id = $3 AND d.site_id = $1) AS notes,
  (SELECT coalesce(json_agg(json_build_object('id', g.id, 'version', g.version, 'merchant', g.receiver_id = $2,
      'state', g.state, 'examine', g.examine_state, 'answer', g.answer, 'made_by', g.made_by,
      'loose', EXISTS (SELECT 1 FROM pieces p
        WHERE p.tenant_id = $3 AND p.site_id = $1 AND p.change_id = g.id AND ${LOOSE}),
      'request', (SELECT json_build_object('id', r.id, 'version', r.version, 'hash', r.hash) FROM examine_requests r
        WHERE r.tenant_id = $3 AND r.object_id = g.id ORDER BY r.round DESC LIMIT 1))), '[]')
    FROM goods_changes g WHERE g.tenant_id = $3 AND g.site_id = $1) AS changes,
  (SELECT coalesce(json_agg(json_build_object('id', v.id, 'version', v.version, 'merchant', v.receiver_id = $2,
      'progress', v.progress, 'grade', v.grade, 'disputed', v.disputed,
      'ofChange', v.change_id IS NOT NULL)), '[]')
    FROM logistics v WHERE v.tenant_id = $3 AND v.site_id = $1 AND v.type IN (4, 5)) AS legs`
