-- What a receiver is owed, as a ledger: a line when something happens that changes what of an ordered line stands
-- accepted (docs/decisions/0340). A line is never changed but for the statement that takes it up.
CREATE TABLE owed_lines (
  tenant_id    uuid NOT NULL REFERENCES tenants(id),
  id           uuid NOT NULL,
  -- The order in which they were written: rounding runs along it.
  seq          bigint GENERATED ALWAYS AS IDENTITY,
  bc_id        uuid NOT NULL,
  receiver_id  uuid NOT NULL,
  -- Of goods; a line by hand may be about an order or about none.
  order_id     uuid,
  line_id      uuid,
  note_id      uuid,
  change_id    uuid,
  charge_id    uuid,
  kind         text NOT NULL CHECK (kind IN ('accepted', 'replacement', 'short', 'taken', 'scrapped', 'corrected',
    'damage', 'undone', 'freight', 'broken', 'difference', 'fine', 'other')),
  quantity     numeric(40, 3) NOT NULL DEFAULT 0,
  price        numeric(40, 6) NOT NULL DEFAULT 0,
  -- What all lines of an ordered line come to is its quantity times its price, rounded once.
  amount       numeric(40, 2) NOT NULL,
  words        text NOT NULL DEFAULT '',
  at           timestamptz NOT NULL,
  statement_id uuid,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, order_id) REFERENCES orders,
  FOREIGN KEY (tenant_id, line_id) REFERENCES order_lines,
  FOREIGN KEY (tenant_id, note_id) REFERENCES dispatches,
  FOREIGN KEY (tenant_id, change_id) REFERENCES goods_changes,
  CHECK ((line_id IS NULL) = (quantity = 0)));
CREATE INDEX owed_lines_line ON owed_lines (tenant_id, line_id) WHERE line_id IS NOT NULL;
CREATE INDEX owed_lines_receiver ON owed_lines (tenant_id, receiver_id, at);
CREATE INDEX owed_lines_branch ON owed_lines (tenant_id, bc_id, at);
CREATE INDEX owed_lines_statement ON owed_lines (tenant_id, statement_id) WHERE statement_id IS NOT NULL;
SELECT protect('owed_lines');

-- What happened before: what was judged fine adds, what was complained of later and approved takes off, in the order in
-- which it happened. What a rule over judgements of pieces made of it is told below, where it was something else.
SET LOCAL app.tenant = '*';
CREATE TEMP TABLE owed_moves ON COMMIT DROP AS
SELECT e.*, o.bc_id, o.receiver_id, o.id AS order_id, l.price,
  sum(e.quantity) OVER (PARTITION BY e.tenant_id, e.line_id ORDER BY e.at, e.id) AS after
FROM (
  SELECT j.tenant_id, j.id, j.line_id, j.note_id, NULL::uuid AS change_id,
    CASE WHEN d.kind = 1 THEN 'accepted' ELSE 'replacement' END AS kind, j.quantity, j.at
  FROM judgements j
  JOIN dispatches d ON d.tenant_id = j.tenant_id AND d.id = j.note_id
  WHERE j.result = 2
  UNION ALL
  SELECT g.tenant_id, g.id, g.line_id, g.note_id, g.id,
    CASE WHEN g.result = 3 THEN 'short' WHEN g.scrap THEN 'scrapped' ELSE 'taken' END, -g.quantity,
    coalesce((SELECT max(r.judged_at) FROM examine_requests r
      WHERE r.tenant_id = g.tenant_id AND r.kind = 'goods' AND r.object_id = g.id AND r.state = 1), g.made_at)
  FROM goods_changes g
  WHERE g.late AND g.examine_state = 1 AND g.result IS NOT NULL
) e
JOIN order_lines l ON l.tenant_id = e.tenant_id AND l.id = e.line_id
JOIN orders o ON o.tenant_id = l.tenant_id AND o.id = l.order_id;

INSERT INTO owed_lines
  (tenant_id, id, bc_id, receiver_id, order_id, line_id, note_id, change_id, kind, quantity, price, amount, at)
SELECT m.tenant_id, gen_random_uuid(), m.bc_id, m.receiver_id, m.order_id, m.line_id, m.note_id, m.change_id, m.kind,
  m.quantity, m.price, round(m.after * m.price, 2) - round((m.after - m.quantity) * m.price, 2), m.at
