-- Lines and amount of an order say what of it is in force: what was refused, freed or never shipped of a closed one is
-- in none. What was placed stays readable beside it.
ALTER TABLE orders
  ADD COLUMN placed_lines int NOT NULL DEFAULT 0,
  ADD COLUMN placed_amount numeric(40, 2) NOT NULL DEFAULT 0;
SET LOCAL app.tenant = '*';
UPDATE orders o
SET placed_lines = o.lines, placed_amount = o.amount, lines = x.lines, amount = x.amount
FROM (
  SELECT k.tenant_id, k.id, count(l.id)::int AS lines, coalesce(sum(round(p.quantity * l.price, 2)), 0) AS amount
  FROM orders k
  LEFT JOIN (
    SELECT i.tenant_id, i.order_id, i.line_id, sum(i.quantity) AS quantity
    FROM pieces i
    WHERE i.order_id IS NOT NULL AND i.place <> 'held'
    GROUP BY 1, 2, 3) p ON p.tenant_id = k.tenant_id AND p.order_id = k.id
  LEFT JOIN order_lines l ON l.tenant_id = p.tenant_id AND l.id = p.line_id
  GROUP BY k.tenant_id, k.id) x
WHERE x.tenant_id = o.tenant_id AND x.id = o.id;