FROM owed_moves m
ORDER BY m.at, m.id;

-- Where that is not what stands accepted, a line says so.
INSERT INTO owed_lines
  (tenant_id, id, bc_id, receiver_id, order_id, line_id, kind, quantity, price, amount, words, at)
SELECT l.tenant_id, gen_random_uuid(), o.bc_id, o.receiver_id, o.id, l.id, 'corrected', x.stands - x.billed, l.price,
  round(x.stands * l.price, 2) - round(x.billed * l.price, 2), '升级时按在场已验收数量更正', now()
FROM order_lines l
JOIN orders o ON o.tenant_id = l.tenant_id AND o.id = l.order_id
CROSS JOIN LATERAL (SELECT
    coalesce((SELECT sum(p.quantity) FROM pieces p
      WHERE p.tenant_id = l.tenant_id AND p.line_id = l.id AND p.place = 'accepted'), 0) AS stands,
    coalesce((SELECT sum(w.quantity) FROM owed_lines w
      WHERE w.tenant_id = l.tenant_id AND w.line_id = l.id), 0) AS billed) x
WHERE x.stands <> x.billed;

DO $$
DECLARE
  r record;
BEGIN
  FOR r IN
    WITH before AS (
      SELECT k.tenant_id, k.receiver_id, sum(k.amount) AS due
      FROM (
        SELECT o.tenant_id, o.receiver_id, m.sign * round(sum(m.quantity) * l.price, 2) AS amount
        FROM (
          SELECT j.tenant_id, j.line_id, j.note_id, j.quantity, 1 AS sign FROM judgements j WHERE j.result = 2
          UNION ALL
          SELECT v.tenant_id, p.line_id, v.note_id, v.quantity, -1
          FROM goods_moves v
          JOIN pieces p ON p.tenant_id = v.tenant_id AND p.id = v.piece_id
          WHERE v.kind IN ('back', 'scrapped') AND EXISTS (SELECT 1 FROM judgements j
            WHERE j.tenant_id = v.tenant_id AND j.piece_id = v.piece_id AND j.result = 2 AND j.at < v.at)
        ) m
        JOIN order_lines l ON l.tenant_id = m.tenant_id AND l.id = m.line_id
        JOIN orders o ON o.tenant_id = l.tenant_id AND o.id = l.order_id
        GROUP BY o.tenant_id, o.receiver_id, m.note_id, l.id, l.price, m.sign) k
      GROUP BY k.tenant_id, k.receiver_id
    ), after AS (
      SELECT w.tenant_id, w.receiver_id, sum(w.amount) AS due FROM owed_lines w GROUP BY 1, 2
    )
    SELECT (SELECT max(o.receiver_name) FROM orders o
        WHERE o.tenant_id = coalesce(b.tenant_id, a.tenant_id) AND o.receiver_id = coalesce(b.receiver_id,
          a.receiver_id)) AS name, coalesce(b.due, 0) AS was, coalesce(a.due, 0) AS now
    FROM before b
    FULL JOIN after a ON a.tenant_id = b.tenant_id AND a.receiver_id = b.receiver_id
    WHERE coalesce(b.due, 0) <> coalesce(a.due, 0)
  LOOP
    RAISE NOTICE '对账更正：% 应付 % → %', r.name, r.was, r.now USING HINT = 'corrected';
  END LOOP;
END $$;

-- What of an order is in force: not what went back for good, nor what was ordered again in its place.
UPDATE orders o SET amount = x.amount, lines = x.lines
FROM (
  SELECT p.tenant_id, p.order_id, count(*)::int AS lines, sum(round(p.quantity * l.price, 2)) AS amount
  FROM (
    SELECT i.tenant_id, i.order_id, i.line_id, coalesce(sum(i.quantity)
      FILTER (WHERE i.place NOT IN ('held', 'back') AND i.counts), 0) AS quantity
    FROM pieces i
    WHERE i.order_id IS NOT NULL AND i.line_id IS NOT NULL
    GROUP BY i.tenant_id, i.order_id, i.line_id
    HAVING bool_or(i.place <> 'held')) p
  JOIN order_lines l ON l.tenant_id = p.tenant_id AND l.id = p.line_id
  GROUP BY p.tenant_id, p.order_id) x
WHERE o.tenant_id = x.tenant_id AND o.id = x.order_id AND o.amount <> x.amount;
